import { badRequest, clientError, conflict, invalidState, missing, refuseUnknown, unsupported } from './api-error.js';
import { requireInterface } from './drivers.js';
import { isObject, plainText, type Json, type JsonObject } from './json.js';
import { requireVersion, nodeFieldSince } from './microversion.js';
import { flag } from './node-schema.js';
import type { NodeRecord } from './node-record.js';
import { isPowerTarget, isSoft, type PowerTarget } from './power.js';
import { checkRaid } from './raid-schema.js';
import type { Answer, ApiRequest, Route } from './router.js';
import { nodeOf } from './routes-nodes.js';
import type { Services } from './services.js';

const stateFields = [
  ...['console_enabled', 'last_error', 'power_state', 'provision_state', 'target_power_state'],
  ...['target_provision_state', 'provision_updated_at', 'raid_config', 'target_raid_config', 'boot_mode'],
  'secure_boot',
];

/** Provision, power, RAID and boot states, and maintenance. */
export function stateRoutes(services: Services): Route[] {
  const states = '/v1/nodes/{node}/states';
  return [
    {
      method: 'GET',
      template: states,
      handle: (request) => {
        const { fields } = nodeOf(services, request);
        const shown = stateFields.filter((field) => nodeFieldSince(field) <= request.minor);
        return { status: 200, body: Object.fromEntries(shown.map((field) => [field, fields[field] ?? null])) };
      },
    },
    { method: 'PUT', template: `${states}/provision`, handle: (request) => provision(services, request) },
    { method: 'PUT', template: `${states}/power`, handle: (request) => power(services, request) },
    { method: 'PUT', template: `${states}/raid`, handle: (request) => raid(services, request) },
    { method: 'PUT', template: `${states}/boot_mode`, handle: (request) => bootMode(services, request) },
    { method: 'PUT', template: `${states}/secure_boot`, handle: (request) => secureBoot(services, request) },
    {
      method: 'PUT',
      template: '/v1/nodes/{node}/maintenance',
      handle: (request) => {
        const { reason = null, ...rest } = isObject(request.body) ? request.body : {};
        refuseUnknown(Object.keys(rest), []);
        requireText('reason', reason);
        return maintenance(services, request, { maintenance: true, maintenance_reason: reason });
      },
    },
    {
      method: 'DELETE',
      template: '/v1/nodes/{node}/maintenance',
      handle: (request) =>
        maintenance(services, request, { maintenance: false, maintenance_reason: null, fault: null }),
    },
  ];
}

function accepted(request: ApiRequest, node: NodeRecord): Answer {
  return { status: 202, location: `${request.baseUrl}/v1/nodes/${node.fields.uuid}/states` };
}

async function provision(services: Services, request: ApiRequest): Promise<Answer> {
  const node = nodeOf(services, request);
  await services.provision.request(node, request.body, request.minor);
  return accepted(request, node);
}

async function power(services: Services, request: ApiRequest): Promise<Answer> {
  const node = nodeOf(services, request);
  const { target, timeout } = parsePower(request.body);
  const soft = isPowerTarget(target) && isSoft(target);
  if (soft || timeout !== null) requireVersion(request.minor, 27);
  const ident = request.params['node'] ?? '';
  if (timeout !== null && timeout < 1) throw badRequest('timeout has to be positive integer');
  if (!isPowerTarget(target)) throw invalidState(plainText(target), ident, node.fields.power_state);
  checkPower(node, target, ident);
  await services.locks.with(node, () => {
    checkPower(node, target, ident);
    if (soft && !supportsSoftPower(services, node, target)) {
      throw badRequest(`The driver ${node.fields.driver} does not support the power state, ${target}`);
    }
    services.power.start(node, target);
  });
  return accepted(request, node);
}

