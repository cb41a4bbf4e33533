import { badRequest, conflict, gatewayError, missing, protectedNode, refuseUnknown, serverError } from './api-error.js';
import { plainText } from './json.js';
import { parsePatch } from './json-patch.js';
import { requireResource, requireVersion } from './microversion.js';
import { checkPatch, createRecord, patchNode } from './node-changes.js';
import { checkSortKey, parseFilters } from './node-query.js';
import type { NodeRecord } from './node-record.js';
import { checkFields, listFields, renderNode } from './node-rendering.js';
import { flag, parseNewNode } from './node-schema.js';
import { nextLink, pageOf, parsePage } from './page.js';
import { fieldsOf, type Answer, type ApiRequest, type Route } from './router.js';
import { renderingFor, type Services } from './services.js';
import { isUuid, randomUuid } from './stamps.js';
import { deletableStates } from './state-table.js';
import { validationOf } from './validation.js';

/** The node a request is about, by the uuid or name in its path. */
export function nodeOf(services: Services, request: ApiRequest): NodeRecord {
  const ident = request.params['node'] ?? '';
  if (!isUuid(ident) && !/^[\w.~-]+$/.test(ident)) {
    throw gatewayError(400, 'Bad Request', `Expected UUID or name for node: ${ident}`);
  }
  return services.store.find(ident, request.minor);
}

/** Nodes themselves: enroll, list, read, change, delete, validate. */
export function nodeRoutes(services: Services): Route[] {
  return [
    { method: 'POST', template: '/v1/nodes', handle: (request) => create(services, request) },
    { method: 'GET', template: '/v1/nodes', handle: (request) => list(services, request, isDetailed(request)) },
    { method: 'GET', template: '/v1/nodes/detail', handle: (request) => list(services, request, true) },
    { method: 'GET', template: '/v1/nodes/{node}', handle: (request) => read(services, request) },
    { method: 'PATCH', template: '/v1/nodes/{node}', handle: (request) => patch(services, request) },
    { method: 'DELETE', template: '/v1/nodes/{node}', handle: (request) => remove(services, request) },
    ...['PATCH', 'DELETE'].map((method) => ({ method, template: '/v1/nodes', handle: withoutNode })),
    {
      method: 'GET',
      template: '/v1/nodes/{node}/{field}',
      handle: (request) => {
        nodeOf(services, request);
        throw badRequest(`Field ${request.params['field']} is not a valid field.`);
      },
    },
    {
      method: 'GET',
      template: '/v1/nodes/{node}/traits',
      handle: (request) => {
        requireResource(request.minor, 37);
        return { status: 200, body: { traits: nodeOf(services, request).fields['traits'] ?? [] } };
      },
    },
    {
      method: 'GET',
      template: '/v1/nodes/{node}/validate',
      handle: (request) => ({ status: 200, body: validationOf(nodeOf(services, request), services.store) }),
    },
  ];
}

function withoutNode(): Answer {
  throw missing('node_ident');
}

function create(services: Services, request: ApiRequest): Answer {
  const { store, stamps, random, activity } = services;
  const given = parseNewNode(request.body, request.minor);
  const wanted = given['uuid'];
  const uuid = typeof wanted === 'string' ? wanted.toLowerCase() : randomUuid(random);
  const node = createRecord(store.takeId(), given, uuid, stamps);
  store.insert(node);
  activity.record(node, 'create', null, 'enroll', 'request');
  activity.observe(node);
  return {
    status: 201,
    body: renderNode(node, renderingFor(services, request)),
    location: `${request.baseUrl}/v1/nodes/${uuid}`,
  };
}

function isDetailed({ query, minor }: ApiRequest): boolean {
  const text = query.get('detail');
  if (text === null) return false;
  if (minor < 43) throw badRequest(`Invalid query parameter ?detail=${plainText(flag('detail', text))} received.`);
  const detail = flag('detail', text);
  if (detail && query.has('fields')) throw badRequest('Can not specify ?detail=True and fields in the same request.');
  return detail;
}

function list(services: Services, request: ApiRequest, detail: boolean): Answer {
  const { query, minor, baseUrl } = request;
  const test = parseFilters(query, minor, services.host);
  const page = parsePage(query, services.maxLimit);
  const nodes = services.store.nodes();
  checkSortKey(page.sortKey, Object.keys(nodes[0]?.fields ?? { [page.sortKey]: null }), minor);
  if (page.marker !== null) page.marker = services.store.find(page.marker).fields.uuid;
  const asked = fieldsOf(query);
  if (asked) {
    requireVersion(minor, 8);
    // In lists the real server lets the database stumble over a name that it does not know.
    checkFields(asked, minor, (field) => serverError(`type object 'Node' has no attribute '${field}'`));
  }
  const fields = detail ? undefined : (asked ?? listFields);
  const context = renderingFor(services, request);
  const chosen = pageOf(nodes.filter(test), page, (node) => ({
    id: node.id,
    uuid: node.fields.uuid,
    key: page.sortKey === 'id' ? node.id : (node.fields[page.sortKey] ?? null),
  }));
  const rendered = chosen.map((node) => renderNode(node, context, fields));
  const uuids = chosen.map((node) => ({ uuid: node.fields.uuid }));
  const shown: Record<string, string> = fields ? { fields: fields.join(',') } : { detail: 'True' };
  // The link forgets what the list was filtered by, and of an instance there is only one node.
  const next = query.has('instance_uuid') ? {} : nextLink(`${baseUrl}/v1/nodes`, page, uuids, shown);
  return { status: 200, body: { nodes: rendered, ...next } };
}

function read(services: Services, request: ApiRequest): Answer {
  refuseUnknown(request.query.keys(), ['fields']);
  const fields = fieldsOf(request.query);
  if (fields) checkFields(fields, request.minor);
  return { status: 200, body: renderNode(nodeOf(services, request), renderingFor(services, request), fields) };
}

async function patch(services: Services, request: ApiRequest): Promise<Answer> {
  const node = nodeOf(services, request);
  const operations = parsePatch(request.body);
  const ident = request.params['node'] ?? '';
  checkPatch(node, operations, ident, request.minor);
  return services.locks.with(node, () => {
    checkPatch(node, operations, ident, request.minor);
    patchNode(node, operations, services.store, services.activity);
    const body = renderNode(node, renderingFor(services, request));
    // The answer is written while the update still holds the node.
    return { status: 200, body: { ...body, reservation: services.host } };
  });
}

async function remove(services: Services, request: ApiRequest): Promise<Answer> {
  const node = nodeOf(services, request);
  return services.locks.with(node, () => {
    const { uuid, instance_uuid, maintenance, provision_state } = node.fields;
    if (node.fields.protected) throw protectedNode(uuid);
    if (!maintenance && instance_uuid !== null) {
      throw conflict(`Node ${uuid} is associated with instance ${instance_uuid}.`);
    }
    if (!maintenance && !deletableStates.includes(provision_state)) {
      const allowed = deletableStates.map((state) => `'${state}'`).join(', ');
      throw conflict(
        `Can not delete node "${uuid}" while it is in provision state "${provision_state}". Valid provision states ` +
          `to perform deletion are: "(${allowed})", or set the node into maintenance mode`,
      );
    }
    services.activity.record(node, 'delete', provision_state, null, 'request');
    services.conductor.forget(node);
    services.store.delete(node);
    return { status: 204 };
  });
}
