import { type Clock, sleepOn, type Timer } from '../../src/clock.js';

/** Milliseconds between two looks at the real time. */
const beatMs = 5;
/** Most, in real milliseconds, that counts of the time between two looks. */
const mostMs = 50;

/**
 * Real time, run faster: an hour of back-off passes in a minute, and everything still happens in its own order. On a busy machine
 * it goes slower: while this process has to wait for its turn nothing can answer, and no time-out is to run.
 */
export class ScaledClock implements Clock {
  readonly #epoch = Date.now();
  #elapsed = 0;
  #lastBeat = performance.now();
  readonly #beats: NodeJS.Timeout;

  /** @param speed how many times faster than real time, at most. */
  constructor(readonly speed: number) {
    this.#beats = setInterval(() => this.#beat(), beatMs).unref();
  }

  /** No more time is counted; whoever still waits, waits for ever. Otherwise it beats, and is kept, as long as its process lives. */
  stop(): void {
    clearInterval(this.#beats);
  }

  #beat(): void {
    this.#elapsed = this.monotonic();
    this.#lastBeat = performance.now();
  }

  now(): number {
    return this.#epoch + this.monotonic();
  }

  monotonic(): number {
    return this.#elapsed + Math.min(performance.now() - this.#lastBeat, mostMs) * this.speed;
  }

  after(ms: number, task: () => void): Timer {
    const due = this.monotonic() + ms;
    let handle: NodeJS.Timeout;
    const wait = () => {
      const left = due - this.monotonic();
      if (left <= 0) {
        task();
        return;
      }
      handle = setTimeout(wait, Math.min(left / this.speed, 2 ** 31 - 1)).unref();
    };
    handle = setTimeout(wait, Math.min(ms / this.speed, 2 ** 31 - 1)).unref();
    return { cancel: () => clearTimeout(handle) };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }
}
