import { isDict, type Dict } from '../object.js';

/** JSON merge patch (RFC 7386). What the patch does not touch is shared with `target`, which is not changed. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isDict(patch)) return patch;
  const result: Dict = isDict(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}
