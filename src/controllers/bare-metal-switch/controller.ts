/** Looks at a namespace whenever one of its switches, of their Secrets or of those for Ironic changes. */
import { apiGroup, kinds } from '../../apis/index.js';
import type { KubeObject, ObjectStore, SecretStore, StoreEvent, WorkQueue } from '../../kube/index.js';
import { priority } from '../../kube/index.js';
import { concernsOperator } from '../change.js';
import type { Controller, Reconcile } from '../controller.js';
import { switchController } from './reconciler.js';

export interface SwitchSources {
  readonly switches: ObjectStore<KubeObject>;
  /** Claimed ones, without their data. */
  readonly secrets: ObjectStore<KubeObject>;
  readonly secretStore: Pick<SecretStore, 'isOwnWrite'>;
  /** Names of the Secrets for Ironic. */
  readonly targetNames: readonly string[];
}

export class SwitchController implements Controller {
  readonly name = switchController;
  #isStarted = false;

  constructor(
    private readonly sources: SwitchSources,
    private readonly queue: WorkQueue,
    private readonly reconcile: Reconcile,
  ) {
    const { switches, secrets } = sources;
    switches.listen((event) => {
      if (concernsOperator(event)) this.#add(event.object);
    });
    secrets.listen((event) => {
      if (this.#isNews(event)) this.#add(event.object);
    });
  }

  start(workers: number): void {
    this.#isStarted = true;
    const { switches, secrets } = this.sources;
    // A namespace whose last switch went while nobody looked has the Secrets that speak of it still.
    const left = [...secrets.values()].filter((secret) => this.#isTarget(secret));
    for (const { metadata } of [...switches.values(), ...left]) {
      this.queue.add(metadata.namespace ?? '', priority.resync);
    }
    this.queue.start(workers, this.reconcile);
  }

  stop(): Promise<void> {
    return this.queue.stop();
  }

  #isNews({ type, object }: StoreEvent<KubeObject>): boolean {
    if (type !== 'deleted' && this.sources.secretStore.isOwnWrite(object)) return false;
    return this.#isTarget(object) || isOwnedBySwitch(object);
  }

  #isTarget({ metadata }: KubeObject): boolean {
    return this.sources.targetNames.includes(metadata.name);
  }

  #add({ metadata: { namespace = '' } }: KubeObject): void {
    if (this.#isStarted) this.queue.add(namespace, priority.user);
  }
}

function isOwnedBySwitch({ metadata: { ownerReferences = [] } }: KubeObject): boolean {
  const { kind } = kinds.bareMetalSwitch;
  return ownerReferences.some((owner) => owner.kind === kind && owner.apiVersion.startsWith(`${apiGroup}/`));
}
