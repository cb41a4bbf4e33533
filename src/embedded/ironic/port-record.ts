import { badRequest, unexpectedMembers } from './api-error.js';
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
  ['physical_network', 'pxe_enabled', 'node_uuid', 'name', 'description', 'vendor', 'category'],
  ['available_for_dynamic_portgroup', 'links', 'portgroup_uuid'],
].flat();
const known = new Set(order);
export const portListFields = ['uuid', 'address'] as const;

const creatable = new Set([
  ...['address', 'extra', 'is_smartnic', 'local_link_connection', 'name', 'node_uuid', 'physical_network'],
  ...['portgroup_uuid', 'pxe_enabled', 'uuid', 'description', 'vendor', 'category'],
]);

const linkMembers = ['switch_id', 'port_id', 'switch_info', 'hostname', 'network_type'];

/** A MAC address in the canonical lower case, or 400. */
export function macAddress(value: Json | undefined): string {
  if (typeof value === 'string' && /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(value)) return value.toLowerCase();
  throw badRequest(`Expected valid MAC address for address: ${typeof value === 'string' ? value : pythonText(value)}`);
}

/** Checks the body of a new port; the node is looked up by the caller. */
export function parseNewPort(body: Json | undefined, minor: number): JsonObject & { address: string } {
  if (!isObject(body)) throw schemaError(`${pythonText(body)} is not of type 'object'`);
  const unknown = Object.keys(body).filter((field) => !creatable.has(field));
  if (unknown.length > 0) throw schemaError(unexpectedMembers(unknown));
  for (const field of Object.keys(body)) requireVersion(minor, portFieldSince(field));
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
  checkTypes(body);
  return { ...body, address: macAddress(body['address']) };
}

function checkTypes(body: JsonObject): void {
  const { address, local_link_connection: link } = body;
  if (typeof address !== 'string') throw schemaError(`${pythonText(address)} is not of type 'string'`);
  for (const field of ['extra', 'local_link_connection']) {
    const value = body[field] ?? null;
    if (value !== null && !isObject(value)) throw schemaError(`${pythonText(value)} is not of type 'object', 'null'`);
  }
  const unknown = Object.keys(isObject(link) ? link : {}).filter((key) => !linkMembers.includes(key));
  if (unknown.length > 0) {
    throw badRequest(
      `Schema error for local_link_connection: ${pythonText(link)} is not valid under any of the given schemas. ` +
        `Possible root cause: ${unexpectedMembers(unknown)}`,
    );
  }
}

function described({ description = null, vendor = null, category = null }: JsonObject): JsonObject {
  return { description, vendor, category };
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
      ...described(given),
      available_for_dynamic_portgroup: true,
      portgroup_uuid: null,
    },
  };
  return port;
}

export function checkPortFields(fields: readonly string[], minor: number): void {
  for (const field of fields) {
    if (!known.has(field)) throw badRequest(`Field(s) "${field}" are not valid`);
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
