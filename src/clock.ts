/**
 * The one door to time and chance. Everything else takes a `Clock` and a `Random` as constructor arguments, so that a test
 * can run hours of back-off in a millisecond and replay a run from its seed.
 */

/** A pending timer; `cancel` is idempotent. */
export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Wall-clock time, milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a clock that never jumps; only differences mean something. */
  monotonic(): number;
  /** Runs `task` once after `ms` milliseconds. Does not keep the process alive. */
  after(ms: number, task: () => void): Timer;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}

/** Wall-clock time as Kubernetes writes it: RFC 3339 in UTC, whole seconds. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

export class SystemClock implements Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  after(ms: number, task: () => void): Timer {
    // Node fires at once when a delay does not fit 32 bits.
    const handle = setTimeout(task, Math.min(ms, 2 ** 31 - 1));
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  }

  /** Keeps the process alive until cancelled, while everything else waits on timers that do not. */
  hold(): Timer {
    const handle = setInterval(() => undefined, 2 ** 30);
    return { cancel: () => clearInterval(handle) };
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }
}

/** `Clock.sleep` for any clock that has timers. */
export function sleepOn(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      timer.cancel();
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
    };
    const timer = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

export class SystemRandom implements Random {
  next(): number {
    return Math.random();
  }
}
