/** What the operator starts and stops, one for each kind that it serves. */
import type { Decision, KubeObject, ObjectStore, StoreEvent, WorkQueue } from '../kube/index.js';
import { keyOf, priority } from '../kube/index.js';
import { concernsOperator } from './change.js';

export interface Controller {
  /** Of its metrics and its log, such as `baremetalhost`. */
  readonly name: string;
  /** Once the stores are filled. */
  start(workers: number): void;
  /** Lets what is being worked on come to its end. */
  stop(): Promise<void>;
}

export type Reconcile = (key: string, signal: AbortSignal) => Promise<Decision>;

/** Objects of another kind that bring one of ours into the queue. */
export interface Waker {
  readonly store: ObjectStore<KubeObject>;
  /** Keys (`namespace/name`) of the objects to look at; none: it is of no concern. */
  readonly keysOf: (event: StoreEvent<KubeObject>) => readonly string[];
  /** Keys to look at besides when the controller starts: of what happened while nobody looked. */
  readonly keysAtStart?: () => readonly string[];
}

/** The controller of one kind that has no more to it than a store, a queue and what is done about an object. */
export class ObjectController implements Controller {
  #isStarted = false;

  constructor(
    readonly name: string,
    private readonly objects: ObjectStore<KubeObject>,
    private readonly queue: WorkQueue,
    private readonly reconcile: Reconcile,
    private readonly wakers: readonly Waker[] = [],
  ) {
    objects.listen((event) => {
      if (concernsOperator(event)) this.#add([keyOf(event.object)]);
    });
    for (const { store, keysOf } of wakers) store.listen((event) => this.#add(keysOf(event)));
  }

  start(workers: number): void {
    this.#isStarted = true;
    const besides = this.wakers.flatMap(({ keysAtStart }) => keysAtStart?.() ?? []);
    for (const key of [...[...this.objects.values()].map(keyOf), ...besides]) this.queue.add(key, priority.resync);
    this.queue.start(workers, this.reconcile);
  }

  stop(): Promise<void> {
    return this.queue.stop();
  }

  #add(keys: readonly string[]): void {
    if (this.#isStarted) for (const key of keys) this.queue.add(key, priority.user);
  }
}
