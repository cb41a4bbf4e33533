/**
 * Keeps an `ObjectStore` equal to the server for as long as the process lives: list page by page, watch from there with
 * bookmarks, resume after every break, list again only when the server has forgotten the version (410). A watch on which
 * nothing moves for too long counts as dead, whatever the socket says.
 */
import type { Clock, Random } from '../clock.js';
import { messageOf } from '../errors.js';
import type { KubeApi } from './api.js';
import { isKubeError } from './errors.js';
import type { KindRef, KubeObject } from './kinds.js';
import { keyOf } from './kinds.js';
import type { ObjectStore } from './store.js';

export interface ReflectorOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  /** Objects a page. */
  readonly pageSize?: number;
  /** Seconds; the server ends a watch by itself after this, jittered up to twice. */
  readonly watchSeconds?: number;
  /** Milliseconds without a byte until a watch is opened again. Servers send a bookmark about every minute. */
  readonly silenceMs?: number;
  /** Told of every break; the reflector goes on by itself. */
  readonly onError?: (message: string) => void;
}

interface WatchLine {
  readonly type?: string;
  readonly object?: KubeObject & { readonly code?: number; readonly message?: string };
}

type ReadLine = WatchLine & { readonly object: NonNullable<WatchLine['object']> };

const firstDelayMs = 200;
const maxDelayMs = 30_000;
/** A watch that ends sooner than this, and without a word, is a fault: it would be opened again and again without a pause. */
const shortestWatchMs = 1_000;
/** Lines in a row that cannot be read, until the reflector stops to wait for a better one and lists again. */
const maxUnreadable = 3;

export class Reflector<T extends KubeObject> {
  readonly #abort = new AbortController();
  #version: string | undefined;
  #failures = 0;
  #unreadable = 0;
  #synced: (() => void) | undefined;
  #lastEventAt: number;
  /** Resolves once the first list is complete. */
  readonly synced: Promise<void>;

  constructor(
    private readonly api: KubeApi,
    private readonly kind: KindRef,
    readonly store: ObjectStore<T>,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly options: ReflectorOptions = {},
  ) {
    this.#lastEventAt = clock.monotonic();
    this.synced = new Promise((resolve) => (this.#synced = resolve));
  }

  /** Milliseconds since the server was last heard of. */
  get silentForMs(): number {
    return this.clock.monotonic() - this.#lastEventAt;
  }

  /** Runs until `stop`. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      try {
        if (this.#version === undefined) await this.#list();
        await this.#watch();
      } catch (error) {
        if (signal.aborted) return;
        await this.#recover(error);
      }
    }
  }

  stop(): void {
    this.#abort.abort();
  }

  async #recover(error: unknown): Promise<void> {
    if (isKubeError(error, 'KUBE_GONE')) this.#version = undefined;
    this.options.onError?.(`${this.kind.plural}: ${messageOf(error)}`);
    const base = Math.min(maxDelayMs, firstDelayMs * 2 ** this.#failures);
    this.#failures += 1;
    await this.clock.sleep(base / 2 + (this.random.next() * base) / 2, this.#abort.signal).catch(() => undefined);
  }

  async #list(): Promise<void> {
    const { namespace, labelSelector, pageSize = 500 } = this.options;
    const seen = new Set<string>();
    let continueToken = '';
    let version: string;
    do {
      const page = await this.api.list(this.kind, {
        namespace,
        labelSelector,
        limit: pageSize,
        continueToken,
        signal: this.#abort.signal,
      });
      for (const item of page.items) {
        seen.add(keyOf(item));
        this.store.put(item as T, 'watch');
      }
      ({ continueToken, resourceVersion: version } = page);
    } while (continueToken !== '');
    this.store.keepOnly(seen, namespace, version);
    this.#version = version;
    this.#lastEventAt = this.clock.monotonic();
    this.#synced?.();
  }

  async #watch(): Promise<void> {
    const { namespace, labelSelector, watchSeconds = 300, silenceMs = 150_000 } = this.options;
    const startedAt = this.clock.monotonic();
    let isSilent = true;
    const lines = this.api.watch(this.kind, {
      namespace,
      labelSelector,
      resourceVersion: this.#version ?? '',
      timeoutSeconds: Math.round(watchSeconds * (1 + this.random.next())),
      silenceMs,
      signal: this.#abort.signal,
    });
    for await (const line of lines) {
      this.#lastEventAt = this.clock.monotonic();
      isSilent = false;
      this.#take(this.#parse(line));
      this.#failures = 0;
    }
    if (isSilent && this.clock.monotonic() - startedAt < shortestWatchMs) throw new Error('the watch ended at once');
    this.#failures = 0;
  }

  /** Resuming sends the same line again: one that stays unreadable is got past by a list. */
  #parse(line: string): ReadLine {
    try {
      const { type, object } = JSON.parse(line) as WatchLine;
      if (object?.metadata === undefined && type !== 'ERROR') throw new Error('no object');
      this.#unreadable = 0;
      return { type, object: object ?? { metadata: { name: '' } } };
    } catch {
      this.#unreadable += 1;
      if (this.#unreadable >= maxUnreadable) this.#version = undefined;
      throw new Error('a watch line could not be read');
    }
  }

  #take({ type, object }: ReadLine): void {
    if (type === 'ERROR') {
      if (object.code === 410) this.#version = undefined;
      throw new Error(object.message ?? 'the watch failed');
    }
    if (type === 'DELETED') this.store.remove(object as unknown as T);
    else if (type === 'ADDED' || type === 'MODIFIED') this.store.put(object as unknown as T, 'watch');
    if (object.metadata.resourceVersion !== undefined) this.#version = object.metadata.resourceVersion;
  }
}
