/** The objects that the operator follows: one store a kind, filled by a reflector for each namespace that is watched. */
import type { Clock, Random, Timer } from '../clock.js';
import type { KubeApi } from './api.js';
import type { KindRef, KubeObject } from './kinds.js';
import { Reflector, type ReflectorOptions } from './reflector.js';
import { ObjectStore } from './store.js';

export interface FollowOptions {
  readonly labelSelector?: string;
  /** Drops what nobody reads, before an object is kept. */
  readonly slim?: (object: KubeObject) => KubeObject;
}

export interface WatchListener {
  /** A list or a watch broke off, and goes on by itself. */
  onError(message: string): void;
  /** What cannot be read yet holds everything up. */
  onWaiting(kinds: readonly string[], lastError: string): void;
}

/** Milliseconds until it is told what is waited for, and then again and again. */
const firstWordMs = 10_000;
const nextWordMs = 60_000;

export class Watches {
  readonly #reflectors: Reflector<KubeObject>[] = [];
  /** Kinds that have not been read whole yet. */
  readonly #unread = new Map<Reflector<KubeObject>, string>();
  #lastError = '';
  #nextWord: Timer | undefined;
  readonly #stores = new Map<string, ObjectStore<KubeObject>>();
  readonly #running: Promise<void>[] = [];

  /** @param namespaces empty: all */
  constructor(
    private readonly api: KubeApi,
    private readonly namespaces: readonly string[],
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly listener: WatchListener,
  ) {}

  /** The store of a kind; who asks first says how it is filled. To be asked for before `start`. */
  store(kind: KindRef, { labelSelector, slim }: FollowOptions = {}): ObjectStore<KubeObject> {
    const name = `${kind.plural}.${kind.group}`;
    const known = this.#stores.get(name);
    if (known !== undefined) return known;
    const store = new ObjectStore<KubeObject>(slim, this.namespaces);
    this.#stores.set(name, store);
    const onError = (message: string) => {
      this.#lastError = message;
      this.listener.onError(message);
    };
    const options: ReflectorOptions = { onError, ...(labelSelector !== undefined && { labelSelector }) };
    for (const namespace of this.namespaces.length === 0 ? [undefined] : this.namespaces) {
      const reflector = new Reflector(this.api, kind, store, this.clock, this.random, { ...options, namespace });
      this.#reflectors.push(reflector);
      this.#unread.set(reflector, name);
    }
    return store;
  }

  /** Resolves once every store holds what there is. */
  async start(): Promise<void> {
    for (const reflector of this.#reflectors) this.#running.push(reflector.run());
    const tell = () => {
      this.listener.onWaiting([...new Set(this.#unread.values())], this.#lastError);
      this.#nextWord = this.clock.after(nextWordMs, tell);
    };
    this.#nextWord = this.clock.after(firstWordMs, tell);
    const read = async (reflector: Reflector<KubeObject>) => {
      await reflector.synced;
      this.#unread.delete(reflector);
    };
    await Promise.all(this.#reflectors.map(read));
    this.#nextWord.cancel();
  }

  async stop(): Promise<void> {
    this.#nextWord?.cancel();
    for (const reflector of this.#reflectors) reflector.stop();
    await Promise.all(this.#running);
  }
}
