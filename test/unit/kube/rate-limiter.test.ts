import { describe, expect, it } from '@jest/globals';
import { RateLimiter } from '../../../src/kube/index.js';
import { FakeClock, settle } from '../../support/fake-clock.js';

async function taking(limiter: RateLimiter, clock: FakeClock, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) void limiter.take().then(() => times.push(clock.monotonic()));
  await clock.advanceAsync(60_000);
  return times;
}

describe('the rate limit', () => {
  it('lets a burst through, and then so many a second, in order', async () => {
    const clock = new FakeClock();
    expect(await taking(new RateLimiter(clock, 10, 3), clock, 6)).toEqual([0, 0, 0, 100, 200, 300]);
  });

  it('fills up while nobody asks, to the burst and no further', async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter(clock, 10, 3);
    await taking(limiter, clock, 10);
    const from = clock.monotonic();
    expect((await taking(limiter, clock, 4)).map((at) => at - from)).toEqual([0, 0, 0, 100]);
  });

  it('does not exist with zero a second', async () => {
    const clock = new FakeClock();
    expect(await taking(new RateLimiter(clock, 0, 0), clock, 50)).toEqual(Array(50).fill(0));
  });

  it('takes the token back from who gives up waiting', async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter(clock, 10, 1);
    await limiter.take();
    const controller = new AbortController();
    const given = limiter.take(controller.signal);
    controller.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    const from = clock.monotonic();
    const next = limiter.take().then(() => clock.monotonic() - from);
    await clock.advanceAsync(1000);
    expect(await next).toBe(100);
  });

  it('goes by a clock that does not jump', async () => {
    const clock = new FakeClock();
    const limiter = new RateLimiter(
      {
        ...clock,
        now: () => -1,
        monotonic: () => clock.monotonic(),
        after: clock.after.bind(clock),
        sleep: clock.sleep.bind(clock),
      },
      10,
      1,
    );
    await limiter.take();
    let done = false;
    void limiter.take().then(() => (done = true));
    await clock.advanceAsync(99);
    expect(done).toBe(false);
    await clock.advanceAsync(1);
    await settle();
    expect(done).toBe(true);
  });
});
