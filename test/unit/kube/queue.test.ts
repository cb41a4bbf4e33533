import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Decision, type Priority, priority, WorkQueue } from '../../../src/kube/index.js';
import { FakeClock, settle } from '../../support/fake-clock.js';
import { replay } from '../../support/seed.js';

interface Run {
  readonly key: string;
  readonly signal: AbortSignal;
  end(decision?: Decision): Promise<void>;
  fail(error: Error): Promise<void>;
}

/** A queue whose handlers run until the test ends them. */
class Bench {
  readonly clock = new FakeClock();
  readonly started: string[] = [];
  readonly runs = new Map<string, Run>();
  readonly told: string[] = [];
  readonly overlaps: string[] = [];
  readonly queue = new WorkQueue(this.clock, {
    onAdd: (key) => this.told.push(`add ${key}`),
    onDone: (key, outcome, seconds) => this.told.push(`${outcome} ${key} ${seconds}`),
    onError: (key, error) => this.told.push(`error ${key} ${(error as Error).message}`),
  });

  start(workers: number): this {
    this.queue.start(workers, (key, signal) => this.#handle(key, signal));
    return this;
  }

  #handle(key: string, signal: AbortSignal): Promise<Decision> {
    if (this.runs.has(key)) this.overlaps.push(key);
    this.started.push(key);
    return new Promise<Decision>((resolve, reject) => {
      const over = async (act: () => void) => {
        this.runs.delete(key);
        act();
        await settle(1);
      };
      this.runs.set(key, {
        ...{ key, signal },
        end: (decision = { kind: 'done' }) => over(() => resolve(decision)),
        fail: (error) => over(() => reject(error)),
      });
    });
  }

  /** Milliseconds until a key is worked on again. */
  async gap(key: string, limit = 3_000_000): Promise<number> {
    const from = this.clock.monotonic();
    const count = this.started.length;
    while (this.started.length === count || this.started.at(-1) !== key) {
      if (this.clock.untilNext === null || this.clock.monotonic() - from > limit) return Number.NaN;
      this.clock.advance(this.clock.untilNext);
    }
    return this.clock.monotonic() - from;
  }
}

