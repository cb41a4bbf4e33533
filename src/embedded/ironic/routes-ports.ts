import { badRequest } from './api-error.js';
import { applyPatch, parsePatch, patchedField } from './json-patch.js';
import { isObject, plainText } from './json.js';
import { portFieldSince, requireVersion } from './microversion.js';
import type { NodeRecord } from './node-record.js';
import { flag } from './node-schema.js';
import type { NodeStore } from './node-store.js';
import { nextLink, pageOf, parsePage } from './page.js';
import {
  checkPortFields,
  macAddress,
  newPort,
  parseNewPort,
  portListFields,
  renderPort,
  type PortRecord,
} from './port-record.js';
import { fieldsOf, type Answer, type ApiRequest, type Route } from './router.js';
import { nodeOf } from './routes-nodes.js';
import type { Services } from './services.js';
import { isUuid, randomUuid } from './stamps.js';

/** Ports: the MAC addresses of nodes. */
export function portRoutes(services: Services): Route[] {
  return [
    { method: 'POST', template: '/v1/ports', handle: (request) => create(services, request) },
    { method: 'GET', template: '/v1/ports', handle: (request) => list(services, request, isDetailed(request)) },
    { method: 'GET', template: '/v1/ports/detail', handle: (request) => list(services, request, true) },
    {
      method: 'GET',
      template: '/v1/nodes/{node}/ports',
      handle: (request) => list(services, request, isDetailed(request), nodeOf(services, request)),
    },
    {
      method: 'GET',
      template: '/v1/ports/{port}',
      handle: (request) => {
        const fields = fieldsOf(request.query);
        if (fields) checkPortFields(fields, request.minor);
        const port = services.store.findPort(request.params['port'] ?? '');
        return { status: 200, body: renderPort(port, request.baseUrl, request.minor, fields) };
      },
    },
    { method: 'PATCH', template: '/v1/ports/{port}', handle: (request) => patch(services, request) },
    { method: 'DELETE', template: '/v1/ports/{port}', handle: (request) => remove(services, request) },
  ];
}

function create(services: Services, request: ApiRequest): Answer {
  const { store, stamps, random } = services;
  const given = parseNewPort(request.body, request.minor);
  const owner = plainText(given['node_uuid']).toLowerCase();
  // An unknown node in the body is the request's mistake: 400, not 404.
  if (!store.get(owner)) throw badRequest(`Node ${owner} could not be found.`);
  const wanted = given['uuid'];
  const uuid = typeof wanted === 'string' ? wanted.toLowerCase() : randomUuid(random);
  const port = newPort(given, owner, uuid, stamps.next());
  store.insertPort(port);
  return {
    status: 201,
    body: renderPort(port, request.baseUrl, request.minor),
    location: `${request.baseUrl}/v1/ports/${uuid}`,
  };
}

function isDetailed({ query }: ApiRequest): boolean {
  return flag('detail', query.get('detail') ?? 'false');
}

const parameters = ['node', 'node_uuid', 'address', 'fields', 'detail', 'limit', 'marker', 'sort_key', 'sort_dir'];

function list(services: Services, request: ApiRequest, detail: boolean, owner?: NodeRecord): Answer {
  const { query, minor, baseUrl } = request;
  const unknown = [...query.keys()].filter((key) => !parameters.includes(key));
  if (unknown.length > 0) throw badRequest(`Unexpected arguments: ${unknown.join(', ')}`);
  const asked = fieldsOf(query);
  if (asked && detail) throw badRequest('Can not specify ?detail=True and fields in the same request.');
  if (asked) checkPortFields(asked, minor);
  const page = parsePage(query, services.maxLimit);
  const wanted = wantedPorts(services.store, query, minor, owner);
  const positions = new Map(wanted.map((port, index) => [port, index]));
  const chosen = pageOf(wanted, page, (port) => ({
    id: positions.get(port) ?? 0,
    uuid: port.fields.uuid,
    key: page.sortKey === 'id' ? (positions.get(port) ?? 0) : (port.fields[page.sortKey] ?? null),
  }));
  const fields = detail ? undefined : (asked ?? portListFields);
  const ports = chosen.map((port) => renderPort(port, baseUrl, minor, fields));
  const uuids = chosen.map((port) => ({ uuid: port.fields.uuid }));
  const kept = Object.fromEntries(
    [...query].filter(([key]) => ['node', 'node_uuid', 'address', 'fields'].includes(key)),
  );
  return { status: 200, body: { ports, ...nextLink(`${baseUrl}/v1/ports`, page, uuids, kept) } };
}

function wantedPorts(store: NodeStore, query: URLSearchParams, minor: number, owner?: NodeRecord): PortRecord[] {
  const address = query.get('address');
  const mac = address === null ? null : macAddress(address);
  const asked = query.get('node') ?? query.get('node_uuid');
  const uuid = owner?.fields.uuid ?? (asked === null ? null : nodeUuid(store, asked, query.has('node'), minor));
  const ports = uuid === null ? store.ports() : store.portsOf(uuid);
  return mac === null ? ports : ports.filter((port) => port === store.portWithMac(mac));
}

function nodeUuid(store: NodeStore, ident: string, byName: boolean, minor: number): string {
  if (!byName && !isUuid(ident)) throw badRequest(`Expected UUID for node_uuid: ${ident}`);
  return store.find(ident, minor).fields.uuid;
}

const patchable = [
  ...['address', 'extra', 'is_smartnic', 'local_link_connection', 'name', 'node_uuid', 'physical_network'],
  'pxe_enabled',
];

async function patch(services: Services, request: ApiRequest): Promise<Answer> {
  const { store, locks } = services;
  const port = store.findPort(request.params['port'] ?? '');
  const operations = parsePatch(request.body);
  for (const operation of operations) {
    const field = patchedField(operation);
    if (!patchable.includes(field)) {
      throw badRequest(`Cannot patch ${operation.path}. Only the following can be updated: ${patchable.join(', ')}`);
    }
    requireVersion(request.minor, portFieldSince(field));
  }
  const node = store.find(port.fields.node_uuid);
  return locks.with(node, () => {
    const patched = applyPatch(port.fields, operations);
    const address = macAddress(patched['address']);
    const pxe_enabled = flag('pxe_enabled', patched['pxe_enabled'] ?? true);
    const owner = plainText(patched['node_uuid']).toLowerCase();
    if (!store.get(owner)) throw badRequest(`Node ${owner} could not be found.`);
    const extra = isObject(patched['extra']) ? patched['extra'] : {};
    const before = { ...port.fields };
    Object.assign(port.fields, patched, { address: before.address, pxe_enabled, node_uuid: owner, extra });
    try {
      store.savePort(port, address);
    } catch (error) {
      Object.assign(port.fields, before);
      throw error;
    }
    return { status: 200, body: renderPort(port, request.baseUrl, request.minor) };
  });
}

async function remove(services: Services, request: ApiRequest): Promise<Answer> {
  const { store, locks } = services;
  const port = store.findPort(request.params['port'] ?? '');
  return locks.with(store.find(port.fields.node_uuid), () => {
    store.deletePort(port);
    return { status: 204 };
  });
}
