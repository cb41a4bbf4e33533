/**
 * Sets of fields in the form of `metadata.managedFields[].fieldsV1`: `f:name` is a field, `k:{…}` an item of a map list, `v:…`
 * an item of a set; `.` says that the node itself belongs to the set, and so does a node with nothing below it.
 */
import { deepEqual, isDict, type Dict } from '../object.js';
import { childSchema, type Schema } from '../schema/schema.js';

export type FieldSet = { [element: string]: FieldSet };

/** `update` sets name the containers that a writer made; `apply` sets name only what was said. */
export type SetStyle = 'update' | 'apply';

export function isMember(set: FieldSet): boolean {
  return '.' in set || Object.keys(set).length === 0;
}

function isLeaf(set: FieldSet): boolean {
  return Object.keys(set).every((key) => key === '.');
}

export function isGranular(value: unknown, schema: Schema | undefined): value is Dict {
  return isDict(value) && schema?.['x-kubernetes-map-type'] !== 'atomic';
}

/** How the items of a list are told apart; undefined when the list is one value. */
export function itemElement(schema: Schema | undefined): ((item: unknown) => string) | undefined {
  const listType = schema?.['x-kubernetes-list-type'];
  if (listType === 'set') return (item) => `v:${JSON.stringify(item)}`;
  if (listType !== 'map') return undefined;
  const keys = [...(schema?.['x-kubernetes-list-map-keys'] ?? [])].sort();
  return (item) => {
    const given = isDict(item) ? item : {};
    const pairs = keys.map((key) => [key, given[key] ?? childSchema(schema?.items, key)?.default ?? null]);
    return `k:${JSON.stringify(Object.fromEntries(pairs))}`;
  };
}

function setOfList(list: unknown[], element: (item: unknown) => string, schema: Schema, style: SetStyle): FieldSet {
  const set: FieldSet = style === 'update' ? { '.': {} } : {};
  for (const item of list) {
    const below = schema['x-kubernetes-list-type'] === 'map' ? fieldsOf(item, schema.items, style) : {};
    set[element(item)] = isLeaf(below) ? {} : { '.': {}, ...below };
  }
  return set;
}

/** All fields of a value. */
export function fieldsOf(value: unknown, schema: Schema | undefined, style: SetStyle): FieldSet {
  if (isGranular(value, schema)) {
    const keys = Object.keys(value);
    if (keys.length === 0) return {};
    const set: FieldSet = style === 'update' ? { '.': {} } : {};
    for (const key of keys) set[`f:${key}`] = fieldsOf(value[key], childSchema(schema, key), style);
    return set;
  }
  const element = itemElement(schema);
  return Array.isArray(value) && value.length > 0 && element && schema
    ? setOfList(value as unknown[], element, schema, style)
    : {};
}

/** What a write did: the fields that it added or changed, and those that it took away. */
export interface FieldChanges {
  touched: FieldSet | undefined;
  removed: FieldSet | undefined;
}

const NOTHING: FieldChanges = { touched: undefined, removed: undefined };

type Entries = Map<string, { value: unknown; schema: Schema | undefined }>;

function entriesOf(value: unknown, schema: Schema | undefined): Entries | undefined {
  if (isGranular(value, schema)) {
    return new Map(
      Object.keys(value).map((key) => [`f:${key}`, { value: value[key], schema: childSchema(schema, key) }]),
    );
  }
  const element = itemElement(schema);
  if (!Array.isArray(value) || !element) return undefined;
  return new Map((value as unknown[]).map((item) => [element(item), { value: item, schema: schema?.items }]));
}

function compareEntries(before: Entries, after: Entries): FieldChanges {
  let touched: FieldSet | undefined;
  let removed: FieldSet | undefined;
  for (const [key, { value, schema }] of after) {
    const change = compareFields(before.get(key)?.value, value, schema);
    if (change.touched) (touched ??= {})[key] = change.touched;
    if (change.removed) (removed ??= {})[key] = change.removed;
  }
  for (const key of before.keys()) if (!after.has(key)) (removed ??= {})[key] = {};
  return { touched, removed };
}

/** Compares two versions of a value. Costs what differs, where they share structure. */
export function compareFields(before: unknown, after: unknown, schema: Schema | undefined): FieldChanges {
  if (before === after) return NOTHING;
  if (before === undefined) return { touched: fieldsOf(after, schema, 'update'), removed: undefined };
  const [old, next] = [entriesOf(before, schema), entriesOf(after, schema)];
  if (old && next && (old.size > 0 || next.size === 0)) return compareEntries(old, next);
  return deepEqual(before, after) ? NOTHING : { touched: fieldsOf(after, schema, 'update'), removed: undefined };
}

export function union(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  if (!a || !b) return a ?? b;
  const both: FieldSet = { ...a };
  for (const [key, below] of Object.entries(b)) both[key] = union(a[key], below)!;
  if ((isMember(a) || isMember(b)) && Object.keys(both).length > 0) both['.'] = {};
  return isLeaf(both) ? {} : both;
}

/** `a` without `b`; a field of `b` takes with it whatever is below it. Undefined when nothing is left. */
export function subtract(a: FieldSet, b: FieldSet | undefined): FieldSet | undefined {
  if (!b) return a;
  if (Object.keys(b).length === 0) return undefined;
  const rest: FieldSet = {};
  for (const [key, below] of Object.entries(a)) {
    if (key === '.') continue;
    const kept = subtract(below, b[key]);
    if (kept) rest[key] = kept;
  }
  const member = isMember(a) && !('.' in b);
  if (Object.keys(rest).length === 0) return member ? {} : undefined;
  return member ? { '.': {}, ...rest } : rest;
}

/** The paths of fields that are in both sets, such as `.spec.online`. */
export function commonPaths(a: FieldSet, b: FieldSet | undefined, path = ''): string[] {
  if (!b) return [];
  const below = Object.entries(a).flatMap(([key, child]) =>
    key === '.' ? [] : commonPaths(child, b[key], `${path}${pathOf(key)}`),
  );
  return below.length === 0 && isMember(a) && isMember(b) && path !== '' ? [path] : below;
}

function pathOf(element: string): string {
  if (element.startsWith('f:')) return `.${element.slice(2)}`;
  if (element.startsWith('v:')) return `[=${element.slice(2)}]`;
  const keys = JSON.parse(element.slice(2)) as Dict;
  return `[${Object.entries(keys)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(',')}]`;
}
