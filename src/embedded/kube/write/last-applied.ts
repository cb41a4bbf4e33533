import type { ResourceKind } from '../kinds/resource-kind.js';
import { isDict, type Dict, type KubeObject } from '../object.js';
import { commonPaths, subtract, type FieldSet } from './field-sets.js';
import { appliedSet, changesBetween } from './managed-fields.js';

const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

function lastApplied({ metadata }: KubeObject): Dict | undefined {
  try {
    const given: unknown = JSON.parse(metadata.annotations?.[ANNOTATION] ?? 'null');
    return isDict(given) ? given : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Who has applied with `kubectl apply` may go on with `kubectl apply --server-side`: what was applied then, and is still so, is no
 * conflict for kubectl, whoever is said to own it. These are the paths among `wanted` for which that holds.
 */
export function takenOver(
  kind: ResourceKind,
  live: KubeObject,
  wanted: FieldSet | undefined,
  merge: (live: KubeObject, config: Dict) => Dict,
): Set<string> {
  const config = lastApplied(live);
  const applied = config && appliedSet(kind, config);
  if (!config || !applied) return new Set();
  const { touched } = changesBetween(kind, live, merge(live, config));
  const unchanged = subtract(applied, touched);
  return new Set(unchanged ? commonPaths(unchanged, wanted) : []);
}
