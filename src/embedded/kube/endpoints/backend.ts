import { timestamp, type Clock, type Random } from '../../../clock.js';
import { CRDS, NAMESPACES } from '../kinds/built-in.js';
import { KindRegistry } from '../kinds/registry.js';
import { storeId } from '../kinds/resource-kind.js';
import { DefinitionController } from '../lifecycle/definition-controller.js';
import { EventExpiry } from '../lifecycle/event-expiry.js';
import { GarbageCollector } from '../lifecycle/garbage-collector.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LASTING, NamespaceController } from '../lifecycle/namespace-controller.js';
import { deepEqual, dictOf, type Dict, type KubeObject } from '../object.js';
import { ListReader } from '../read/list.js';
import { WatchHub } from '../read/watch.js';
import { Journal, type JournalContent } from '../store/journal.js';
import { ObjectStore } from '../store/store.js';
import type { Admit } from '../write/admission.js';
import { Deletion } from '../write/deletion.js';
import { Identifiers } from '../write/identifiers.js';
import { shape, verify, type WriteRequest } from '../write/write-request.js';
import { newborn } from '../write/next-version.js';
import { ResourceWriter } from '../write/writer.js';

export interface BackendOptions {
  crds: readonly Dict[];
  clock: Clock;
  random: Random;
  dataDir: string | undefined;
  historySize: number;
  bookmarkMs: number;
  eventTtlMs: number;
  onWarning: (text: string) => void;
  admit: Admit | undefined;
}

/** Everything behind the HTTP edge: the store, what reads and writes it, and the controllers that live in it. */
export class Backend {
  readonly registry = new KindRegistry();
  readonly store: ObjectStore;
  readonly lists: ListReader;
  readonly watches: WatchHub;
  readonly deletion: Deletion;
  readonly writer: ResourceWriter;
  readonly #journal: Journal | undefined;
  readonly #expiry: EventExpiry;
  readonly #identifiers: Identifiers;

  /** Throws InputError for a definition that cannot be served or a folder in use. */
  constructor(private readonly options: BackendOptions) {
    const { clock, random, onWarning } = options;
    this.#journal = options.dataDir ? new Journal({ folder: options.dataDir, onWarning }) : undefined;
    this.#identifiers = new Identifiers(random);
    this.store = this.#openStore(this.#journal?.content);
    this.watches = new WatchHub(this.store, { clock, random, bookmarkMs: options.bookmarkMs });
    this.lists = new ListReader(this.store);
    this.deletion = new Deletion(this.store, clock);
    const namespaces = new NamespaceController(this.store, this.registry, this.deletion);
    this.writer = new ResourceWriter({
      store: this.store,
      deletion: this.deletion,
      identifiers: this.#identifiers,
      clock,
      checkNamespace: (request, name) => namespaces.checkOpen(request, name),
      admit: options.admit,
    });
    this.#expiry = new EventExpiry(this.store, clock, options.eventTtlMs);
    this.#startControllers(namespaces);
    try {
      this.#plant();
    } catch (error) {
      this.close();
      throw error;
    }
    this.#expiry.start();
  }

  close(): void {
    this.#expiry.stop();
    this.watches.close();
    this.#journal?.close();
  }

  #openStore(content: JournalContent | undefined): ObjectStore {
    const store = new ObjectStore({
      historySize: this.options.historySize,
      ...(content ? { resourceVersion: content.resourceVersion } : {}),
      persist: (change) => this.#journal?.append(change),
    });
    for (const [resource, objects] of content?.objects ?? []) {
      for (const object of objects.values()) store.restore(resource, object);
    }
    return store;
  }

  #startControllers(namespaces: NamespaceController): void {
    const { store, registry, deletion } = this;
    const collector = new GarbageCollector(store, registry, deletion);
    for (const resource of store.resources()) {
      for (const object of store.list(resource)) {
        const { namespace, name } = object.metadata;
        const key = namespace ? `${namespace}/${name}` : name;
        collector.index({ rv: 0, type: 'ADDED', resource, key, object, previous: undefined });
      }
    }
    const endWatches = (resource: string) => this.watches.end('finish', resource);
    const definitions = new DefinitionController(store, registry, deletion, this.options.clock, endWatches);
    new Lifecycle(store, collector, [definitions, namespaces, collector]);
  }

  /** Makes what must be there: the lasting namespaces and the given definitions, newer than those of an earlier run. */
  #plant(): void {
    for (const crd of this.store.list(storeId(CRDS))) this.registry.define(crd);
    for (const name of LASTING) {
      if (!this.store.get('namespaces', name)) this.#create(NAMESPACES, { metadata: { name } });
    }
    for (const crd of this.options.crds) this.#plantDefinition(crd);
  }

  #plantDefinition(crd: Dict): void {
    const name = String(dictOf(crd['metadata'])['name']);
    const current = this.store.get(storeId(CRDS), name);
    if (!current) return this.#create(CRDS, crd);
    const spec = CRDS.prepare?.(crd as KubeObject, current)['spec'] ?? crd['spec'];
    if (deepEqual(current['spec'], spec)) return;
    const generation = (current.metadata.generation ?? 0) + 1;
    const next: KubeObject = { ...current, spec, metadata: { ...current.metadata, generation } };
    verify(CRDS, next, current);
    this.store.put(storeId(CRDS), next);
  }

  #create(kind: typeof CRDS, body: Dict): void {
    const name = String(dictOf(body['metadata'])['name']);
    const request: WriteRequest = {
      kind,
      namespace: undefined,
      name,
      subresource: '',
      manager: 'ironchart',
      dryRun: false,
      fieldValidation: 'Ignore',
      force: false,
      warn: (text) => this.options.onWarning(text),
    };
    const given = { ...body, apiVersion: kind.group ? `${kind.group}/${kind.version}` : kind.version, kind: kind.kind };
    const birth = { name, uid: this.#identifiers.uid(), time: timestamp(this.options.clock.now()) };
    const shaped = shape(request, newborn(request, given, birth));
    const object = kind.prepare?.(shaped, undefined) ?? shaped;
    verify(kind, object, undefined);
    this.store.put(storeId(kind), object);
  }
}
