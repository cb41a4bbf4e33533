import type { Change } from '../store/history.js';
import type { ObjectStore } from '../store/store.js';
import type { GarbageCollector } from './garbage-collector.js';

interface Controller {
  settle(change: Change): void;
}

/**
 * Runs the controllers of the server itself after each write, until nothing is left to do, within the same turn: a client that
 * has its answer sees the consequences too. Their own writes queue up, they do not recurse.
 */
export class Lifecycle {
  readonly #pending: Change[] = [];
  #busy = false;

  constructor(
    store: ObjectStore,
    collector: GarbageCollector,
    private readonly controllers: readonly Controller[],
  ) {
    store.onChange((change) => {
      collector.index(change);
      this.#pending.push(change);
      this.#drain();
    });
  }

  #drain(): void {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let change = this.#pending.shift(); change; change = this.#pending.shift()) {
        for (const controller of this.controllers) controller.settle(change);
      }
    } finally {
      this.#busy = false;
    }
  }
}
