import { badRequest, clientError, missing, refuseUnknown } from './api-error.js';
import { isObject, type JsonObject } from './json.js';
import type { Answer, ApiRequest, Route } from './router.js';
import type { Services } from './services.js';

/**
 * What an agent in a machine asks for. No agent of this server is one over HTTP, so that whoever asks is a stranger: a
 * machine that no node waits for, or without the right token.
 */
export function agentRoutes(services: Services): Route[] {
  return [
    { method: 'GET', template: '/v1/lookup', handle: lookUp },
    { method: 'POST', template: '/v1/heartbeat/{node}', handle: (request) => heartbeat(services, request) },
    { method: 'POST', template: '/v1/continue_inspection', handle: continueInspection },
  ];
}

const nobody = () => clientError(404, 'Resource could not be found.');

function lookUp({ query, minor }: ApiRequest): Answer {
  if (minor < 22) throw nobody();
  const macs = (query.get('addresses') ?? '').split(',').filter((mac) => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac));
  if (macs.length === 0 && !query.has('node_uuid')) {
    throw badRequest("At least one of 'addresses' and 'node_uuid' parameters is required");
  }
  throw nobody();
}

const beats = [
  'callback_url',
  'agent_version',
  'agent_token',
  'agent_verify_ca',
  'agent_status',
  'agent_status_message',
];

function heartbeat(services: Services, { params, body, minor }: ApiRequest): Answer {
  if (minor < 22) throw nobody();
  const given: JsonObject = isObject(body) ? body : {};
  refuseUnknown(Object.keys(given), beats);
  if (!('callback_url' in given)) throw missing('callback_url');
  services.store.find(params['node'] ?? '', minor);
  if (typeof given['agent_token'] !== 'string') throw badRequest('Agent token is required for heartbeat processing.');
  throw badRequest('Invalid or missing agent token received.');
}

function continueInspection({ body }: ApiRequest): Answer {
  const data: JsonObject = isObject(body) ? body : {};
  const required = (name: string) => badRequest(`Schema error for data: '${name}' is a required property`);
  const inventory = data['inventory'];
  if (!isObject(inventory)) throw required('inventory');
  if (!('interfaces' in inventory)) throw required('interfaces');
  throw nobody();
}
