import { type Clock, sleepOn, type Timer } from '../../src/clock.js';

/** Real time, run faster: an hour of back-off passes in a minute, and everything still happens in its own order. */
export class ScaledClock implements Clock {
  readonly #startedAt = performance.now();
  readonly #epoch = Date.now();

  /** @param speed how many times faster than real time. */
  constructor(readonly speed: number) {}

  now(): number {
    return this.#epoch + this.monotonic();
  }

  monotonic(): number {
    return (performance.now() - this.#startedAt) * this.speed;
  }

  after(ms: number, task: () => void): Timer {
    const handle = setTimeout(task, Math.min(ms / this.speed, 2 ** 31 - 1));
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }
}
