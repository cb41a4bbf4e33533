/** What is remembered of nodes between passes: how much is looked at anew, and when. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { FreshValue } from '../../../src/provisioner/ironic/fresh-value.js';
import { NodeMemory, sparingLooks } from '../../../src/provisioner/ironic/node-memory.js';
import { toNode } from '../../../src/provisioner/ironic/index.js';
import { StillClock } from '../../support/ironic-host.js';

const uuid = '11111111-2222-4333-8444-555555555555';
const node = toNode({ uuid, name: 'lab~host', provision_state: 'cleaning' });

let clock: StillClock;
let memory: NodeMemory;

beforeEach(() => {
  clock = new StillClock();
  clock.ms = 1_000_000;
  memory = new NodeMemory(clock, sparingLooks);
});

/** Milliseconds after the command at which a waiting host looks. */
function looks(longestMs: number, untilMs: number): number[] {
  memory.commanded(uuid);
  const start = clock.ms;
  const seen: number[] = [];
  while (clock.ms - start < untilMs) {
    clock.ms += memory.gap(uuid, longestMs);
    seen.push(clock.ms - start);
  }
  return seen;
}

describe('the gaps between looks at a node that is at work', () => {
  it('begin with a second, grow with the wait, and end at the longest one', () => {
    const seen = looks(10_000, 60_000);
    expect(seen.slice(0, 6)).toEqual([1000, 2000, 3000, 4000, 5000, 6250]);
    expect((seen.at(-1) ?? 0) - (seen.at(-2) ?? 0)).toBe(10_000);
    expect(seen.length).toBe(17);
  });

  it('are never longer than a quarter of the wait so far, so that an end is seen in proportion', () => {
    const seen = looks(10_000, 20_000);
    for (const [index, at] of seen.entries()) {
      const before = seen[index - 1] ?? 0;
      expect(at - before).toBeLessThanOrEqual(Math.max(1000, before / 4));
    }
  });

  it('never exceed the gap that an operation allows', () => {
    const seen = looks(3000, 30_000);
    expect((seen.at(-1) ?? 0) - (seen.at(-2) ?? 0)).toBe(3000);
  });

  it('begin anew with each command', () => {
    looks(10_000, 60_000);
    memory.commanded(uuid);
    expect(memory.gap(uuid, 10_000)).toBe(1000);
  });

  it('begin anew when nobody has waited for a while', () => {
    looks(10_000, 60_000);
    clock.ms += 3_600_000;
    expect(memory.gap(uuid, 10_000)).toBe(1000);
  });

  it('are those of the specification when nothing is to be spared', () => {
    const every = new NodeMemory(clock, { firstLookMs: Infinity, nodeFreshForMs: 0, portsFreshForMs: 0 });
    every.commanded(uuid);
    expect([every.gap(uuid, 3000), every.gap(uuid, 10_000)]).toEqual([3000, 10_000]);
  });
});

describe('a node that was read', () => {
  it('serves for half a second', () => {
    memory.keepNode(node);
    clock.ms += 499;
    expect(memory.node(uuid)).toBe(node);
    clock.ms += 1;
    expect(memory.node(uuid)).toBeUndefined();
  });

  it.each<[string, () => void]>([
    ['a command', () => memory.commanded(uuid)],
    ['a refusal', () => memory.dropNode(uuid)],
    ['its removal', () => memory.forget(uuid)],
  ])('is out of date after %s', (_what, event) => {
    memory.keepNode(node);
    event();
    expect(memory.node(uuid)).toBeUndefined();
  });
});

describe('what holds a host up', () => {
  const at = 1_000_000;

  it('is known since it was first seen, for as long as it is the same', () => {
    expect(memory.heldBy(uuid, 'a lock')).toEqual({ since: at, forMs: 0 });
    clock.ms += 119_000;
    expect(memory.heldBy(uuid, 'a lock')).toEqual({ since: at, forMs: 119_000 });
    clock.ms += 119_000;
    expect(memory.heldBy(uuid, 'a lock')).toEqual({ since: at, forMs: 238_000 });
    expect(memory.heldBy(uuid, 'another')).toEqual({ since: at + 238_000, forMs: 0 });
  });

  it.each<[string, () => void]>([
    ['a command', () => memory.commanded(uuid)],
    ['a change that was taken', () => memory.goesOn(uuid)],
    ['its removal', () => memory.forget(uuid)],
    ['more than two minutes without it', () => void (clock.ms += 120_001)],
  ])('is another one after %s', (_what, event) => {
    memory.heldBy(uuid, 'a lock');
    clock.ms += 1;
    event();
    expect(memory.heldBy(uuid, 'a lock').forMs).toBe(0);
  });
});

describe('ports that were seen', () => {
  it('are looked for again after five minutes, and when others are wanted', () => {
    memory.keepPorts(uuid, '02:00:00:00:00:01');
    expect(memory.hasPorts(uuid, '02:00:00:00:00:01')).toBe(true);
    expect(memory.hasPorts(uuid, '02:00:00:00:00:01 02:00:00:00:00:02')).toBe(false);
    clock.ms += 300_000;
    expect(memory.hasPorts(uuid, '02:00:00:00:00:01')).toBe(false);
  });

  it('are forgotten with their node: one of the same identity may come after it', () => {
    memory.keepPorts(uuid, '02:00:00:00:00:01');
    memory.forget(uuid);
    expect(memory.hasPorts(uuid, '02:00:00:00:00:01')).toBe(false);
  });
});

describe('a value that is kept for a while', () => {
  it('is kept longer by what proves it, up to a dozen spans', async () => {
    let loads = 0;
    const value = new FreshValue(clock, 5000, () => Promise.resolve((loads += 1)));
    await value.get();
    for (let second = 0; second < 59; second += 1) {
      clock.ms += 1000;
      value.renew();
      await value.get();
    }
    expect(loads).toBe(1);
    clock.ms += 2000;
    value.renew();
    await value.get();
    expect(loads).toBe(2);
  });

  it('is not brought back once it has aged', async () => {
    let loads = 0;
    const value = new FreshValue(clock, 5000, () => Promise.resolve((loads += 1)));
    await value.get();
    clock.ms += 5001;
    value.renew();
    await value.get();
    expect(loads).toBe(2);
  });
});
