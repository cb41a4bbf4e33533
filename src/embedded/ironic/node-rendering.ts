import { badRequest } from './api-error.js';
import { isObject, type Json, type JsonObject } from './json.js';
import { nodeFieldSince, requireVersion } from './microversion.js';
import type { NodeRecord } from './node-record.js';

/** What a rendering depends on besides the node itself. */
export interface RenderingContext {
  /** Root of the API without `/v1`, for links. */
  baseUrl: string;
  minor: number;
  conductor: string;
  healthOf: (node: NodeRecord) => string | null;
}

const fieldOrder = [
  ['uuid', 'created_at', 'updated_at', 'automated_clean', 'bios_interface', 'boot_interface', 'boot_mode'],
  ['clean_step', 'conductor_group', 'console_enabled', 'console_interface', 'disable_power_off', 'deploy_interface'],
  ['deploy_step', 'description', 'driver', 'driver_info', 'driver_internal_info', 'extra', 'fault'],
  ['firmware_interface', 'health', 'inspection_finished_at', 'inspection_started_at', 'inspect_interface'],
  ['instance_info', 'instance_name', 'instance_uuid', 'last_error', 'lessee', 'maintenance', 'maintenance_reason'],
  ['management_interface', 'name', 'network_data', 'network_interface', 'owner', 'parent_node', 'power_interface'],
  ['power_state', 'properties', 'protected', 'protected_reason', 'provision_state', 'provision_updated_at'],
  ['raid_config', 'raid_interface', 'rescue_interface', 'reservation', 'resource_class', 'retired', 'retired_reason'],
  ['secure_boot', 'service_step', 'shard', 'storage_interface', 'target_power_state', 'target_provision_state'],
  ['target_raid_config', 'traits', 'vendor_interface', 'links', 'conductor', 'allocation_uuid', 'chassis_uuid'],
  ['ports', 'states', 'portgroups', 'volume'],
].flat();
const known = new Set(fieldOrder);
const subresources = new Set(['ports', 'states', 'portgroups', 'volume']);

/** Fields of a list that asks for nothing in particular. */
export const listFields = ['instance_uuid', 'maintenance', 'power_state', 'provision_state', 'uuid', 'name'] as const;

/** Checks names given in `?fields=`: unknown ones are 400, too new ones 406. */
export function checkFields(
  fields: readonly string[],
  minor: number,
  unknown = (field: string) => badRequest(`Field ${field} is not a valid field.`),
): void {
  for (const field of fields) {
    if (!known.has(field) || subresources.has(field)) throw unknown(field);
    requireVersion(minor, nodeFieldSince(field));
  }
}

/** A node as the API shows it: all fields of the version, or the asked ones in the asked order; secrets masked. */
export function renderNode(node: NodeRecord, context: RenderingContext, fields?: readonly string[]): JsonObject {
  const wanted = fields ? [...fields.filter((field) => field !== 'links'), 'links'] : fieldOrder;
  const rendered: JsonObject = {};
  for (const field of wanted) {
    if (nodeFieldSince(field) <= context.minor) rendered[field] = fieldOf(node, field, context);
  }
  return rendered;
}

function fieldOf(node: NodeRecord, field: string, context: RenderingContext): Json {
  if (field === 'links') return links(context.baseUrl, `nodes/${node.fields.uuid}`);
  if (subresources.has(field)) return links(context.baseUrl, `nodes/${node.fields.uuid}/${field}`);
  const special = Object.hasOwn(specialFields, field) ? specialFields[field] : undefined;
  return special ? special(node, context) : (node.fields[field] ?? null);
}

/** Fields that are not shown as they are kept. */
const specialFields: Readonly<Record<string, (node: NodeRecord, context: RenderingContext) => Json>> = {
  conductor: (_node, { conductor }) => conductor,
  health: (node, { healthOf }) => healthOf(node),
  driver_info: ({ fields }) => masked(fields.driver_info),
  driver_internal_info: ({ fields }) => masked(fields.driver_internal_info),
  instance_info: ({ fields }) => maskedInstance(fields.instance_info),
  // The state `available` came with version 1.2; before, such a node had none.
  provision_state: ({ fields: { provision_state } }, { minor }) =>
    provision_state === 'available' && minor < 2 ? null : provision_state,
};

export function links(baseUrl: string, path: string): Json[] {
  return [
    { href: `${baseUrl}/v1/${path}`, rel: 'self' },
    { href: `${baseUrl}/${path}`, rel: 'bookmark' },
  ];
}

const secretKey = /pass(word|wd|phrase)?$|secret|token|auth_key|private_key/i;
const mask = '******';

function masked(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      if (secretKey.test(key)) return [key, mask];
      return [key, isObject(value) ? masked(value) : value];
    }),
  );
}

function maskedInstance(values: JsonObject): JsonObject {
  const result = masked(values);
  for (const key of ['configdrive', 'image_url']) if (key in result) result[key] = mask;
  return result;
}
