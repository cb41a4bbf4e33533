/** What the API server stores: plain JSON, never changed in place once stored, so that versions may share structure. */

export type Dict = Record<string, unknown>;

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** One manager's share of an object; `fieldsV1` is a field set (see write/field-sets.ts). */
export interface ManagedFieldsEntry {
  manager: string;
  operation: 'Apply' | 'Update';
  apiVersion: string;
  time?: string;
  fieldsType: 'FieldsV1';
  fieldsV1: Dict;
  subresource?: string;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  generateName?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  finalizers?: string[];
  ownerReferences?: OwnerReference[];
  managedFields?: ManagedFieldsEntry[];
}

export interface KubeObject extends Dict {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

export function isDict(value: unknown): value is Dict {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `value` when it is an object, else an empty one. */
export function dictOf(value: unknown): Dict {
  return isDict(value) ? value : {};
}

export function omit<T extends Dict>(value: T, ...keys: string[]): T {
  const copy = { ...value };
  for (const key of keys) delete copy[key];
  return copy;
}

function sameArray(a: unknown[], b: unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => deepEqual(item, b[i]));
}

function sameDict(a: Dict, b: Dict): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && deepEqual(a[key], b[key]));
}

/** Equality of JSON values; the order of keys does not count. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && sameArray(a, b);
  return isDict(a) && isDict(b) && sameDict(a, b);
}

const COLLECTIONS = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'managedFields'] as const;

/** Metadata as it is kept: an empty map or list is the same as none. Returns the same one when there is nothing to drop. */
export function tidyMetadata<T extends Partial<ObjectMeta>>(metadata: T): T {
  const empty = COLLECTIONS.filter(
    (key) => metadata[key] !== undefined && Object.keys(metadata[key] ?? {}).length === 0,
  );
  if (empty.length === 0) return metadata;
  const tidy = { ...metadata };
  for (const key of empty) delete tidy[key];
  return tidy;
}
