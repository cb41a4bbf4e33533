import { badRequest, clientError, missing, refuseUnknown } from './api-error.js';
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
import type { Services } from './services.js';
import { isUuid, randomUuid } from './stamps.js';

/** Ports: the MAC addresses of nodes. */
export function portRoutes(services: Services): Route[] {
  return [
    { method: 'POST', template: '/v1/ports', handle: (request) => create(services, request) },
    { method: 'GET', template: '/v1/ports', handle: (request) => list(services, request, isDetailed(request)) },
    { method: 'GET', template: '/v1/ports/detail', handle: (request) => list(services, request, true) },
    ...['/v1/nodes/{node}/ports', '/v1/nodes/{node}/ports/detail'].map((template) => ({
      method: 'GET',
      template,
      handle: (request: ApiRequest) => {
        const detail = template.endsWith('detail') || isDetailed(request);
        return list(services, request, detail, ownerOf(services, request));
      },
    })),
    {
      method: 'GET',
      template: '/v1/ports/{port}',
      handle: (request) => {
        const fields = fieldsOf(request.query);
        if (fields) checkPortFields(fields, request.minor);
        const port = portOf(services, request);
        return { status: 200, body: renderPort(port, request.baseUrl, request.minor, fields) };
      },
    },
    { method: 'PATCH', template: '/v1/ports/{port}', handle: (request) => patch(services, request) },
    { method: 'DELETE', template: '/v1/ports/{port}', handle: (request) => remove(services, request) },
    ...['PATCH', 'DELETE'].map((method) => ({ method, template: '/v1/ports', handle: withoutPort })),
  ];
}

function withoutPort(): Answer {
  throw missing('port_uuid');
}

/** The port a request is about, by the uuid or name in its path. */
function portOf({ store }: Services, { params }: ApiRequest): PortRecord {
  const ident = params['port'] ?? '';
  if (!/^[\w.~-]+$/.test(ident)) throw badRequest(`Expected UUID or name for port_ident: ${ident}`);
  return store.findPort(ident);
}

/** The node whose ports are asked for. The real server says of one that it does not know that no group of ports is it. */
function ownerOf(services: Services, request: ApiRequest): NodeRecord {
  const ident = request.params['node'] ?? '';
  try {
    return services.store.find(ident, request.minor);
  } catch {
    throw clientError(404, 'Portgroup None could not be found.');
  }
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

const sortable = [
  ...['uuid', 'created_at', 'updated_at', 'address', 'is_smartnic', 'physical_network', 'pxe_enabled', 'name'],
  'node_uuid',
];
const parameters = ['node', 'node_uuid', 'address', 'fields', 'detail', 'limit', 'marker', 'sort_key', 'sort_dir'];

function list(services: Services, request: ApiRequest, detail: boolean, owner?: NodeRecord): Answer {
  const { query, minor, baseUrl } = request;
  refuseUnknown(query.keys(), parameters);
  const asked = fieldsOf(query);
  if (asked && detail) throw badRequest('Can not specify ?detail=True and fields in the same request.');
  if (asked) checkPortFields(asked, minor);
  const page = parsePage(query, services.maxLimit);
  if (page.sortKey !== 'id' && !sortable.includes(page.sortKey)) {
    throw badRequest(`The sort_key value "${page.sortKey}" is an invalid field for sorting`);
  }
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
  const kept: Record<string, string> = fields ? { fields: fields.join(',') } : { detail: 'True' };
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
  ...['address', 'extra', 'is_smartnic', 'local_link_connection', 'node_ident', 'node_uuid', 'physical_network'],
  ...['portgroup_uuid', 'pxe_enabled', 'name', 'description', 'vendor', 'category'],
  'available_for_dynamic_portgroup',
];

async function patch(services: Services, request: ApiRequest): Promise<Answer> {
  const { store, locks } = services;
  const port = portOf(services, request);
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
  const port = portOf(services, request);
  return locks.with(store.find(port.fields.node_uuid), () => {
    store.deletePort(port);
    return { status: 204 };
  });
}
