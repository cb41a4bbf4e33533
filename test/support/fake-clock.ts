import { type Clock, sleepOn, type Timer } from '../../src/clock.js';

interface Pending {
  due: number;
  order: number;
  task: () => void;
  /** Fired or cancelled. */
  gone: boolean;
}

/** A clock that stands still until it is told to go on. Timers fire in order of their time, then of their creation. */
export class FakeClock implements Clock {
  private elapsed = 0;
  private order = 0;
  private pending: Pending[] = [];

  constructor(private readonly epoch = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.epoch + this.elapsed;
  }

  monotonic(): number {
    return this.elapsed;
  }

  after(ms: number, task: () => void): Timer {
    const entry: Pending = { due: this.elapsed + Math.max(0, ms), order: this.order++, task, gone: false };
    this.pending.splice(this.placeOf(entry), 0, entry);
    return {
      cancel: () => {
        if (!entry.gone) this.pending.splice(this.placeOf(entry), 1);
        entry.gone = true;
      },
    };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  /** How many timers wait. */
  get waiting(): number {
    return this.pending.length;
  }

  /** Milliseconds until the next timer, or null. */
  get untilNext(): number | null {
    const next = this.next();
    return next ? next.due - this.elapsed : null;
  }

  /** Lets time pass and fires what falls due, without letting promises settle in between. */
  advance(ms: number): void {
    const end = this.elapsed + ms;
    for (let next = this.next(); next && next.due <= end; next = this.next()) this.fire(next);
    this.elapsed = end;
  }

  /** Like `advance`, but lets promises and I/O settle before, between and after the timers. */
  async advanceAsync(ms: number): Promise<void> {
    const end = this.elapsed + ms;
    await settle();
    for (let next = this.next(); next && next.due <= end; next = this.next()) {
      this.fire(next);
      await settle();
    }
    this.elapsed = end;
  }

  private next(): Pending | undefined {
    return this.pending[0];
  }

  /** Where an entry stands, or belongs, in the list that is kept in order. */
  private placeOf(entry: Pending): number {
    let [low, high] = [0, this.pending.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.pending[middle];
      const isEarlier = other && (other.due < entry.due || (other.due === entry.due && other.order < entry.order));
      if (isEarlier) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private fire(entry: Pending): void {
    this.pending.shift();
    entry.gone = true;
    this.elapsed = Math.max(this.elapsed, entry.due);
    entry.task();
  }
}

/** Several turns of the event loop, so that promises and loopback I/O come through. */
export async function settle(turns = 4): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
}
