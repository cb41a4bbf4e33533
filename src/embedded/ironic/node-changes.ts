import type { Activity } from './activity.js';
import { badRequest, conflict, serverError } from './api-error.js';
import { interfaceKinds } from './drivers.js';
import { applyPatch, patchedField, type PatchOperation } from './json-patch.js';
import { plainText, type JsonObject } from './json.js';
import { nodeFieldSince, requireVersion } from './microversion.js';
import { freshFields, type NodeFields, type NodeRecord } from './node-record.js';
import { checkNetworkData } from './network-data.js';
import { checkedFields, isNodeName, patchableFields, resolveInterfaces } from './node-schema.js';
import type { NodeStore } from './node-store.js';
import type { Stamps } from './stamps.js';
import { interfaceChangeable, patchableInTransition } from './state-table.js';

/** A record for a new node out of the checked fields of the request. */
export function createRecord(id: number, given: JsonObject, uuid: string, stamps: Stamps): NodeRecord {
  const fields: NodeFields = freshFields(uuid, plainText(given['driver']), stamps.next());
  for (const [field, value] of Object.entries(given)) {
    if (field !== 'uuid' && value !== null) fields[field] = value;
  }
  fields['conductor_group'] = plainText(fields['conductor_group'] ?? '').toLowerCase();
  resolveInterfaces(fields);
  return {
    id,
    fields,
    hardwarePower: fields.power_interface === 'fake' ? null : 'power off',
    work: null,
    powerWork: null,
    inspection: null,
    bios: {},
    firmware: [],
    media: [],
    subscriptions: [],
  };
}

/** Refusals of a patch that need no lock: names of fields, versions, the node's state. */
export function checkPatch(node: NodeRecord, patch: readonly PatchOperation[], ident: string, minor: number): void {
  for (const operation of patch) {
    const field = patchedField(operation);
    if (!patchableFields.includes(field)) {
      throw badRequest(
        `Cannot patch ${operation.path}. Only the following can be updated: ${patchableFields.join(', ')}`,
      );
    }
    requireVersion(minor, nodeFieldSince(field));
    checkPatchedValue(field, operation);
  }
  checkTransition(node, patch, ident, minor);
  const names = patch.filter((operation) => operation.path === '/name' && operation.op !== 'remove');
  for (const { value } of names) {
    if (value !== null && (typeof value !== 'string' || !isNodeName(value))) {
      throw badRequest(`Node ${ident}: Cannot change name to invalid name '${plainText(value)}'`);
    }
  }
}

function checkPatchedValue(field: string, { op, value }: PatchOperation): void {
  // The real server takes the value of each of these operations without asking whether there is one.
  if (field === 'automated_clean' && op === 'remove') throw serverError("'value'");
  if (field === 'maintenance' && op === 'remove') throw serverError("Field `maintenance' cannot be None");
  if (field === 'description' && typeof value === 'string' && value.length > 4096) {
    throw badRequest('Cannot update node with description exceeding 4096 characters');
  }
  if (field === 'network_data') checkNetworkData(value);
}

function checkTransition(node: NodeRecord, patch: readonly PatchOperation[], ident: string, minor: number): void {
  const { uuid, provision_state, target_provision_state, maintenance } = node.fields;
  const onlyInstance = patch.length === 1 && patch[0]?.op === 'remove' && patch[0].path === '/instance_uuid';
  if (maintenance && onlyInstance) return;
  if (target_provision_state !== null && !patchableInTransition.has(provision_state)) {
    throw conflict(`Node ${ident} can not be updated while a state transition is in progress.`);
  }
  if (provision_state === 'inspecting' && minor >= 39) {
    throw conflict(`Cannot update node "${uuid}" while it is in state "inspecting".`);
  }
}

/** Applies a checked patch to a node that nobody holds. All or nothing. */
export function patchNode(
  node: NodeRecord,
  patch: readonly PatchOperation[],
  store: NodeStore,
  activity: Activity,
): void {
  const before = node.fields;
  const touched = new Set(patch.map(patchedField));
  if (patch.some(({ op, path }) => op === 'remove' && path === '/driver')) {
    throw badRequest("Schema error for patch: 'driver' is a required property");
  }
  const patched = applyPatch(Object.fromEntries(patchableFields.map((field) => [field, before[field] ?? null])), patch);
  const changed = checkedFields(
    Object.fromEntries([...touched].map((field) => [field, patched[field] ?? null])),
    'patch',
  );
  const fields = withDefaults({ ...before, ...changed }, before);
  checkInterfaces(before, fields);
  checkProtection(before, fields);
  checkInstance(before, fields, store);
  const { name } = fields;
  store.rename(node, name);
  if (!fields['retired']) fields['retired_reason'] = null;
  if (!fields.protected) fields['protected_reason'] = null;
  if (before.maintenance && !fields.maintenance) Object.assign(fields, { maintenance_reason: null, fault: null });
  node.fields = { ...fields, name };
  activity.observe(node);
  store.save(node);
}

/** Flags that are simply unset when they are removed. */
const emptied: ReadonlySet<string> = new Set(['disable_power_off', 'retired']);

/** What a removed field goes back to, and interfaces by the driver. */
function withDefaults(fields: NodeFields, before: NodeFields): NodeFields {
  const fresh = freshFields(before.uuid, before.driver, before.created_at);
  for (const field of patchableFields) {
    if (fields[field] === null && fresh[field] !== undefined && !emptied.has(field)) fields[field] = fresh[field];
  }
  fields['conductor_group'] = plainText(fields['conductor_group'] ?? '').toLowerCase();
  resolveInterfaces(fields);
  return fields;
}

function checkInterfaces(before: NodeFields, after: NodeFields): void {
  const field = interfaceKinds.map((kind) => `${kind}_interface`).find((name) => before[name] !== after[name]);
  if (field === undefined || before.maintenance || interfaceChangeable.has(before.provision_state)) return;
  throw conflict(
    `Node ${before.uuid} can not have ${field} updated unless it is in one of allowed ` +
      '(enroll, inspecting, inspect wait, manageable, available) states or in maintenance mode. ' +
      `Current state is '${before.provision_state}'.`,
  );
}

function checkProtection(before: NodeFields, after: NodeFields): void {
  const { uuid, provision_state } = before;
  if (!after.protected || before.protected || provision_state === 'active') return;
  throw conflict(
    `Node ${uuid} can only be made protected in provision states 'active' or 'rescue', the current state is ` +
      `'${provision_state}'`,
  );
}

function checkInstance(before: NodeFields, after: NodeFields, store: NodeStore): void {
  if (after.instance_uuid === before.instance_uuid || after.instance_uuid === null) return;
  if (before.instance_uuid !== null) {
    throw conflict(`Node ${before.uuid} is associated with instance ${before.instance_uuid}.`);
  }
  store.requireUniqueInstance(after.instance_uuid, before.uuid);
}
