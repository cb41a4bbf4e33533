/**
 * The objects of one kind as last seen. A write's answer is put in at once, so that nobody decides upon a cache that is older
 * than its own last write; an older version coming in later by the watch is passed over.
 */
import type { KubeObject } from './kinds.js';
import { keyOf } from './kinds.js';

export type StoreEvent<T> =
  | { readonly type: 'added'; readonly object: T }
  | { readonly type: 'updated'; readonly object: T; readonly before: T }
  | { readonly type: 'deleted'; readonly object: T };

/** `write`: the answer to a write that whoever works with the store knows of. `news`: one that others are to hear of. */
export type StoreSource = 'watch' | 'write' | 'news';

export type StoreListener<T> = (event: StoreEvent<T>, source: StoreSource) => void;

/** Resource versions are opaque by contract but grow in every API server there is; anything else counts as new. */
export function isOlder(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined || !/^\d+$/.test(a) || !/^\d+$/.test(b)) return false;
  return a.length === b.length ? a < b : a.length < b.length;
}

export class ObjectStore<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  /** Versions at which objects were seen gone: a late answer of a write must not bring one back. */
  readonly #gone = new Map<string, string>();
  readonly #listeners: StoreListener<T>[] = [];

  /**
   * @param slim drops what nobody reads, before an object is kept.
   * @param namespaces that are followed; empty: all
   */
  constructor(
    private readonly slim: (object: T) => T = withoutManagedFields,
    private readonly namespaces: readonly string[] = [],
  ) {}

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  values(): IterableIterator<T> {
    return this.#objects.values();
  }

  get size(): number {
    return this.#objects.size;
  }

  listen(listener: StoreListener<T>): void {
    this.#listeners.push(listener);
  }

  /** One of a namespace that is not followed is passed over: who reads it by its name must not bring it to those who work. */
  put(object: T, source: StoreSource): void {
    if (!this.#isFollowed(object)) return;
    const key = keyOf(object);
    const before = this.#objects.get(key);
    const version = object.metadata.resourceVersion;
    const known = before?.metadata.resourceVersion;
    // Also across a deletion and a new creation under the same name: versions grow over all objects.
    if (before !== undefined && (version === known || isOlder(version, known))) return;
    if (source !== 'watch' && this.#gone.get(object.metadata.uid ?? '') !== undefined) return;
    const kept = this.slim(object);
    this.#objects.set(key, kept);
    this.#tell(
      before === undefined ? { type: 'added', object: kept } : { type: 'updated', object: kept, before },
      source,
    );
  }

  remove(object: T): void {
    const key = keyOf(object);
    const before = this.#objects.get(key);
    this.#remember(object);
    if (before === undefined || before.metadata.uid !== object.metadata.uid) return;
    this.#objects.delete(key);
    this.#tell({ type: 'deleted', object: before }, 'watch');
  }

  /**
   * After a complete list, of one namespace or of all: everything there that is not in it is gone, but for what was written
   * after the list was taken, at `version`.
   */
  keepOnly(keys: ReadonlySet<string>, namespace?: string, version?: string): void {
    for (const [key, object] of [...this.#objects]) {
      const isListed = namespace === undefined || object.metadata.namespace === namespace;
      if (!isListed || keys.has(key) || isOlder(version, object.metadata.resourceVersion)) continue;
      this.remove(object);
    }
  }

  #isFollowed({ metadata: { namespace } }: T): boolean {
    return this.namespaces.length === 0 || namespace === undefined || this.namespaces.includes(namespace);
  }

  #remember(object: T): void {
    const { uid } = object.metadata;
    if (uid === undefined) return;
    this.#gone.set(uid, object.metadata.resourceVersion ?? '');
    if (this.#gone.size > 1000) this.#gone.delete(this.#gone.keys().next().value as string);
  }

  #tell(event: StoreEvent<T>, source: StoreSource): void {
    for (const listener of this.#listeners) listener(event, source);
  }
}

export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _fields, ...metadata } = object.metadata;
  return { ...object, metadata };
}
