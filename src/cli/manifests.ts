/** Manifest files: read, taken apart, and checked far enough to be sent. Nothing is sent before all of them are read. */
import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { groupVersion, kinds as metal } from '../apis/index.js';
import { InputError, messageOf } from '../errors.js';
import type { KindRef, KubeObject } from '../kube/index.js';

export interface Manifest {
  /** Where it stands: `file, document 2`. */
  readonly origin: string;
  readonly kind: KindRef;
  readonly object: KubeObject;
}

/** Kinds that `up` applies and `validate` checks, by `apiVersion kind`. */
const kinds: Readonly<Record<string, KindRef>> = {
  'v1 Namespace': { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' },
  'v1 Secret': { group: '', version: 'v1', kind: 'Secret', plural: 'secrets' },
  'v1 ConfigMap': { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' },
  ...Object.fromEntries(Object.values(metal).map((kind) => [`${groupVersion} ${kind.kind}`, kind])),
};

/** @throws InputError for a file that cannot be read, and for the first document that is no manifest. */
export function readManifests(file: string): Manifest[] {
  return readEntries(file).map(manifestOf);
}

/** @throws InputError for the first document that is no manifest. */
export function parseManifests(text: string, file: string): Manifest[] {
  return parseEntries(text, file).map(manifestOf);
}

/** What stands in a file, in its order: manifests, and what keeps other documents from being one. */
export type Entry = Manifest | InputError;

function manifestOf(entry: Entry): Manifest {
  if (entry instanceof InputError) throw entry;
  return entry;
}

/** @throws InputError for a file that cannot be read. */
export function readEntries(file: string): Entry[] {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new InputError(file, `cannot be read: ${messageOf(error)}`, 'give the path of a manifest file');
  }
  return parseEntries(text, file);
}

export function parseEntries(text: string, file: string): Entry[] {
  // `<<` as kubectl reads it, though YAML 1.2 has it no more.
  const documents = parseAllDocuments(text, { logLevel: 'error', merge: true });
  return [...documents].flatMap((document, index) => {
    const origin = `${file}, document ${index + 1}`;
    const [error] = document.errors;
    if (error !== undefined) {
      return [new InputError(origin, `is no YAML: ${error.message.split('\n')[0]}`, 'correct it')];
    }
    const value = contentOf(() => document.toJS() as unknown, origin);
    if (value instanceof InputError) return [value];
    return value === null || value === undefined ? [] : flatten(value, origin);
  });
}

/** A document may still refuse to become an object: an alias without an anchor, or one too many. */
function contentOf(read: () => unknown, origin: string): unknown {
  try {
    return read();
  } catch (error) {
    return new InputError(origin, `is no YAML: ${messageOf(error)}`, 'correct it');
  }
}

/** A `List` stands for its items. */
function flatten(value: unknown, origin: string): Entry[] {
  const { kind, items } = (typeof value === 'object' && value !== null ? value : {}) as {
    kind?: unknown;
    items?: unknown;
  };
  if (kind === 'List' && Array.isArray(items)) {
    return items.flatMap((item, index) => flatten(item, `${origin}, item ${index + 1}`));
  }
  return entriesOf(value, origin);
}

/** The manifest, or everything that keeps it from being one. */
function entriesOf(value: unknown, origin: string): Entry[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [new InputError(origin, 'is no object', 'write apiVersion, kind, metadata and spec')];
  }
  const { apiVersion, kind, metadata } = value as Record<string, unknown>;
  const { name } = (metadata ?? {}) as Record<string, unknown>;
  const faults = missingOf({ apiVersion, kind, 'metadata.name': name }, origin);
  const known = served(apiVersion, kind);
  if (known !== undefined) {
    return faults.length > 0 ? faults : [{ origin, kind: known, object: withNamespace(value as KubeObject, known) }];
  }
  if (missingOf({ apiVersion, kind }, origin).length > 0) return faults;
  const problem = `${String(apiVersion)} ${String(kind)} is no kind that is served here`;
  return [new InputError(origin, problem, `use one of ${Object.keys(kinds).join(', ')}`), ...faults];
}

function served(apiVersion: unknown, kind: unknown): KindRef | undefined {
  const name = `${String(apiVersion)} ${String(kind)}`;
  return Object.hasOwn(kinds, name) ? kinds[name] : undefined;
}

function missingOf(fields: Readonly<Record<string, unknown>>, origin: string): InputError[] {
  return Object.entries(fields).flatMap(([field, content]) => {
    if (typeof content === 'string' && content !== '') return [];
    const problem = content === undefined || content === '' ? 'is missing' : 'is no text';
    return [new InputError(origin, `${field} ${problem}`, 'give it as text')];
  });
}

function withNamespace(object: KubeObject, kind: KindRef): KubeObject {
  if (kind.kind === 'Namespace') return object;
  return { ...object, metadata: { ...object.metadata, namespace: object.metadata.namespace ?? 'default' } };
}
