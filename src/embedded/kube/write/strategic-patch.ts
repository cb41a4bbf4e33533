/**
 * Strategic merge patch for the built-in kinds: a merge patch in which some lists merge by key, with the directives that
 * kubectl sends (`$patch`, `$retainKeys`, `$setElementOrder/…`, `$deleteFromPrimitiveList/…`).
 */
import { childSchema, type Schema } from '../schema/schema.js';
import { deepEqual, isDict, type Dict } from '../object.js';
import { badRequest } from '../wire/status-error.js';

const DELETE_FROM = '$deleteFromPrimitiveList/';
const RETAIN = '$retainKeys';

function mergeKeyed(target: unknown[], patch: unknown[], schema: Schema, keys: string[]): unknown[] {
  if (patch.some((item) => isDict(item) && item['$patch'] === 'replace')) {
    return patch.filter((item) => !(isDict(item) && item['$patch'] === 'replace'));
  }
  const result = [...target];
  for (const item of patch) {
    if (!isDict(item)) throw badRequest('a list of objects takes objects only');
    const at = result.findIndex((one) => isDict(one) && keys.every((key) => deepEqual(one[key], item[key])));
    if (item['$patch'] === 'delete') {
      if (at >= 0) result.splice(at, 1);
    } else if (at >= 0) result[at] = strategicPatch(result[at], item, schema.items);
    else result.push(strategicPatch(undefined, item, schema.items));
  }
  return result;
}

function mergeList(target: unknown, patch: unknown[], schema: Schema | undefined): unknown {
  const old = Array.isArray(target) ? (target as unknown[]) : [];
  const keys = schema?.['x-kubernetes-list-map-keys'];
  if (schema && keys) return mergeKeyed(old, patch, schema, keys);
  if (schema?.['x-kubernetes-list-type'] !== 'set') return patch;
  return [...old, ...patch.filter((item) => !old.some((one) => deepEqual(one, item)))];
}

function retain(result: Dict, keys: unknown): void {
  if (!Array.isArray(keys)) return;
  for (const key of Object.keys(result)) if (!keys.includes(key)) delete result[key];
}

function deleteFrom(result: Dict, key: string, items: unknown): void {
  const list = result[key];
  if (!Array.isArray(list) || !Array.isArray(items)) return;
  result[key] = (list as unknown[]).filter((one) => !items.some((item) => deepEqual(one, item)));
}

function mergeValue(target: unknown, patch: unknown, schema: Schema | undefined): unknown {
  return Array.isArray(patch) ? mergeList(target, patch, schema) : strategicPatch(target, patch, schema);
}

/** Applies a strategic merge patch; shares what it does not touch with `target`, which is not changed. */
export function strategicPatch(target: unknown, patch: unknown, schema: Schema | undefined): unknown {
  if (!isDict(patch)) return patch;
  const directive = patch['$patch'];
  if (directive === 'delete') return {};
  const result: Dict = isDict(target) && directive !== 'replace' ? { ...target } : {};
  retain(result, patch[RETAIN]);
  const entries = Object.entries(patch);
  for (const [key, value] of entries) {
    if (key.startsWith(DELETE_FROM)) deleteFrom(result, key.slice(DELETE_FROM.length), value);
  }
  for (const [key, value] of entries) {
    if (key.startsWith('$')) continue;
    if (value === null) delete result[key];
    else result[key] = mergeValue(result[key], value, childSchema(schema, key));
  }
  return result;
}
