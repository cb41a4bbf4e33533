import { badRequest, conflict, invalidState } from './api-error.js';
import { requireInterface } from './drivers.js';
import { isObject, plainText, pythonText, type Json, type JsonObject } from './json.js';
import { requireResource, requireVersion, nodeFieldSince } from './microversion.js';
import type { NodeRecord } from './node-record.js';
import { isPowerTarget, isSoft, type PowerTarget } from './power.js';
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
        const reason = isObject(request.body) ? (request.body['reason'] ?? null) : null;
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
  if (!isObject(body) || !('target' in body)) throw badRequest('Missing mandatory parameter: target');
  const timeout = body['timeout'] ?? null;
  if (timeout !== null && !/^-?\d+$/.test(pythonText(timeout))) {
    throw badRequest(`Expected an integer for timeout: ${pythonText(timeout)}`);
  }
  return { target: body['target'] ?? null, timeout: timeout === null ? null : Number(timeout) };
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

const raidLevels = ['JBOD', '0', '1', '2', '5', '6', '1+0', '5+0', '6+0'];

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

function checkRaid(config: JsonObject): void {
  const fail = (text: string) => badRequest(`RAID config validation error: ${text}`);
  const extra = Object.keys(config).find((key) => key !== 'logical_disks');
  if (extra !== undefined) throw fail(`Additional properties are not allowed ('${extra}' was unexpected)`);
  const disks = config['logical_disks'];
  if (!Array.isArray(disks)) throw fail(`${pythonText(disks)} is not of type 'array'`);
  if (disks.length === 0) throw fail('[] should be non-empty');
  const problem = disks.map(diskProblem).find((text) => text !== null);
  if (problem) throw fail(problem);
}

function diskProblem(disk: Json): string | null {
  if (!isObject(disk)) return `${pythonText(disk)} is not of type 'object'`;
  const missing = ['raid_level', 'size_gb'].find((required) => !(required in disk));
  if (missing !== undefined) return `'${missing}' is a required property`;
  const { raid_level: level, size_gb: size } = disk;
  if (!(raidLevels as readonly unknown[]).includes(level)) {
    return `${pythonText(level)} is not one of ${pythonText(raidLevels)}`;
  }
  const sized = size === 'MAX' || (typeof size === 'number' && Number.isInteger(size) && size > 0);
  return sized ? null : `${pythonText(size)} is not valid under any of the given schemas`;
}

async function bootMode(services: Services, request: ApiRequest): Promise<Answer> {
  requireResource(request.minor, 76);
  const node = nodeOf(services, request);
  const target = isObject(request.body) ? request.body['target'] : undefined;
  if (target !== 'uefi' && target !== 'bios') throw badRequest(`Invalid boot mode ${pythonText(target)} requested`);
  return store(services, request, node, { boot_mode: target });
}

async function secureBoot(services: Services, request: ApiRequest): Promise<Answer> {
  requireResource(request.minor, 76);
  const node = nodeOf(services, request);
  const target = isObject(request.body) ? request.body['target'] : undefined;
  if (typeof target !== 'boolean') throw badRequest(`Invalid secure boot state ${pythonText(target)} requested`);
  return store(services, request, node, { secure_boot: target });
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
