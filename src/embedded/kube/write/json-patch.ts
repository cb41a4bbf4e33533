import jsonPatch, { type Operation } from 'fast-json-patch';
import type { KubeObject } from '../object.js';
import { badRequest, unprocessable } from '../wire/status-error.js';

const OPERATIONS = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

function operationsOf(patch: unknown): Operation[] {
  if (!Array.isArray(patch)) {
    throw badRequest('error decoding patch: json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  }
  for (const one of patch as Partial<Operation>[]) {
    if (OPERATIONS.has(one?.op ?? '') && typeof one.path === 'string') continue;
    throw unprocessable();
  }
  return patch as Operation[];
}

/** Applies a JSON patch (RFC 6902) to a copy. Throws StatusError 400 for no patch, 422 for one that does not apply. */
export function applyJsonPatch(current: KubeObject, patch: unknown): unknown {
  const operations = operationsOf(patch);
  try {
    return jsonPatch.applyPatch(structuredClone(current), operations, true).newDocument;
  } catch {
    throw unprocessable();
  }
}
