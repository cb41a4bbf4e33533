/** The JSON merge patch (RFC 7396) that turns one plain JSON object into another. Pure. */
import { isSame } from '../../../machines/index.js';

type Json = Record<string, unknown>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined when there is nothing to change. A key that is gone becomes null; lists are replaced whole. */
export function mergeDiff(before: Json, after: Json): Json | undefined {
  const patch: Json = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, wanted] = [before[key] ?? undefined, after[key] ?? undefined];
    if (isSame(old, wanted)) continue;
    patch[key] = isObject(old) && isObject(wanted) ? mergeDiff(old, wanted) : (wanted ?? null);
    if (patch[key] === undefined) delete patch[key];
  }
  return Object.keys(patch).length === 0 ? undefined : patch;
}
