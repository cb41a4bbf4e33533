import { describe, expect, it } from '@jest/globals';
import { backoffMs } from '../../../../src/controllers/host/backoff.js';
import { decide } from '../../../../src/controllers/host/decision.js';
import type { PassResult, Slot } from '../../../../machines/index.js';

const minute = 60_000;
const longest = { next: () => 0 };
const shortest = { next: () => 1 - 2 ** -53 };
const notNeeded: Slot = { kind: 'notNeeded' };

describe('the pause after failures', () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])('after %i of them lies between half and all of its bound', (failures) => {
    const bound = 2 ** failures * minute;
    expect(backoffMs(failures, longest)).toBe(bound);
    expect(backoffMs(failures, shortest)).toBeGreaterThan(bound / 2 - 1);
    expect(backoffMs(failures, { next: () => 0.5 })).toBe(bound * 0.75);
  });

  it.each([10, 50, 1000])('grows no more after nine of them, not even after %i', (failures) => {
    expect(backoffMs(failures, longest)).toBe(512 * minute);
    expect(backoffMs(failures, shortest)).toBeCloseTo(256 * minute, 0);
  });
});

describe('what the queue is told after a pass', () => {
  it.each<[PassResult, number, Slot, object]>([
    [{ kind: 'continue', afterMs: 3000 }, 0, notNeeded, { kind: 'after', ms: 3000 }],
    [{ kind: 'continue', afterMs: 0 }, 0, notNeeded, { kind: 'backoff' }],
    [{ kind: 'update', afterMs: 60_000 }, 0, notNeeded, { kind: 'after', ms: 60_000 }],
    [{ kind: 'update', afterMs: 0 }, 0, notNeeded, { kind: 'backoff' }],
    [{ kind: 'complete' }, 5, notNeeded, { kind: 'backoff' }],
    [{ kind: 'failed' }, 1, notNeeded, { kind: 'after', ms: 2 * minute }],
    [{ kind: 'failed' }, 3, notNeeded, { kind: 'after', ms: 8 * minute }],
    [{ kind: 'delayed' }, 3, notNeeded, { kind: 'after', ms: 2 * minute }],
    [{ kind: 'delayed' }, 0, { kind: 'waiting', rank: 2, limit: 20 }, { kind: 'after', ms: 2 * minute }],
    [{ kind: 'delayed' }, 0, { kind: 'waiting', rank: 1, limit: 20 }, { kind: 'after', ms: 10_000 }],
    [{ kind: 'retry', message: 'x' }, 9, notNeeded, { kind: 'backoff', maxMs: 30_000 }],
    [{ kind: 'deleteComplete' }, 0, notNeeded, { kind: 'done' }],
  ])('that ended with %j is right (failures: %i, slot: %j)', (result, errorCount, slot, decision) => {
    expect(decide(result, errorCount, slot, longest)).toEqual(decision);
  });
});
