/**
 * Who changed what of a host's spec can take its machine out of use. The API server tells it by `managedFields`, which are far
 * too large to be kept of each host: only who wrote, and when, is. Whoever's entry is new with a change has made it.
 */
import { type KubeObject, type ObjectStore, type StoreEvent } from '../../kube/index.js';
import { isSame } from '../../../machines/index.js';

const fields = ['image', 'customDeploy', 'online'] as const;
type Field = (typeof fields)[number];

interface Writer {
  readonly manager: string;
  readonly time: string;
  readonly operation: string;
}

/** For the store of hosts: of `managedFields`, who wrote the object itself and when. */
export function withWritersAlone(host: KubeObject): KubeObject {
  const { managedFields, ...metadata } = host.metadata;
  if (managedFields === undefined) return host;
  return { ...host, metadata: { ...metadata, managedFields: writersOf(managedFields) } };
}

function writersOf(managedFields: unknown): Writer[] {
  const entries = Array.isArray(managedFields) ? (managedFields as Record<string, unknown>[]) : [];
  return entries
    .filter(({ subresource = '', manager }) => subresource === '' && typeof manager === 'string')
    .map(({ manager, time, operation }) => ({ manager: text(manager), time: text(time), operation: text(operation) }));
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
    const [before, after] = [specOf(event.before), specOf(event.object)];
    const changed = fields.filter((field) => !isSame(before[field], after[field]));
    if (changed.length === 0) return;
    const author = authorOf(event.before, event.object);
    this.#known.set(uid, { ...this.#known.get(uid), ...Object.fromEntries(changed.map((field) => [field, author])) });
  }
}

function specOf({ spec }: KubeObject): Record<string, unknown> {
  return (spec ?? {}) as Record<string, unknown>;
}

/** A client that only removes fields owns none afterwards, so that the API server does not say who it was. */
function authorOf(before: KubeObject, after: KubeObject): string {
  const known = new Set(writersOf(before.metadata.managedFields).map(entryText));
  const news = writersOf(after.metadata.managedFields).filter((writer) => !known.has(entryText(writer)));
  const [latest] = news.sort((a, b) => (a.time < b.time ? 1 : -1));
  return latest === undefined
    ? 'by a client that the API server does not name'
    : `by ${latest.manager} at ${latest.time}`;
}

function entryText({ manager, time, operation }: Writer): string {
  return JSON.stringify([manager, operation, time]);
}