describe('the queue', () => {
  it('works on a key once, however often it is added before', () => {
    const bench = new Bench();
    for (let times = 0; times < 5; times += 1) bench.queue.add('a');
    expect(bench.queue.depth).toBe(1);
    bench.start(4);
    expect([bench.started, bench.queue.depth, bench.queue.busy]).toEqual([['a'], 0, 1]);
    expect(bench.told).toEqual(['add a']);
  });

  it('comes back, once, to a key that is added while it is worked on, and not before it is done', async () => {
    const bench = new Bench().start(4);
    bench.queue.add('a');
    bench.queue.add('a');
    bench.queue.add('a');
    expect(bench.started).toEqual(['a']);
    await bench.runs.get('a')!.end();
    expect(bench.started).toEqual(['a', 'a']);
    await bench.runs.get('a')!.end();
    expect(bench.started).toEqual(['a', 'a']);
  });

  it('comes back at once to a key added meanwhile, although its handler asked for a pause', async () => {
    const bench = new Bench().start(1);
    bench.queue.add('a');
    bench.queue.add('a');
    await bench.runs.get('a')!.end({ kind: 'after', ms: 60_000 });
    expect([bench.started, bench.queue.scheduled]).toEqual([['a', 'a'], 0]);
  });

  it('never has more workers than it was given, and goes in order of arrival', async () => {
    const bench = new Bench().start(2);
    for (const key of ['a', 'b', 'c', 'd']) bench.queue.add(key);
    expect(bench.started).toEqual(['a', 'b']);
    await bench.runs.get('b')!.end();
    expect(bench.started).toEqual(['a', 'b', 'c']);
  });

  it('prefers higher priorities, and lifts a waiting key that is added with a higher one', async () => {
    const bench = new Bench();
    bench.queue.add('resync', priority.resync);
    bench.queue.add('lifted', priority.resync);
    bench.queue.add('retry', priority.retry);
    bench.queue.add('node', priority.node);
    bench.queue.add('lifted', priority.user);
    bench.queue.add('lifted', priority.resync);
    bench.start(1);
    for (let times = 0; times < 3; times += 1) await bench.runs.get(bench.started.at(-1)!)!.end();
    expect(bench.started).toEqual(['lifted', 'node', 'retry', 'resync']);
  });

  it('keeps the highest priority with which a key was added while it was worked on', async () => {
    const bench = new Bench().start(1);
    bench.queue.add('a');
    bench.queue.add('a', priority.resync);
    bench.queue.add('a', priority.user);
    bench.queue.add('b', priority.node);
    await bench.runs.get('a')!.end();
    expect(bench.started).toEqual(['a', 'a']);
  });

  it('spaces failures by 5 ms, doubled each time, up to 1,000 s', async () => {
    const bench = new Bench().start(1);
    bench.queue.add('a');
    const gaps: number[] = [];
    for (let failures = 0; failures < 20; failures += 1) {
      const run = bench.runs.get('a')!;
      await (failures % 2 === 0 ? run.end({ kind: 'backoff' }) : run.fail(new Error('boom')));
      gaps.push(await bench.gap('a'));
    }
    expect(gaps.slice(0, 6)).toEqual([5, 10, 20, 40, 80, 160]);
    expect(gaps.slice(17)).toEqual([655_360, 1_000_000, 1_000_000]);
  });

  it('keeps to the cap that the handler sets', async () => {
    const bench = new Bench().start(1);
    bench.queue.add('a');
    for (let failures = 0; failures < 15; failures += 1) {
      await bench.runs.get('a')!.end({ kind: 'backoff', maxMs: 30_000 });
      expect(await bench.gap('a')).toBe(Math.min(30_000, 5 * 2 ** failures));
    }
  });

  it('lets what follows a long trouble begin with the shortest gap, and still space a key that does nothing else', async () => {
    const bench = new Bench().start(1);
    bench.queue.add('a');
    for (let failures = 0; failures < 40; failures += 1) {
      await bench.runs.get('a')!.end({ kind: 'backoff', maxMs: 30_000 });
      await bench.gap('a');
    }
    const gaps: number[] = [];
    for (let rounds = 0; rounds < 6; rounds += 1) {
      await bench.runs.get('a')!.end({ kind: 'backoff' });
      gaps.push(await bench.gap('a'));
      await bench.runs.get('a')!.end({ kind: 'backoff', maxMs: 30_000 });
      await bench.gap('a');
    }
    expect(gaps).toEqual([5, 10, 20, 40, 80, 160]);
  });

  it.each<Decision>([{ kind: 'done' }, { kind: 'after', ms: 1000 }])(
    'forgets failures after $kind',
    async (decision) => {
      const bench = new Bench().start(1);
      bench.queue.add('a');
      for (let failures = 0; failures < 4; failures += 1) {
        await bench.runs.get('a')!.end({ kind: 'backoff' });
        await bench.gap('a');
      }
      await bench.runs.get('a')!.end(decision);
      bench.queue.add('a');
      await bench.runs.get('a')!.end({ kind: 'backoff' });
      expect(await bench.gap('a')).toBe(5);
    },
  );

  it('counts the failures of each key for itself', async () => {
    const bench = new Bench().start(2);
    bench.queue.add('a');
    bench.queue.add('b');
    await bench.runs.get('a')!.end({ kind: 'backoff' });
    await bench.gap('a');
    await bench.runs.get('a')!.end({ kind: 'backoff' });
    await bench.runs.get('b')!.end({ kind: 'backoff' });
    expect(await bench.gap('b')).toBe(5);
  });

  it('lets the sooner of two times win', async () => {
    const bench = new Bench().start(1);
    bench.queue.addAfter('a', 1000);
    bench.queue.addAfter('a', 5000);
    expect(await bench.gap('a')).toBe(1000);
    await bench.runs.get('a')!.end();
    bench.queue.addAfter('a', 5000);
    bench.queue.addAfter('a', 1000);
    expect(await bench.gap('a')).toBe(1000);
    await bench.runs.get('a')!.end();
    expect(bench.queue.scheduled).toBe(0);
    bench.queue.addAfter('a', 0);
    expect(bench.started).toEqual(['a', 'a', 'a']);
  });

  it('drops the wait of a key that is added', () => {
    const bench = new Bench().start(1);
    bench.queue.addAfter('a', 1000);
    bench.queue.add('a');
    expect([bench.started, bench.queue.scheduled]).toEqual([['a'], 0]);
  });

  it('goes on when a handler throws, and tells of it', async () => {
    const bench = new Bench().start(1);
    bench.queue.add('a');
    bench.queue.add('b');
    bench.clock.advance(1500);
    await bench.runs.get('a')!.fail(new Error('boom'));
    expect(bench.started).toEqual(['a', 'b']);
    expect(bench.told).toEqual(['add a', 'add b', 'error a boom', 'error a 1.5']);
    const brittle = new WorkQueue(bench.clock, { onError: (key) => bench.told.push(`threw ${key}`) });
    brittle.start(1, () => {
      throw new Error('before any promise');
    });
    brittle.add('c');
    await settle(1);
    expect([bench.told.at(-1), brittle.scheduled]).toEqual(['threw c', 1]);
  });

  it('stops: aborts what runs, waits for it, and takes nothing more', async () => {
    const bench = new Bench().start(1);
    bench.queue.add('a');
    bench.queue.add('a');
    bench.queue.add('b');
    bench.queue.addAfter('c', 1000);
    let stopped = false;
    const stopping = bench.queue.stop().then(() => (stopped = true));
    await settle(1);
    expect([bench.runs.get('a')!.signal.aborted, stopped]).toEqual([true, false]);
    await bench.runs.get('a')!.end({ kind: 'backoff' });
    await stopping;
    bench.queue.add('d');
    bench.queue.addAfter('e', 1000);
    expect([bench.started, bench.queue.depth, bench.queue.scheduled, bench.clock.waiting]).toEqual([['a'], 0, 0, 0]);
    await bench.queue.stop();
  });
});