function parsePower(body: Json | undefined): { target: Json; timeout: number | null } {
  if (!isObject(body) || !('target' in body)) throw missing('target');
  refuseUnknown(Object.keys(body), ['target', 'timeout']);
  requireText('target', body['target']);
  const timeout = body['timeout'] ?? null;
  if (timeout !== null && !/^-?\d+$/.test(plainText(timeout))) {
    throw badRequest(`Expected an integer for timeout: ${plainText(timeout)}`);
  }
  return { target: body['target'] ?? null, timeout: timeout === null ? null : Number(timeout) };
}

function requireText(name: string, value: Json | undefined): void {
  if (typeof value === 'string' || value === null || value === undefined) return;
  throw badRequest(`Expected string for ${name}: ${plainText(value)}`);
}

/** The power of a node that is being cleaned is not the client's to change. */
function checkPower(node: NodeRecord, target: PowerTarget, ident: string): void {
  const { provision_state, disable_power_off } = node.fields;
  if (provision_state === 'cleaning' || provision_state === 'clean wait') {
    throw invalidState(target, ident, provision_state);
  }
  if (disable_power_off && target.endsWith('off')) throw conflict(`Failed to set node power state to ${target}.`);
}

function supportsSoftPower(services: Services, node: NodeRecord, target: PowerTarget): boolean {
  return target !== 'soft power off' || services.faults.softPowerOffSupported(node);
}

async function raid(services: Services, request: ApiRequest): Promise<Answer> {
  requireVersion(request.minor, 12);
  const node = nodeOf(services, request);
  const config = isObject(request.body) ? request.body : {};
  return services.locks.with(node, () => {
    requireInterface(node.fields.driver, 'raid', node.fields.raid_interface);
    if (Object.keys(config).length > 0) checkRaid(config);
    node.fields.target_raid_config = config;
    services.store.save(node);
    return { status: 204 };
  });
}

function requireBootModes({ minor }: ApiRequest): void {
  if (minor < 76) throw clientError(404, 'This endpoint is supported starting with the API version 1.76');
}

async function bootMode(services: Services, request: ApiRequest): Promise<Answer> {
  requireBootModes(request);
  const node = nodeOf(services, request);
  const target = isObject(request.body) ? request.body['target'] : undefined;
  if (target !== 'uefi' && target !== 'bios') {
    throw badRequest(`Invalid boot mode ${plainText(target)} requested for node. Allowed boot modes are: bios, uefi`);
  }
  return setBoot(services, request, node, { boot_mode: target });
}

async function secureBoot(services: Services, request: ApiRequest): Promise<Answer> {
  requireBootModes(request);
  const node = nodeOf(services, request);
  const target = isObject(request.body) ? request.body['target'] : undefined;
  if (target === undefined) throw missing('target');
  return setBoot(services, request, node, { secure_boot: flag('target', target) });
}

/** Where there is nothing to set, it is told after the request has been taken. */
function setBoot(services: Services, request: ApiRequest, node: NodeRecord, change: JsonObject): Promise<Answer> {
  const { driver } = node.fields;
  if (driver !== 'fake-hardware') return store(services, request, node, change);
  const isMode = 'boot_mode' in change;
  const cause = unsupported(driver, isMode ? 'set_boot_mode' : 'set_secure_boot_state').message;
  // The quotation mark that is not there is missing in the real server's words.
  const what = isMode
    ? `boot mode to '${plainText(change['boot_mode'])}`
    : `secure_boot state to '${plainText(change['secure_boot'])}'`;
  return store(services, request, node, { last_error: `Failed to change ${what}: ${cause}` });
}

async function maintenance(services: Services, request: ApiRequest, change: JsonObject): Promise<Answer> {
  const node = nodeOf(services, request);
  const { status } = await store(services, request, node, change);
  return { status };
}

function store(services: Services, request: ApiRequest, node: NodeRecord, change: JsonObject): Promise<Answer> {
  return services.locks.with(node, () => {
    Object.assign(node.fields, change);
    services.store.save(node);
    return accepted(request, node);
  });
}
