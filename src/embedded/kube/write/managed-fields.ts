import { apiVersionOf, type ResourceKind } from '../kinds/resource-kind.js';
import { dictOf, type Dict, type KubeObject, type ManagedFieldsEntry } from '../object.js';
import { compareFields, fieldsOf, subtract, union, type FieldChanges, type FieldSet } from './field-sets.js';

export interface Manager {
  name: string;
  operation: 'Apply' | 'Update';
  subresource: string;
}

/** Metadata that managers own; the rest is the server's. */
const OWNED_METADATA = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'generateName'];

/** The part of an object that managers own. */
export function ownable(object: Dict): Dict {
  const owned: Dict = {};
  for (const [key, value] of Object.entries(object)) {
    if (key !== 'apiVersion' && key !== 'kind' && key !== 'metadata') owned[key] = value;
  }
  const metadata: Dict = {};
  const given = dictOf(object['metadata']);
  for (const key of OWNED_METADATA) if (given[key] !== undefined) metadata[key] = given[key];
  if (Object.keys(metadata).length > 0) owned['metadata'] = metadata;
  return owned;
}

/** The root and `metadata` are never fields of their own. */
function stripRoot(set: FieldSet | undefined): FieldSet | undefined {
  if (!set) return undefined;
  const { '.': _, ...rest } = set;
  const metadata = rest['f:metadata'];
  if (metadata) {
    const { '.': _own, ...below } = metadata;
    if (Object.keys(below).length > 0) rest['f:metadata'] = below;
    else delete rest['f:metadata'];
  }
  return Object.keys(rest).length > 0 ? rest : undefined;
}

export function changesBetween(kind: ResourceKind, old: Dict | undefined, next: Dict): FieldChanges {
  const { touched, removed } = compareFields(old ? ownable(old) : undefined, ownable(next), kind.schema);
  return { touched: stripRoot(touched), removed };
}

export function appliedSet(kind: ResourceKind, config: Dict): FieldSet | undefined {
  return stripRoot(fieldsOf(ownable(config), kind.schema, 'apply'));
}

export function sameManager(entry: ManagedFieldsEntry, manager: Manager, apiVersion: string): boolean {
  return (
    entry.manager === manager.name &&
    entry.operation === manager.operation &&
    (entry.subresource ?? '') === manager.subresource &&
    entry.apiVersion === apiVersion
  );
}

export function setOf(entry: ManagedFieldsEntry): FieldSet {
  return entry.fieldsV1 as FieldSet;
}

function entryOf(kind: ResourceKind, manager: Manager, set: FieldSet, time: string): ManagedFieldsEntry {
  return {
    apiVersion: apiVersionOf(kind),
    fieldsType: 'FieldsV1',
    fieldsV1: set,
    manager: manager.name,
    operation: manager.operation,
    ...(manager.subresource ? { subresource: manager.subresource } : {}),
    time,
  };
}

function withoutFields(entry: ManagedFieldsEntry, ...gone: (FieldSet | undefined)[]): ManagedFieldsEntry | undefined {
  let set: FieldSet | undefined = setOf(entry);
  for (const one of gone) if (set) set = subtract(set, one);
  if (!set || Object.keys(set).length === 0) return undefined;
  return set === setOf(entry) ? entry : { ...entry, fieldsV1: set };
}

function optional<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

function ordered(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  return entries.sort((a, b) => a.operation.localeCompare(b.operation) || (a.time ?? '').localeCompare(b.time ?? ''));
}

/**
 * The managers after a write that is no apply: what it touched is the writer's, what it removed is nobody's.
 */
export function afterUpdate(
  kind: ResourceKind,
  old: KubeObject | undefined,
  next: KubeObject,
  manager: Manager,
  time: string,
): ManagedFieldsEntry[] {
  const { touched, removed } = changesBetween(kind, old, next);
  const apiVersion = apiVersionOf(kind);
  const entries: ManagedFieldsEntry[] = [];
  let mine: ManagedFieldsEntry | undefined;
  for (const entry of old?.metadata.managedFields ?? []) {
    if (sameManager(entry, manager, apiVersion)) mine = withoutFields(entry, removed);
    else entries.push(...optional(withoutFields(entry, removed, touched)));
  }
  const set = union(mine && setOf(mine), touched);
  if (set) entries.push(touched || !mine ? entryOf(kind, manager, set, time) : mine);
  return ordered(entries);
}

/** The managers after an apply: exactly `set` is the applier's; with `taken`, others lose those fields. */
export function afterApply(
  kind: ResourceKind,
  old: KubeObject | undefined,
  set: FieldSet | undefined,
  changes: FieldChanges,
  manager: Manager,
  time: string,
): ManagedFieldsEntry[] {
  const apiVersion = apiVersionOf(kind);
  const before = old?.metadata.managedFields ?? [];
  const mine = before.find((entry) => sameManager(entry, manager, apiVersion));
  const others = before.filter((entry) => entry !== mine);
  const entries = others.flatMap((entry) => optional(withoutFields(entry, changes.removed, changes.touched)));
  const changed = changes.touched !== undefined || changes.removed !== undefined;
  const kept = mine && !changed && JSON.stringify(mine.fieldsV1) === JSON.stringify(set);
  if (kept) entries.push(mine);
  else if (set) entries.push(entryOf(kind, manager, set, time));
  return ordered(entries);
}