type Act =
  | { readonly kind: 'add'; readonly key: string; readonly level: Priority }
  | { readonly kind: 'addAfter'; readonly key: string; readonly ms: number }
  | { readonly kind: 'end'; readonly key: string; readonly decision: Decision | 'throw' }
  | { readonly kind: 'pass'; readonly ms: number };

const key = fc.constantFrom('a', 'b', 'c', 'd');
const act = fc.oneof<fc.Arbitrary<Act>[]>(
  fc.record({ kind: fc.constant('add'), key, level: fc.constantFrom(0, 1, 2, 3) }) as fc.Arbitrary<Act>,
  fc.record({ kind: fc.constant('addAfter'), key, ms: fc.integer({ min: 0, max: 500 }) }) as fc.Arbitrary<Act>,
  fc.record({
    ...{ kind: fc.constant('end'), key },
    decision: fc.constantFrom<Decision | 'throw'>(
      ...[
        { kind: 'done' } as const,
        { kind: 'backoff' } as const,
        { kind: 'after', ms: 50 } as const,
        'throw' as const,
      ],
    ),
  }) as fc.Arbitrary<Act>,
  fc.record({ kind: fc.constant('pass'), ms: fc.integer({ min: 1, max: 300 }) }) as fc.Arbitrary<Act>,
);

async function interleave(workers: number, acts: readonly Act[]): Promise<void> {
  const bench = new Bench().start(workers);
  /** How many times the key had been started when it was last asked for. */
  const owed = new Map<string, number>();
  const startsOf = (name: string) => bench.started.filter((each) => each === name).length;
  for (const move of acts) {
    if ('key' in move && move.kind !== 'end') owed.set(move.key, startsOf(move.key));
    await perform(bench, move);
    expect([bench.overlaps, bench.queue.busy]).toEqual([[], bench.runs.size]);
    expect(bench.queue.busy).toBeLessThanOrEqual(workers);
  }
  await drain(bench);
  for (const [name, before] of owed) expect([name, startsOf(name) > before]).toEqual([name, true]);
  expect([bench.clock.waiting, bench.overlaps]).toEqual([0, []]);
}

async function perform({ queue, clock, runs }: Bench, move: Act): Promise<void> {
  switch (move.kind) {
    case 'add':
      return queue.add(move.key, move.level);
    case 'addAfter':
      return queue.addAfter(move.key, move.ms);
    case 'pass':
      return clock.advanceAsync(move.ms);
    case 'end':
      return endRun(runs.get(move.key), move.decision);
  }
}

async function drain({ runs, queue, clock }: Bench): Promise<void> {
  while (runs.size > 0 || queue.depth > 0 || queue.scheduled > 0) {
    for (const run of [...runs.values()]) await run.end();
    clock.advance(clock.untilNext ?? 0);
  }
}

async function endRun(run: Run | undefined, decision: Decision | 'throw'): Promise<void> {
  await (decision === 'throw' ? run?.fail(new Error('boom')) : run?.end(decision));
}

describe('whatever happens in whatever order, the queue', () => {
  it('never works on one key twice at a time, never forgets one that was added, and comes to rest', async () => {
    const acts = fc.array(act, { maxLength: 40 });
    await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 3 }), acts, interleave), {
      ...replay('queue'),
      numRuns: 200,
    });
  });
});
