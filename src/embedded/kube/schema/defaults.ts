import { isDict, type Dict } from '../object.js';
import { childSchema, propertiesOf, type Schema } from './schema.js';

function missing(value: unknown, schema: Schema): boolean {
  return value === undefined || (value === null && schema.nullable !== true);
}

/** An int-or-string or schema-less place takes null as it comes. */
function dropsNull(schema: Schema): boolean {
  return schema.nullable !== true && !(schema['x-kubernetes-preserve-unknown-fields'] && schema.type === undefined);
}

const defaulted = new WeakMap<Schema, [string, Schema][]>();

/** The properties of a schema that have a default; looked for once, since each write walks every object of every host. */
function defaultedProperties(schema: Schema): [string, Schema][] {
  let found = defaulted.get(schema);
  if (!found) {
    found = Object.entries(propertiesOf(schema) ?? {}).filter(([, child]) => child.default !== undefined);
    defaulted.set(schema, found);
  }
  return found;
}

function defaultKnown(result: Dict, schema: Schema): boolean {
  let changed = false;
  for (const [key, child] of defaultedProperties(schema)) {
    if (!missing(result[key], child)) continue;
    result[key] = structuredClone(child.default);
    changed = true;
  }
  return changed;
}

function defaultDict(value: Dict, schema: Schema): Dict {
  const result = { ...value };
  let changed = defaultKnown(result, schema);
  for (const [key, child] of Object.entries(result)) {
    const below = childSchema(schema, key);
    if (!below) continue;
    if (child === null && dropsNull(below)) {
      delete result[key];
      changed = true;
      continue;
    }
    const next = applyDefaults(child, below);
    changed ||= next !== child;
    result[key] = next;
  }
  return changed ? result : value;
}

/**
 * Fills in defaults where the parent object is present, and drops a null of a field that is not nullable (before validation:
 * such a null can make a required field missing). Returns `value` itself when nothing changes.
 */
export function applyDefaults(value: unknown, schema: Schema): unknown {
  if (isDict(value)) return defaultDict(value, schema);
  const items = schema.items;
  if (!Array.isArray(value) || !items) return value;
  const list = value as unknown[];
  const next = list.map((item) => applyDefaults(item, items));
  return next.some((item, i) => item !== list[i]) ? next : value;
}
