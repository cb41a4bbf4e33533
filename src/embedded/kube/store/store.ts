import type { KubeObject } from '../object.js';
import { History, type Change } from './history.js';

interface Shelf {
  objects: Map<string, KubeObject>;
  /** The keys in order; rebuilt after keys came or went. */
  sorted: string[] | undefined;
  history: History;
}

export interface StoreOptions {
  /** Changes kept for each resource. */
  historySize: number;
  /** The resourceVersion to go on from. */
  resourceVersion?: number;
  /** Called before a change is visible; when it throws, the change has not happened. */
  persist?: (change: Change) => void;
}

export function keyOf(namespace: string | undefined, name: string): string {
  return namespace ? `${namespace}/${name}` : name;
}

export function keyOfObject(object: KubeObject): string {
  return keyOf(object.metadata.namespace, object.metadata.name);
}

/** All objects, each write under the next resourceVersion. Listeners hear of changes in order, at once. */
export class ObjectStore {
  readonly #shelves = new Map<string, Shelf>();
  readonly #byUid = new Map<string, KubeObject>();
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #origin: number;
  #rv: number;

  constructor(private readonly options: StoreOptions) {
    this.#rv = options.resourceVersion ?? 1;
    this.#origin = this.#rv;
  }

  get resourceVersion(): number {
    return this.#rv;
  }

  /** Puts back what a journal held, without a change. */
  restore(resource: string, object: KubeObject): void {
    this.#shelf(resource).objects.set(keyOfObject(object), object);
    this.#byUid.set(object.metadata.uid, object);
  }

  get(resource: string, key: string): KubeObject | undefined {
    return this.#shelves.get(resource)?.objects.get(key);
  }

  ofUid(uid: string): KubeObject | undefined {
    return this.#byUid.get(uid);
  }

  resources(): string[] {
    return [...this.#shelves.keys()];
  }

  /** The objects of a resource in the order of their keys. */
  list(resource: string, namespace?: string): KubeObject[] {
    const shelf = this.#shelves.get(resource);
    if (!shelf) return [];
    shelf.sorted ??= [...shelf.objects.keys()].sort();
    const keys = namespace ? shelf.sorted.filter((key) => key.startsWith(`${namespace}/`)) : shelf.sorted;
    return keys.map((key) => shelf.objects.get(key)!);
  }

  /** The objects as they were at `rv`; undefined when that is forgotten. */
  listAt(resource: string, rv: number, namespace?: string): KubeObject[] | undefined {
    const changes = this.#shelf(resource).history.since(rv);
    if (!changes) return undefined;
    if (changes.length === 0) return this.list(resource, namespace);
    const objects = new Map(this.#shelf(resource).objects);
    for (const { key, previous } of changes.reverse()) {
      if (previous) objects.set(key, previous);
      else objects.delete(key);
    }
    const keys = [...objects.keys()].filter((key) => !namespace || key.startsWith(`${namespace}/`)).sort();
    return keys.map((key) => objects.get(key)!);
  }

  history(resource: string): History {
    return this.#shelf(resource).history;
  }

  /** Stores an object under the next resourceVersion and returns it as stored. */
  put(resource: string, object: KubeObject): KubeObject {
    const key = keyOfObject(object);
    const previous = this.get(resource, key);
    const rv = this.#rv + 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(rv) } };
    this.#commit({ rv, type: previous ? 'MODIFIED' : 'ADDED', resource, key, object: stored, previous });
    return stored;
  }

  /** Removes an object; `last` is the state that watches see, when it is not what is stored. */
  remove(resource: string, key: string, last?: KubeObject): KubeObject | undefined {
    const previous = this.get(resource, key);
    if (!previous) return undefined;
    const rv = this.#rv + 1;
    const seen = last ?? previous;
    const object = { ...seen, metadata: { ...seen.metadata, resourceVersion: String(rv) } };
    this.#commit({ rv, type: 'DELETED', resource, key, object, previous });
    return object;
  }

  onChange(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #commit(change: Change): void {
    this.options.persist?.(change);
    this.#rv = change.rv;
    const shelf = this.#shelf(change.resource);
    if (change.type === 'DELETED') {
      shelf.objects.delete(change.key);
      this.#byUid.delete(change.object.metadata.uid);
    } else {
      shelf.objects.set(change.key, change.object);
      this.#byUid.set(change.object.metadata.uid, change.object);
    }
    if (change.type !== 'MODIFIED') shelf.sorted = undefined;
    shelf.history.add(change);
    for (const listener of this.#listeners) listener(change);
  }

  #shelf(resource: string): Shelf {
    let shelf = this.#shelves.get(resource);
    if (!shelf) {
      const history = new History(this.options.historySize, this.#origin);
      shelf = { objects: new Map(), sorted: undefined, history };
      this.#shelves.set(resource, shelf);
    }
    return shelf;
  }
}
