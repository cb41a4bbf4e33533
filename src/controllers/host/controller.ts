/**
 * What brings a host into the queue (host-lifecycle spec §13): its own object, when something that a person can have meant has
 * changed; its Secrets, through their owner references; the objects of its own name, once they say something new; a slot that
 * became free. Its status alone does not: that is our doing.
 */
import { isSame } from '../../../machines/index.js';
import {
  type KubeObject,
  keyOf,
  type ObjectStore,
  priority,
  type SecretStore,
  type StoreEvent,
  type StoreSource,
  type WorkQueue,
} from '../../kube/index.js';
import { concernsOperator } from '../change.js';
import type { Controller } from '../controller.js';
import type { HostReconciler } from './reconciler.js';

export interface HostSources {
  readonly hosts: ObjectStore<KubeObject>;
  readonly secrets: ObjectStore<KubeObject>;
  readonly secretStore: SecretStore;
  /** Of kinds whose objects have the names of their hosts. */
  readonly companions: readonly ObjectStore<KubeObject>[];
  readonly onSlotGranted: (listener: (key: string) => void) => void;
}

export class HostController implements Controller {
  readonly name = 'baremetalhost';
  #isStarted = false;

  constructor(
    private readonly sources: HostSources,
    private readonly queue: WorkQueue,
    private readonly reconciler: HostReconciler,
  ) {
    sources.hosts.listen((event) => this.#onHost(event));
    sources.secrets.listen((event) => this.#onSecret(event));
    for (const store of sources.companions) store.listen((event, source) => this.#onCompanion(event, source));
    sources.onSlotGranted((key) => this.queue.add(key, priority.node));
  }

  /** Once the caches are filled: every host is looked at once, after whatever a person changes meanwhile. */
  start(workers: number): void {
    this.#isStarted = true;
    for (const host of this.sources.hosts.values()) this.queue.add(keyOf(host), priority.resync);
    this.queue.start(workers, (key, signal) => this.reconciler.reconcile(key, signal));
  }

  stop(): Promise<void> {
    return this.queue.stop();
  }

  #onHost(event: StoreEvent<KubeObject>): void {
    if (!this.#isStarted || !concernsOperator(event)) return;
    this.queue.add(keyOf(event.object), priority.user);
  }

  #onCompanion(event: StoreEvent<KubeObject>, source: StoreSource): void {
    const key = keyOf(event.object);
    if (!this.#isStarted || source === 'write' || this.sources.hosts.get(key) === undefined) return;
    if (saysSomethingNew(event)) this.queue.add(key, priority.user);
  }

  #onSecret(event: StoreEvent<KubeObject>): void {
    if (!this.#isStarted || this.sources.secretStore.isOwnWrite(event.object)) return;
    for (const key of ownersOf(event.object)) this.queue.add(key, priority.user);
  }
}

/** Their controllers note at each look that they have looked: that alone is no news. */
export function saysSomethingNew(event: StoreEvent<KubeObject>): boolean {
  return event.type !== 'updated' || !isSame(saying(event.before), saying(event.object));
}

function saying({ metadata, spec, status }: KubeObject): unknown {
  const { uid, deletionTimestamp, finalizers, ownerReferences, labels } = metadata;
  const { lastUpdated: _updated, lastReconciled: _reconciled, ...said } = (status ?? {}) as Record<string, unknown>;
  return { uid, deletionTimestamp, finalizers, ownerReferences, labels, spec, said };
}

export function ownersOf({ metadata }: KubeObject): string[] {
  return (metadata.ownerReferences ?? [])
    .filter(({ kind, apiVersion }) => kind === 'BareMetalHost' && apiVersion.startsWith('metal3.io/'))
    .map(({ name }) => keyOf({ metadata: { name, namespace: metadata.namespace } }));
}
