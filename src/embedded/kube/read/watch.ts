import type { Clock, Random, Timer } from '../../../clock.js';
import { apiVersionOf, storeId, type ResourceKind } from '../kinds/resource-kind.js';
import type { Dict, KubeObject } from '../object.js';
import type { Change } from '../store/history.js';
import type { ObjectStore } from '../store/store.js';
import { expired } from '../wire/status-error.js';
import type { ListOptions } from './list-options.js';
import type { Presenter } from './representation.js';

/** Where a watch writes its lines. */
export interface WatchSink {
  write(line: string): void;
  /** Bytes written but not yet taken by the client. */
  readonly pending: number;
  end(): void;
  destroy(): void;
}

export interface WatchSettings {
  clock: Clock;
  random: Random;
  /** Milliseconds between bookmarks. */
  bookmarkMs: number;
}

/** A client that takes nothing for so long is cut off, as by a real server; it lists anew. */
const MAX_PENDING_BYTES = 64 * 2 ** 20;

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

interface Request {
  kind: ResourceKind;
  namespace: string | undefined;
  options: ListOptions;
  presenter: Presenter;
  sink: WatchSink;
}

class Watch {
  readonly #timers: Timer[] = [];
  #closed = false;

  constructor(
    private readonly request: Request,
    private readonly settings: WatchSettings,
    private readonly store: ObjectStore,
    private readonly onClose: (watch: Watch) => void,
  ) {}

  start(): void {
    const { options } = this.request;
    const seconds = options.timeoutSeconds ?? 1800 + 1800 * this.settings.random.next();
    this.#timers.push(this.settings.clock.after(seconds * 1000, () => this.finish()));
    if (options.allowWatchBookmarks) this.#bookmarkLater();
    if (this.#wantsState()) this.#sendState();
    else this.#resume(options.resourceVersion!);
  }

  take(change: Change): void {
    const { namespace, options } = this.request;
    if (namespace && change.object.metadata.namespace !== namespace) return;
    const is = change.type !== 'DELETED' && options.matches(change.object);
    const was = change.previous !== undefined && options.matches(change.previous);
    if (is) this.#send(was ? 'MODIFIED' : 'ADDED', change.object);
    else if (was) this.#send('DELETED', leaving(change));
  }

  /** Ends the stream as a time-out does: with a bookmark, if those are wanted. */
  finish(): void {
    if (this.request.options.allowWatchBookmarks) this.#bookmark();
    this.request.sink.end();
    this.close();
  }

  drop(): void {
    this.request.sink.destroy();
    this.close();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const timer of this.#timers) timer.cancel();
    this.onClose(this);
  }

  #wantsState(): boolean {
    const { resourceVersion, sendInitialEvents } = this.request.options;
    return sendInitialEvents ?? !resourceVersion;
  }

  #sendState(): void {
    const { kind, namespace, options } = this.request;
    for (const object of this.store.list(storeId(kind), namespace)) {
      if (options.matches(object)) this.#send('ADDED', object);
    }
    if (options.sendInitialEvents && options.allowWatchBookmarks) {
      this.#bookmark({ 'k8s.io/initial-events-end': 'true' });
    }
  }

  #resume(rv: number): void {
    // Without initial events, an unset or zero version means from now on.
    const from = rv ? rv : this.store.resourceVersion;
    const history = this.store.history(storeId(this.request.kind));
    const changes = history.since(from);
    if (changes) return changes.forEach((change) => this.take(change));
    this.#write('ERROR', expired(`too old resource version: ${from} (${history.floor + 1})`).toStatus());
    this.request.sink.end();
    this.close();
  }

  #bookmarkLater(): void {
    const timer = this.settings.clock.after(this.settings.bookmarkMs, () => {
      this.#timers.splice(this.#timers.indexOf(timer), 1);
      this.#bookmark();
      this.#bookmarkLater();
    });
    this.#timers.push(timer);
  }

  #bookmark(annotations?: Record<string, string>): void {
    const { kind } = this.request;
    const resourceVersion = String(this.store.resourceVersion);
    const metadata = { resourceVersion, creationTimestamp: null, ...(annotations ? { annotations } : {}) };
    this.#write('BOOKMARK', { kind: kind.kind, apiVersion: apiVersionOf(kind), metadata });
  }

  #send(type: EventType, object: KubeObject): void {
    this.#write(type, this.request.presenter.one(object));
  }

  #write(type: EventType, object: Dict): void {
    if (this.#closed) return;
    this.request.sink.write(`${JSON.stringify({ type, object })}\n`);
    if (this.request.sink.pending > MAX_PENDING_BYTES) this.drop();
  }
}

/** An object that leaves a selection shows its last selected state, under the resourceVersion of the change. */
function leaving({ type, object, previous }: Change): KubeObject {
  if (type === 'DELETED' || !previous) return object;
  const { resourceVersion } = object.metadata;
  return { ...previous, metadata: { ...previous.metadata, resourceVersion } };
}

/** All open watches. */
export class WatchHub {
  readonly #watches = new Map<string, Set<Watch>>();
  readonly #unsubscribe: () => void;

  constructor(
    private readonly store: ObjectStore,
    private readonly settings: WatchSettings,
  ) {
    this.#unsubscribe = store.onChange((change) => {
      for (const watch of this.#watches.get(change.resource) ?? []) watch.take(change);
    });
  }

  get size(): number {
    return [...this.#watches.values()].reduce((sum, watches) => sum + watches.size, 0);
  }

  /** Starts a watch; the returned function must be called when the client is gone. */
  open(request: Request): () => void {
    const id = storeId(request.kind);
    const watches = this.#watches.get(id) ?? new Set();
    this.#watches.set(id, watches);
    const watch = new Watch(request, this.settings, this.store, (closed) => watches.delete(closed));
    watches.add(watch);
    watch.start();
    return () => watch.close();
  }

  /** Ends every watch of a resource, or all: cleanly, or by cutting the connection. */
  end(how: 'finish' | 'drop', resource?: string): void {
    for (const [id, watches] of this.#watches) {
      if (resource === undefined || id === resource) for (const watch of [...watches]) watch[how]();
    }
  }

  close(): void {
    this.#unsubscribe();
    this.end('finish');
  }
}
