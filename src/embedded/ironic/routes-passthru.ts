import { badRequest, clientError, missing } from './api-error.js';
import { isRedfish } from './drivers.js';
import { isObject, plainText, type JsonObject } from './json.js';
import type { NodeRecord } from './node-record.js';
import type { Answer, ApiRequest, Route } from './router.js';
import { nodeOf } from './routes-nodes.js';
import type { Services } from './services.js';
import { randomUuid } from './stamps.js';

type Method = (services: Services, node: NodeRecord, body: JsonObject) => Answer;

/** Methods of the Redfish vendor interface, by name, each with the HTTP method that it takes. */
const methods: Readonly<Record<string, { http: string; run: Method }>> = {
  create_subscription: { http: 'POST', run: createSubscription },
  delete_subscription: { http: 'DELETE', run: deleteSubscription },
  get_subscription: {
    http: 'GET',
    run: (_services, node, body) => ({ status: 200, body: subscription(node, plainText(body['id'] ?? '')) }),
  },
  get_all_subscriptions: {
    http: 'GET',
    run: (_services, node) => ({
      status: 200,
      body: {
        '@odata.type': '#EventDestinationCollection.EventDestinationCollection',
        Members: node.subscriptions.map((each) => ({
          '@odata.id': `/redfish/v1/EventService/Subscriptions/${plainText(each['Id'])}`,
        })),
        'Members@odata.count': node.subscriptions.length,
        Name: 'Event Subscriptions Collection',
      },
    }),
  },
};

/** Vendor methods: subscriptions to the events of a controller. */
export function passthruRoutes(services: Services): Route[] {
  const template = '/v1/nodes/{node}/vendor_passthru';
  const calls = ['POST', 'DELETE', 'GET', 'PUT'].map((method) => ({
    method,
    template,
    handle: (request: ApiRequest) => call(services, request),
  }));
  return [
    ...calls,
    { method: 'GET', template: `${template}/methods`, handle: (request) => listed(nodeOf(services, request)) },
  ];
}

/** What the vendor interface can do. */
function listed(node: NodeRecord): Answer {
  if (!hasVendor(node)) return { status: 200, body: {} };
  const entries = Object.entries({ ...methods, eject_vmedia: { http: 'POST' } }).map(([name, { http }]) => [
    name,
    {
      async: false,
      attach: false,
      description: `The method ${name}.`,
      http_methods: [http],
      require_exclusive_lock: http !== 'GET',
    },
  ]);
  return { status: 200, body: Object.fromEntries(entries) as JsonObject };
}

function hasVendor({ fields }: NodeRecord): boolean {
  return isRedfish(fields.driver) && fields.vendor_interface !== 'no-vendor';
}

function call(services: Services, request: ApiRequest): Answer {
  const node = nodeOf(services, request);
  const name = request.query.get('method');
  if (name === null || name === '') throw missing('method');
  const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
  if (!method || !hasVendor(node)) {
    throw badRequest(`No handler for method ${name}`);
  }
  if (method.http !== request.method) {
    throw badRequest(`The method ${name} does not support HTTP ${request.method}`);
  }
  const body = isObject(request.body) ? request.body : { id: request.query.get('id') };
  return method.run(services, node, body);
}

function createSubscription(services: Services, node: NodeRecord, body: JsonObject): Answer {
  if (typeof body['Destination'] !== 'string')
    throw badRequest(`Destination ${plainText(body['Destination'])} is not a valid URI`);
  const id = randomUuid(services.random);
  const created: JsonObject = {
    Id: id,
    Context: body['Context'] ?? '',
    Destination: body['Destination'],
    EventTypes: body['EventTypes'] ?? ['Alert'],
    Protocol: body['Protocol'] ?? 'Redfish',
  };
  node.subscriptions.push(created);
  services.store.save(node);
  return { status: 200, body: created };
}

function deleteSubscription(services: Services, node: NodeRecord, body: JsonObject): Answer {
  const id = body['id'];
  if (typeof id !== 'string' || id === '') throw badRequest("id can't be None");
  subscription(node, id);
  node.subscriptions = node.subscriptions.filter((each) => each['Id'] !== id);
  services.store.save(node);
  return { status: 200 };
}

function subscription(node: NodeRecord, id: string): JsonObject {
  const found = node.subscriptions.find((each) => each['Id'] === id);
  if (found) return found;
  throw clientError(
    404,
    `Redfish exception occurred. Error: Redfish delete_subscription failed for subscription ${id} on node ` +
      `${node.fields.uuid}. Error: Resource /redfish/v1/EventService/Subscriptions/${id} not found`,
  );
}
