/** The objects that the operator follows: one store a kind, filled by a reflector for each namespace that is watched. */
import type { Clock, Random } from '../clock.js';
import type { KubeApi } from './api.js';
import type { KindRef, KubeObject } from './kinds.js';
import { Reflector, type ReflectorOptions } from './reflector.js';
import { ObjectStore } from './store.js';

export interface FollowOptions {
  readonly labelSelector?: string;
  /** Drops what nobody reads, before an object is kept. */
  readonly slim?: (object: KubeObject) => KubeObject;
}

export class Watches {
  readonly #reflectors: Reflector<KubeObject>[] = [];
  readonly #stores = new Map<string, ObjectStore<KubeObject>>();
  readonly #running: Promise<void>[] = [];

  /** @param namespaces empty: all */
  constructor(
    private readonly api: KubeApi,
    private readonly namespaces: readonly string[],
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly onError: (message: string) => void,
  ) {}

  /** The store of a kind; who asks first says how it is filled. To be asked for before `start`. */
  store(kind: KindRef, { labelSelector, slim }: FollowOptions = {}): ObjectStore<KubeObject> {
    const name = `${kind.plural}.${kind.group}`;
    const known = this.#stores.get(name);
    if (known !== undefined) return known;
    const store = new ObjectStore<KubeObject>(slim);
    this.#stores.set(name, store);
    const options: ReflectorOptions = { onError: this.onError, ...(labelSelector !== undefined && { labelSelector }) };
    for (const namespace of this.namespaces.length === 0 ? [undefined] : this.namespaces) {
      const reflector = new Reflector(this.api, kind, store, this.clock, this.random, { ...options, namespace });
      this.#reflectors.push(reflector);
    }
    return store;
  }

  /** Resolves once every store holds what there is. */
  async start(): Promise<void> {
    for (const reflector of this.#reflectors) this.#running.push(reflector.run());
    await Promise.all(this.#reflectors.map(({ synced }) => synced));
  }

  async stop(): Promise<void> {
    for (const reflector of this.#reflectors) reflector.stop();
    await Promise.all(this.#running);
  }
}
