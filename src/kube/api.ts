/**
 * The calls that Ironchart makes, for any kind. Writes go through one rate limit and one fence: after the lease is lost no
 * write leaves the process.
 */
import type { KindRef, KubeObject, ObjectKey } from './kinds.js';
import { pathOf } from './kinds.js';
import { isKubeError, KubeError } from './errors.js';
import type { RateLimiter } from './rate-limiter.js';
import type { RequestSpec, Transport } from './transport.js';

export interface ListPage {
  readonly items: KubeObject[];
  readonly resourceVersion: string;
  readonly continueToken: string;
}

export interface ListOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly limit?: number;
  readonly continueToken?: string;
  readonly signal?: AbortSignal;
}

export interface WatchOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly resourceVersion: string;
  readonly timeoutSeconds: number;
  /** Milliseconds without a byte after which the watch counts as dead. */
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

export interface DeleteOptions {
  readonly uid?: string;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan';
}

export type WriteKind = 'create' | 'patch' | 'delete';

export interface ApiObserver {
  onRequest(verb: string, kind: KindRef, subresource: string): void;
}

const mergePatch = 'application/merge-patch+json';

export class KubeApi {
  constructor(
    private readonly transport: Transport,
    private readonly limiter: RateLimiter,
    private readonly fieldManager: string,
    /** False once the lease is lost. */
    private readonly mayWrite: () => boolean = () => true,
    private readonly observer?: ApiObserver,
  ) {}

  async get<T extends KubeObject>(kind: KindRef, key: ObjectKey, signal?: AbortSignal): Promise<T | undefined> {
    try {
      return await this.#read<T>('get', kind, { method: 'GET', path: pathOf(kind, key.namespace, key.name), signal });
    } catch (error) {
      if (isKubeError(error, 'KUBE_NOT_FOUND')) return undefined;
      throw error;
    }
  }

  async list(kind: KindRef, options: ListOptions): Promise<ListPage> {
    const answer = await this.#read<{
      items?: KubeObject[];
      metadata?: { resourceVersion?: string; continue?: string };
    }>('list', kind, {
      method: 'GET',
      path: pathOf(kind, options.namespace),
      query: {
        labelSelector: options.labelSelector,
        limit: options.limit?.toString(),
        continue: options.continueToken === '' ? undefined : options.continueToken,
      },
      signal: options.signal,
    });
    const { resourceVersion = '', continue: continueToken = '' } = answer.metadata ?? {};
    return { items: answer.items ?? [], resourceVersion, continueToken };
  }

  /** Raw lines of a watch with bookmarks. */
  watch(kind: KindRef, options: WatchOptions): AsyncGenerator<string> {
    this.observer?.onRequest('watch', kind, '');
    return this.transport.lines(
      {
        method: 'GET',
        path: pathOf(kind, options.namespace),
        query: {
          watch: 'true',
          allowWatchBookmarks: 'true',
          labelSelector: options.labelSelector,
          resourceVersion: options.resourceVersion,
          timeoutSeconds: options.timeoutSeconds.toString(),
        },
        signal: options.signal,
      },
      options.silenceMs,
    );
  }

  async create<T extends KubeObject>(kind: KindRef, object: KubeObject, signal?: AbortSignal): Promise<T> {
    const path = pathOf(kind, object.metadata.namespace);
    const query = { fieldManager: this.fieldManager };
    return this.#write<T>('create', kind, '', { method: 'POST', path, query, body: object, signal });
  }

  /** JSON merge patch. Put `metadata.resourceVersion` into it wherever another's change must not be overwritten. */
  async patch<T extends KubeObject>(
    kind: KindRef,
    key: ObjectKey,
    patch: object,
    options: { readonly subresource?: 'status'; readonly signal?: AbortSignal } = {},
  ): Promise<T> {
    const { subresource, signal } = options;
    return this.#write<T>('patch', kind, subresource ?? '', {
      method: 'PATCH',
      path: pathOf(kind, key.namespace, key.name, subresource),
      query: { fieldManager: this.fieldManager },
      body: patch,
      contentType: mergePatch,
      signal,
    });
  }

  /** Deleting what is gone already is no error. */
  async delete(kind: KindRef, key: ObjectKey, options: DeleteOptions = {}): Promise<void> {
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: options.propagation ?? 'Background',
      ...(options.uid === undefined ? {} : { preconditions: { uid: options.uid } }),
    };
    try {
      await this.#write('delete', kind, '', { method: 'DELETE', path: pathOf(kind, key.namespace, key.name), body });
    } catch (error) {
      if (!isKubeError(error, 'KUBE_NOT_FOUND')) throw error;
    }
  }

  async #read<T>(verb: string, kind: KindRef, spec: RequestSpec): Promise<T> {
    this.observer?.onRequest(verb, kind, '');
    return this.transport.request<T>(spec);
  }

  async #write<T>(verb: WriteKind, kind: KindRef, subresource: string, spec: RequestSpec): Promise<T> {
    await this.limiter.take(spec.signal);
    if (!this.mayWrite()) {
      throw new KubeError('KUBE_NOT_LEADER', `${verb} of a ${kind.kind} refused: the lease is lost`, {
        retry: 'never',
      });
    }
    this.observer?.onRequest(verb, kind, subresource);
    return this.transport.request<T>(spec);
  }
}
