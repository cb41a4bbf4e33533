import { badRequest } from './api-error.js';
import { isObject, plainText, pythonText, type Json, type JsonObject } from './json.js';
import { portFieldSince, requireVersion } from './microversion.js';
import { links } from './node-rendering.js';
import { flag } from './node-schema.js';
import { isUuid } from './stamps.js';

export interface PortFields extends JsonObject {
  uuid: string;
  created_at: string;
  updated_at: string | null;
  address: string;
  pxe_enabled: boolean;
  node_uuid: string;
  name: string | null;
}

export interface PortRecord {
  fields: PortFields;
}

const order = [
  ['uuid', 'created_at', 'updated_at', 'address', 'extra', 'internal_info', 'is_smartnic', 'local_link_connection'],
  ['physical_network', 'pxe_enabled', 'node_uuid', 'name', 'links', 'portgroup_uuid'],
].flat();
const known = new Set(order);
export const portListFields = ['uuid', 'address'] as const;

const creatable = new Set([
  ...['address', 'extra', 'is_smartnic', 'local_link_connection', 'name', 'node_uuid', 'physical_network'],
  ...['portgroup_uuid', 'pxe_enabled', 'uuid', 'description', 'vendor', 'category'],
]);

/** A MAC address in the canonical lower case, or 400. */
export function macAddress(value: Json | undefined): string {
  if (typeof value === 'string' && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value)) return value.toLowerCase();
  throw badRequest(`Expected valid MAC address for address: ${typeof value === 'string' ? value : pythonText(value)}`);
}

/** Checks the body of a new port; the node is looked up by the caller. */
export function parseNewPort(body: Json | undefined, minor: number): JsonObject & { address: string } {
  if (!isObject(body)) throw schemaError(`${pythonText(body)} is not of type 'object'`);
  for (const field of Object.keys(body)) {
    if (!creatable.has(field)) throw schemaError(`Additional properties are not allowed ('${field}' was unexpected)`);
    requireVersion(minor, portFieldSince(field));
  }
  if (!('address' in body)) throw schemaError("'address' is a required property");
  if (!('node_uuid' in body)) {
    throw schemaError(
      `${pythonText(body)} is not valid under any of the given schemas. ` +
        "Possible root cause: 'node_ident' is a required property",
    );
  }
  for (const field of ['node_uuid', 'uuid'] as const) {
    if (field in body && !isUuid(body[field]))
      throw badRequest(`Expected UUID for ${field}: ${plainText(body[field])}`);
  }
  return { ...body, address: macAddress(body['address']) };
}

export function newPort(given: JsonObject & { address: string }, nodeUuid: string, uuid: string, created: string) {
  const pxe = given['pxe_enabled'];
  const port: PortRecord = {
    fields: {
      uuid,
      created_at: created,
      updated_at: null,
      address: given.address,
      extra: given['extra'] ?? {},
      internal_info: {},
      is_smartnic: given['is_smartnic'] ?? false,
      local_link_connection: given['local_link_connection'] ?? {},
      physical_network: given['physical_network'] ?? null,
      pxe_enabled: pxe === undefined || pxe === null ? true : flag('pxe_enabled', pxe),
      node_uuid: nodeUuid,
      name: typeof given['name'] === 'string' ? given['name'] : null,
      portgroup_uuid: null,
    },
  };
  return port;
}

export function checkPortFields(fields: readonly string[], minor: number): void {
  for (const field of fields) {
    if (!known.has(field)) throw badRequest(`Field ${field} is not a valid field.`);
    requireVersion(minor, portFieldSince(field));
  }
}

export function renderPort(port: PortRecord, baseUrl: string, minor: number, fields?: readonly string[]): JsonObject {
  const wanted = fields ? [...fields.filter((field) => field !== 'links'), 'links'] : order;
  const rendered: JsonObject = {};
  for (const field of wanted) {
    if (portFieldSince(field) > minor) continue;
    rendered[field] = field === 'links' ? links(baseUrl, `ports/${port.fields.uuid}`) : (port.fields[field] ?? null);
  }
  return rendered;
}

function schemaError(text: string) {
  return badRequest(`Schema error for port: ${text}`);
}
