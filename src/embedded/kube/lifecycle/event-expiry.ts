import type { Clock, Timer } from '../../../clock.js';
import { keyOfObject, type ObjectStore } from '../store/store.js';

const SWEEP_MS = 60_000;

/** Removes events that nobody wrote for an hour, as a real server does; time in ms. */
export class EventExpiry {
  #timer: Timer | undefined;
  readonly #written = new Map<string, number>();

  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
    private readonly ttlMs: number,
  ) {
    for (const event of store.list('events')) this.#written.set(keyOfObject(event), clock.now());
    store.onChange((change) => {
      if (change.resource !== 'events') return;
      if (change.type === 'DELETED') this.#written.delete(change.key);
      else this.#written.set(change.key, clock.now());
    });
  }

  start(): void {
    this.#timer = this.clock.after(SWEEP_MS, () => {
      this.#sweep();
      this.start();
    });
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #sweep(): void {
    const oldest = this.clock.now() - this.ttlMs;
    for (const [key, time] of this.#written) if (time <= oldest) this.store.remove('events', key);
  }
}
