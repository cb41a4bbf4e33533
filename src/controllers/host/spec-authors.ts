/**
 * Who changed what of a host's spec can take its machine out of use. The API server tells it by `managedFields`, which are far
 * too large to be kept of each host: only who wrote, when, and which of these fields is theirs, is. What was changed belongs to
 * whoever has changed it last, and their entry is new with the change; where that leaves more than one, nobody is named.
 */
import { type KubeObject, type ObjectStore, type StoreEvent } from '../../kube/index.js';
import { isSame } from '../../../machines/index.js';

const fields = ['image', 'customDeploy', 'online'] as const;
type Field = (typeof fields)[number];

interface Writer {
  readonly manager: string;
  readonly time: string;
  readonly operation: string;
  /** Such as `online` and `image.url`; undefined: nothing of the spec is theirs. */
  readonly owns?: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** For the store of hosts: of `managedFields`, who wrote the object itself, when, and what of the fields above is theirs. */
export function withWritersAlone(host: KubeObject): KubeObject {
  const { managedFields, ...metadata } = host.metadata;
  if (managedFields === undefined) return host;
  return { ...host, metadata: { ...metadata, managedFields: writersOf(managedFields) } };
}

function writersOf(managedFields: unknown): Writer[] {
  const entries = Array.isArray(managedFields) ? (managedFields as Json[]) : [];
  return entries
    .filter(({ subresource = '', manager }) => subresource === '' && typeof manager === 'string')
    .map(({ manager, time, operation, fieldsV1 }) => ({
      ...{ manager: text(manager), time: text(time), operation: text(operation) },
      ...ownedOf(object(fieldsV1)['f:spec']),
    }));
}

/** Kept of a host a thousand times over: the same few names, not as many copies of them. */
const names = new Map<string, string>();
const maxNames = 100;

function named(path: string): string {
  const known = names.get(path);
  if (known === undefined && names.size < maxNames) names.set(path, path);
  return known ?? path;
}

function ownedOf(spec: unknown): Pick<Writer, 'owns'> {
  if (spec === undefined) return {};
  const owns = fields.flatMap((field) => {
    const owned = object(spec)[`f:${field}`];
    if (owned === undefined) return [];
    const parts = Object.keys(object(owned)).filter((key) => key.startsWith('f:'));
    return parts.length === 0 ? [field] : parts.map((part) => named(`${field}.${part.slice(2)}`));
  });
  return { owns };
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export class SpecAuthors {
  readonly #known = new Map<string, Partial<Record<Field, string>>>();

  constructor(hosts: ObjectStore<KubeObject>) {
    hosts.listen((event) => this.#note(event));
  }

  /** By field of the spec: who changed it last and when, in words; nothing of what was not seen to be changed. */
  of({ metadata }: { metadata: { uid?: string } }): Partial<Record<Field, string>> {
    return this.#known.get(metadata.uid ?? '') ?? {};
  }

  #note(event: StoreEvent<KubeObject>): void {
    const uid = event.object.metadata.uid ?? '';
    if (event.type === 'deleted') this.#known.delete(uid);
    if (event.type !== 'updated') return;
    const { before, object: after } = event;
    const changed = fields.filter((field) => !isSame(specOf(before)[field], specOf(after)[field]));
    if (changed.length === 0) return;
    const authors = Object.fromEntries(changed.map((field) => [field, authorOf(field, before, after)]));
    this.#known.set(uid, { ...this.#known.get(uid), ...authors });
  }
}

function specOf({ spec }: KubeObject): Json {
  return object(spec);
}

function authorOf(field: Field, before: KubeObject, after: KubeObject): string {
  const known = new Set(keptOf(before).map(entryText));
  const news = keptOf(after).filter((writer) => !known.has(entryText(writer)));
  const parts = changedParts(field, specOf(before)[field], specOf(after)[field]);
  // Whoever writes labels beside it has nothing to do with it.
  const authors = news.filter(
    ({ owns }) => owns !== undefined && (parts.length === 0 || parts.some((part) => isOwned(owns, part))),
  );
  const [author, ...others] = authors;
  // A client that only removes fields owns none afterwards, so that the API server does not say who it was.
  if (author === undefined) return 'by a client that the API server does not name';
  // Of what is gone nobody is the owner: it can be told only where there was one change, by one client.
  const isClear = others.length === 0 && (parts.length > 0 || changesOf(before, after) === 1);
  return isClear ? `by ${author.manager} at ${author.time}` : 'by one of several clients, it cannot be told by which';
}

function keptOf({ metadata }: KubeObject): readonly Writer[] {
  return (metadata.managedFields ?? []) as readonly Writer[];
}

/** What of the field has a value that it had not before. */
function changedParts(field: Field, before: unknown, after: unknown): string[] {
  if (typeof after !== 'object' || after === null) return (after ?? undefined) === undefined ? [] : [field];
  const [old, parts] = [object(before), Object.entries(after)];
  return parts.filter(([name, value]) => !isSame(old[name], value)).map(([name]) => `${field}.${name}`);
}

function isOwned(owns: readonly string[], part: string): boolean {
  return owns.includes(part) || owns.includes(part.split('.', 1)[0] ?? '');
}

/** Changes of the spec that lie between the two. */
function changesOf(before: KubeObject, after: KubeObject): number {
  return (after.metadata.generation ?? 0) - (before.metadata.generation ?? 0);
}

function entryText({ manager, time, operation }: Writer): string {
  return JSON.stringify([manager, operation, time]);
}
