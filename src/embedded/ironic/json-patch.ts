import { badRequest, unexpectedMembers } from './api-error.js';
import { isObject, plainText, pythonText, type Json, type JsonObject } from './json.js';

export interface PatchOperation {
  op: 'add' | 'replace' | 'remove';
  path: string;
  value?: Json;
}

/** Checks the form of a patch with Ironic's own messages; `test` and `move` are not in its dialect. */
export function parsePatch(body: Json | undefined): PatchOperation[] {
  if (!Array.isArray(body)) throw schemaError(`${pythonText(body)} is not of type 'array'`);
  return body.map(parseOperation);
}

function parseOperation(entry: Json): PatchOperation {
  if (!isObject(entry)) throw schemaError(`${pythonText(entry)} is not of type 'object'`);
  for (const key of ['path', 'op']) {
    if (!(key in entry)) throw schemaError(`'${key}' is a required property`);
  }
  const { op, path } = entry;
  const unknown = Object.keys(entry).filter((key) => !['op', 'path', 'value'].includes(key));
  if (unknown.length > 0) throw schemaError(unexpectedMembers(unknown));
  if (typeof path !== 'string') throw schemaError(`${pythonText(path)} is not of type 'string'`);
  if (!/^(\/[\w-]+)+$/.test(path)) throw schemaError(`${pythonText(path)} does not match '^(/[\\\\w-]+)+$'`);
  return checkedOperation(op, path, entry);
}

function checkedOperation(op: Json | undefined, path: string, entry: JsonObject): PatchOperation {
  if (op !== 'add' && op !== 'replace' && op !== 'remove') {
    throw schemaError(`${pythonText(op)} is not one of ['add', 'replace', 'remove']`);
  }
  if (op !== 'remove' && !('value' in entry)) {
    throw refused({ op, path }, "The operation does not contain a 'value' member");
  }
  return op === 'remove' ? { op, path } : { op, path, value: entry['value'] };
}

function schemaError(text: string) {
  return badRequest(`Schema error for patch: ${text}`);
}

/** The first segment of a patch path: the field that it touches. */
export const patchedField = (operation: PatchOperation): string => operation.path.split('/')[1] ?? '';

/**
 * Applies a patch to a copy. Removing a top-level field leaves it null, so that the caller can put its default back.
 */
export function applyPatch(document: JsonObject, patch: readonly PatchOperation[]): JsonObject {
  const result = structuredClone(document);
  for (const operation of patch) applyOperation(result, operation);
  return result;
}

function applyOperation(document: JsonObject, operation: PatchOperation): void {
  const segments = operation.path.split('/').slice(1);
  const last = segments.pop() ?? '';
  let parent: Json = document;
  for (const segment of segments) parent = child(parent, segment, operation);
  if (Array.isArray(parent)) applyToList(parent, last, operation);
  else if (isObject(parent)) applyToObject(parent, last, operation, segments.length === 0);
  else throw refused(operation, `'${plainText(parent)}' is not a container`);
}

function child(parent: Json, segment: string, operation: PatchOperation): Json {
  const container: object = isObject(parent) || Array.isArray(parent) ? parent : {};
  const found = Object.hasOwn(container, segment) ? (container as JsonObject)[segment] : undefined;
  if (found === undefined || found === null)
    throw refused(operation, `member '${segment}' not found in ${pythonText(parent)}`);
  return found;
}

function applyToObject(parent: JsonObject, key: string, operation: PatchOperation, topLevel: boolean): void {
  const exists = Object.hasOwn(parent, key);
  if (operation.op !== 'add' && !exists) {
    throw refused(operation, `can't ${operation.op} a non-existent object '${key}'`);
  }
  if (operation.op !== 'remove') {
    Object.defineProperty(parent, key, {
      value: operation.value ?? null,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  } else if (topLevel) parent[key] = null;
  else delete parent[key];
}

function applyToList(parent: Json[], key: string, operation: PatchOperation): void {
  const index = key === '-' ? parent.length : Number(key);
  const highest = operation.op === 'add' ? parent.length : parent.length - 1;
  if (!Number.isInteger(index) || index < 0 || index > highest)
    throw refused(operation, "can't insert outside of list");
  if (operation.op === 'remove') parent.splice(index, 1);
  else parent.splice(index, operation.op === 'replace' ? 1 : 0, operation.value ?? null);
}

function refused(operation: PatchOperation, reason: string) {
  return badRequest(`Couldn't apply patch '${pythonText({ ...operation })}'. Reason: ${reason}`);
}
