import type { Activity } from './activity.js';
import { badRequest, conflict } from './api-error.js';
import { interfaceKinds } from './drivers.js';
import { applyPatch, patchedField, type PatchOperation } from './json-patch.js';
import { plainText, type JsonObject } from './json.js';
import { nodeFieldSince, requireVersion } from './microversion.js';
import { freshFields, type NodeFields, type NodeRecord } from './node-record.js';
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
  }
  checkTransition(node, patch, ident, minor);
  const names = patch.filter((operation) => operation.path === '/name' && operation.op !== 'remove');
  for (const { value } of names) {
    if (value !== null && (typeof value !== 'string' || !isNodeName(value))) {
      throw badRequest(`Node ${ident}: Cannot change name to invalid name '${plainText(value)}'`);
    }
  }
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
  const patched = applyPatch(Object.fromEntries(patchableFields.map((field) => [field, before[field] ?? null])), patch);
  const changed = checkedFields(Object.fromEntries([...touched].map((field) => [field, patched[field] ?? null])));
  const fields = withDefaults({ ...before, ...changed }, before);
  checkInterfaces(before, fields);
  checkInstance(before, fields, store);
  const { name } = fields;
  store.rename(node, name);
  if (before.maintenance && !fields.maintenance) Object.assign(fields, { maintenance_reason: null, fault: null });
  node.fields = { ...fields, name };
  activity.observe(node);
  store.save(node);
}

/** What a removed field goes back to, and interfaces by the driver. */
function withDefaults(fields: NodeFields, before: NodeFields): NodeFields {
  const fresh = freshFields(before.uuid, before.driver, before.created_at);
  for (const field of patchableFields) {
    if (fields[field] === null && fresh[field] !== undefined) fields[field] = fresh[field];
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

function checkInstance(before: NodeFields, after: NodeFields, store: NodeStore): void {
  if (after.instance_uuid === before.instance_uuid || after.instance_uuid === null) return;
  if (before.instance_uuid !== null) {
    throw conflict(`Node ${before.uuid} is associated with instance ${before.instance_uuid}.`);
  }
  store.requireUniqueInstance(after.instance_uuid, before.uuid);
}
