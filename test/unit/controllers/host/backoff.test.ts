import { describe, expect, it } from '@jest/globals';
import { backoffMs, silenceMs } from '../../../../src/controllers/host/backoff.js';
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

describe('the pause while a BMC gives no answer', () => {
  it.each([
    [1, 10],
    [2, 20],
    [3, 40],
    [4, 80],
    [5, 160],
  ])('after %i failures is at most %i s, so that all of them lie within five minutes or so', (failures, seconds) => {
    expect(silenceMs(failures, longest)).toBe(seconds * 1000);
    expect(silenceMs(failures, shortest)).toBeGreaterThan(seconds * 500 - 1);
  });

  it.each([
    [6, 3],
    [7, 4],
    [12, 9],
    [1000, 9],
  ])('after %i failures is the ordinary one after %i', (failures, counted) => {
    expect(silenceMs(failures, longest)).toBe(backoffMs(counted, longest));
  });

  it('never shrinks from one failure to the next', () => {
    const pauses = Array.from({ length: 15 }, (_, index) => silenceMs(index + 1, longest));
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
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
    [{ kind: 'failed', isSilent: true }, 1, notNeeded, { kind: 'after', ms: 10_000 }],
    [{ kind: 'failed', isSilent: true }, 6, notNeeded, { kind: 'after', ms: 8 * minute }],
    [{ kind: 'delayed' }, 3, notNeeded, { kind: 'after', ms: 2 * minute }],
    [{ kind: 'delayed' }, 0, { kind: 'waiting', rank: 2, limit: 20 }, { kind: 'after', ms: 2 * minute }],
    [{ kind: 'delayed' }, 0, { kind: 'waiting', rank: 1, limit: 20 }, { kind: 'after', ms: 10_000 }],
    [{ kind: 'retry', message: 'x' }, 9, notNeeded, { kind: 'backoff', maxMs: 30_000 }],
    [{ kind: 'deleteComplete' }, 0, notNeeded, { kind: 'done' }],
  ])('that ended with %j is right (failures: %i, slot: %j)', (result, errorCount, slot, decision) => {
    expect(decide(result, { errorCount, slot, isLeaving: false }, longest)).toEqual(decision);
  });

  it('gives a silent BMC the ordinary pause where the host leaves: each failure there uses up patience', () => {
    const stakes = { errorCount: 2, slot: notNeeded, isLeaving: true };
    expect(decide({ kind: 'failed', isSilent: true }, stakes, longest)).toEqual({ kind: 'after', ms: 4 * minute });
  });
});
