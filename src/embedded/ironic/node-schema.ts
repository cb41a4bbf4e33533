import { badRequest, clientError, unexpectedMembers } from './api-error.js';
import { chosenInterface, driverNamed, interfaceKinds } from './drivers.js';
import { isObject, plainText, pythonText, type Json, type JsonObject } from './json.js';
import { nodeFieldSince, requireVersion } from './microversion.js';
import { checkNewNetworkData } from './network-data.js';
import type { NodeFields } from './node-record.js';
import { isUuid } from './stamps.js';

type Kind = 'string' | 'object' | 'flag';

/** Fields that a client may give when it enrolls a node, with their types; each but `driver` may be null. */
const creatable: Readonly<Record<string, Kind>> = {
  automated_clean: 'flag',
  chassis_uuid: 'string',
  conductor_group: 'string',
  description: 'string',
  disable_power_off: 'flag',
  driver: 'string',
  driver_info: 'object',
  extra: 'object',
  instance_info: 'object',
  instance_name: 'string',
  instance_uuid: 'string',
  lessee: 'string',
  maintenance: 'flag',
  name: 'string',
  network_data: 'object',
  owner: 'string',
  parent_node: 'string',
  properties: 'object',
  resource_class: 'string',
  retired: 'flag',
  retired_reason: 'string',
  shard: 'string',
  uuid: 'string',
  ...Object.fromEntries(interfaceKinds.map((kind) => [`${kind}_interface`, 'string' as const])),
};

const longest: Readonly<Record<string, number>> = { resource_class: 80, description: 4096, parent_node: 36 };

/** Fields that a patch may touch, in the order in which Ironic lists them. */
export const patchableFields: readonly string[] = [
  'automated_clean',
  'bios_interface',
  'boot_interface',
  'chassis_uuid',
  'conductor_group',
  'console_interface',
  'deploy_interface',
  'description',
  'disable_power_off',
  'driver',
  'driver_info',
  'extra',
  'inspect_interface',
  'instance_info',
  'instance_name',
  'instance_uuid',
  'lessee',
  'maintenance',
  'management_interface',
  'name',
  'network_data',
  'network_interface',
  'owner',
  'power_interface',
  'properties',
  'protected',
  'protected_reason',
  'raid_interface',
  'rescue_interface',
  'resource_class',
  'retired',
  'retired_reason',
  'shard',
  'storage_interface',
  'vendor_interface',
  'parent_node',
  'firmware_interface',
];

/** Checks the body of a new node; answers with its fields, flags turned into booleans. */
export function parseNewNode(given: Json | undefined, minor: number): JsonObject {
  const body = given ?? {};
  if (!isObject(body)) throw schemaError(`${pythonText(body)} is not of type 'object'`);
  for (const field of Object.keys(body)) requireVersion(minor, nodeFieldSince(field));
  if (!('driver' in body)) throw schemaError("'driver' is a required property");
  const unknown = Object.keys(body).filter((field) => !Object.hasOwn(creatable, field));
  if (unknown.length > 0) throw schemaError(unexpectedMembers(unknown));
  const fields = checkedFields(body, 'node');
  checkNewNetworkData(fields['network_data']);
  if (typeof fields['owner'] === 'string') {
    throw badRequest('Cannot create a node as a project scoped admin with an owner other than your own project.');
  }
  driverNamed(plainText(fields['driver']), plainText(fields['conductor_group'] ?? ''));
  requireUsableName(fields['name']);
  return fields;
}

const reserved = ['maintenance', 'management', 'states', 'vendor_passthru', 'detail', 'validate'];

/** Refuses what cannot be a name, or stands for something else in paths. */
function requireUsableName(name: Json | undefined): void {
  if (typeof name !== 'string') return;
  if (reserved.includes(name)) {
    throw badRequest(
      `The word "${name}" is reserved and can not be used as a node name. Reserved words are: ${reserved.join(', ')}.`,
    );
  }
  if (!isNodeName(name)) throw badRequest(`Cannot create node with invalid name ${pythonText(name)}`);
}

/** Types, lengths and formats of all given fields; `of` says in a refusal what they were given in. */
export function checkedFields(fields: JsonObject, of: 'node' | 'patch'): JsonObject {
  const kinds: Readonly<Record<string, Kind>> = { ...creatable, protected: 'flag', protected_reason: 'string' };
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, checked(field, kinds[field] ?? 'object', value, of)]),
  );
}

function checked(field: string, kind: Kind, value: Json, of: string): Json {
  if (value === null && field !== 'driver') return null;
  if (kind === 'flag') return checkedFlag(field, value, of);
  const right = kind === 'object' ? isObject(value) : typeof value === 'string';
  if (!right) {
    throw schemaError(`${pythonText(value)} is not of type '${kind}'${field === 'driver' ? '' : ", 'null'"}`, of);
  }
  if (typeof value === 'string') checkText(field, value, of);
  return value;
}

function checkedFlag(field: string, value: Json, of: string): boolean {
  if (typeof value === 'boolean' || typeof value === 'string') return flag(field, value);
  throw schemaError(`${pythonText(value)} is not of type 'string', 'boolean', 'null'`, of);
}

function checkText(field: string, text: string, of: string): void {
  if (text.length > (longest[field] ?? Infinity)) throw schemaError(`${pythonText(text)} is too long`, of);
  const isReference = field === 'uuid' || field === 'instance_uuid' || field === 'chassis_uuid';
  if (isReference && !isUuid(text)) throw badRequest(`Expected UUID for ${field}: ${text}`);
}

const spellings: Readonly<Record<string, boolean>> = {
  '0': false,
  '1': true,
  f: false,
  false: false,
  n: false,
  no: false,
  off: false,
  on: true,
  t: true,
  true: true,
  y: true,
  yes: true,
};

/** A boolean in any of the spellings that Ironic takes. */
export function flag(field: string, value: Json): boolean {
  if (typeof value === 'boolean') return value;
  const spelled = typeof value === 'string' ? value.trim().toLowerCase() : '';
  const known = Object.hasOwn(spellings, spelled) ? spellings[spelled] : undefined;
  if (known !== undefined) return known;
  throw badRequest(
    `Invalid ${field}: Unrecognized value ${pythonText(value)}, acceptable values are: ` +
      Object.keys(spellings)
        .map((text) => `'${text}'`)
        .join(', '),
  );
}

export function isNodeName(name: string): boolean {
  return !isUuid(name) && name.length <= 255 && /^[\w.~-]+$/.test(name);
}

/** Fills in or checks the interfaces of a node for its driver. */
export function resolveInterfaces(fields: NodeFields): void {
  for (const kind of interfaceKinds) {
    const field = `${kind}_interface`;
    const wanted = fields[field];
    fields[field] = chosenInterface(fields.driver, kind, typeof wanted === 'string' && wanted !== '' ? wanted : null);
  }
}

function schemaError(text: string, of = 'node') {
  return clientError(400, `Schema error for ${of}: ${text}`);
}
