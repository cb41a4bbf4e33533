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

export function readManifests(file: string): Manifest[] {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new InputError(file, `cannot be read: ${messageOf(error)}`, 'give the path of a manifest file');
  }
  return parseManifests(text, file);
}

export function parseManifests(text: string, file: string): Manifest[] {
  const documents = parseAllDocuments(text, { logLevel: 'error' });
  return [...documents].flatMap((document, index) => {
    const origin = `${file}, document ${index + 1}`;
    const [error] = document.errors;
    if (error !== undefined) throw new InputError(origin, `is no YAML: ${error.message.split('\n')[0]}`, 'correct it');
    const value = contentOf(() => document.toJS() as unknown, origin);
    return value === null || value === undefined ? [] : flatten(value, origin);
  });
}

/** A document may still refuse to become an object: an alias without an anchor, or one too many. */
function contentOf(read: () => unknown, origin: string): unknown {
  try {
    return read();
  } catch (error) {
    throw new InputError(origin, `is no YAML: ${messageOf(error)}`, 'correct it');
  }
}

/** A `List` stands for its items. */
function flatten(value: unknown, origin: string): Manifest[] {
  const { kind, items } = (typeof value === 'object' && value !== null ? value : {}) as {
    kind?: unknown;
    items?: unknown;
  };
  if (kind === 'List' && Array.isArray(items)) {
    return items.flatMap((item, index) => flatten(item, `${origin}, item ${index + 1}`));
  }
  return [toManifest(value, origin)];
}

function toManifest(value: unknown, origin: string): Manifest {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputError(origin, 'is no object', 'write apiVersion, kind, metadata and spec');
  }
  const fields = value as Record<string, unknown>;
  const name = `${required(fields, 'apiVersion', origin)} ${required(fields, 'kind', origin)}`;
  const known = kinds[name];
  if (known === undefined) {
    throw new InputError(
      origin,
      `${name} is no kind that is served here`,
      `use one of ${Object.keys(kinds).join(', ')}`,
    );
  }
  required((fields.metadata ?? {}) as Record<string, unknown>, 'name', origin, 'metadata.');
  return { origin, kind: known, object: withNamespace(value as KubeObject, known) };
}

function required(fields: Readonly<Record<string, unknown>>, field: string, origin: string, path = ''): string {
  const content = fields[field];
  if (typeof content === 'string' && content !== '') return content;
  const problem = content === undefined || content === '' ? 'is missing' : 'is no text';
  throw new InputError(origin, `${path}${field} ${problem}`, 'give it as text');
}

function withNamespace(object: KubeObject, kind: KindRef): KubeObject {
  if (kind.kind === 'Namespace') return object;
  return { ...object, metadata: { ...object.metadata, namespace: object.metadata.namespace ?? 'default' } };
}
