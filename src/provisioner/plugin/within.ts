/** A wait with an end, for code that is not ours. */
import type { Clock } from '../../clock.js';
import { IronchartError } from '../../errors.js';

/** @throws IronchartError with the code PLUGIN_TIMEOUT when the work is not done after `ms` milliseconds */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  let expire: (error: Error) => void = () => undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    expire = reject;
  });
  const timer = clock.after(ms, () =>
    expire(new IronchartError('PLUGIN_TIMEOUT', `no answer within ${ms / 1000} s`, { retry: 'backoff' })),
  );
  try {
    return await Promise.race([work, expired]);
  } finally {
    timer.cancel();
  }
}
