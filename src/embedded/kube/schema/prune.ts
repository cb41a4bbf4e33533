import { isDict, type Dict } from '../object.js';
import { join, propertiesOf, type Schema } from './schema.js';

type Verdict = 'keep' | 'drop' | Schema;

function verdictOn(key: string, schema: Schema, properties: Record<string, Schema> | undefined): Verdict {
  const declared = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (declared) return declared;
  const more = schema.additionalProperties;
  if (typeof more === 'object') return more;
  return more === true || schema['x-kubernetes-preserve-unknown-fields'] ? 'keep' : 'drop';
}

function pruneDict(value: Dict, schema: Schema, path: string, unknown: string[]): Dict {
  const properties = propertiesOf(schema);
  const pruned: Dict = {};
  let changed = false;
  for (const [key, child] of Object.entries(value)) {
    const verdict = verdictOn(key, schema, properties);
    if (verdict === 'drop') {
      unknown.push(join(path, key));
      changed = true;
      continue;
    }
    const kept = verdict === 'keep' ? child : prune(child, verdict, join(path, key), unknown);
    changed ||= kept !== child;
    pruned[key] = kept;
  }
  return changed ? pruned : value;
}

/**
 * Drops the fields that the schema does not know, and pushes their paths to `unknown`. Returns `value` itself when there is
 * nothing to drop; never changes it in place.
 */
export function prune(value: unknown, schema: Schema, path = '', unknown: string[] = []): unknown {
  if (isDict(value)) return pruneDict(value, schema, path, unknown);
  const items = schema.items;
  if (!Array.isArray(value) || !items) return value;
  const list = value as unknown[];
  const pruned = list.map((item, i) => prune(item, items, `${path}[${i}]`, unknown));
  return pruned.some((item, i) => item !== list[i]) ? pruned : value;
}
