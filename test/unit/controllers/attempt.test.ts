import { describe, expect, it } from '@jest/globals';
import { after, attempt, done } from '../../../src/controllers/attempt.js';
import { withFindings } from '../../../src/controllers/conditions.js';
import { unreadable } from '../../../src/controllers/unreadable.js';
import { IronchartError } from '../../../src/errors.js';
import { KubeError } from '../../../src/kube/index.js';
import { ProvisionerNotReady } from '../../../src/provisioner/index.js';

describe('a pass', () => {
  const told: string[] = [];
  const log = { debug: () => void told.push('debug'), warn: () => void told.push('warn') };
  const run = (error: unknown, signal = new AbortController().signal) =>
    attempt({ controller: 'c', key: 'n/x', log, signal }, () => Promise.reject(error as Error));

  it('that gets through says itself when the next one is', async () => {
    const { signal } = new AbortController();
    expect(await attempt({ controller: 'c', key: 'n/x', log, signal }, () => Promise.resolve(after(5)))).toEqual(
      after(5),
    );
  });

  it.each([
    ['the back end is away', new ProvisionerNotReady('away'), after(30_000), 'warn'],
    [
      'it is told when to come again',
      new IronchartError('X', 'x', { retry: 'after', retryAfterMs: 7 }),
      after(7),
      'warn',
    ],
    ['of a conflict', new KubeError('KUBE_CONFLICT', 'x'), { kind: 'backoff', maxMs: 30_000 }, 'debug'],
    ['of what is gone', new KubeError('KUBE_NOT_FOUND', 'x'), { kind: 'backoff', maxMs: 30_000 }, 'debug'],
    ['it may not write', new KubeError('KUBE_FORBIDDEN', 'x'), { kind: 'backoff', maxMs: 30_000 }, 'warn'],
    ['it writes nonsense', new KubeError('KUBE_INVALID', 'x'), { kind: 'backoff', maxMs: 30_000 }, 'warn'],
    ['the API server is away', new KubeError('KUBE_UNAVAILABLE', 'x'), { kind: 'backoff', maxMs: 30_000 }, 'warn'],
    ['of anything else', new Error('x'), { kind: 'backoff', maxMs: 30_000 }, 'warn'],
    ['of what is no error', 'x', { kind: 'backoff', maxMs: 30_000 }, 'warn'],
  ])('that breaks off because %s is taken again, and told once', async (_why, error, decision, level) => {
    told.splice(0);
    expect(await run(error)).toEqual(decision);
    expect(told).toEqual([level]);
  });

  it('is not taken again once the operator ends or leads no more, and that is no news', async () => {
    told.splice(0);
    expect(await run(new Error('x'), AbortSignal.abort())).toEqual(done);
    expect(await run(new KubeError('KUBE_NOT_LEADER', 'x'))).toEqual(done);
    expect(told).toEqual([]);
  });
});

describe('conditions', () => {
  const [then, now] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
  const known = withFindings(undefined, [{ type: 'Valid', status: 'True', reason: 'OK' }], 1, then);

  it('keep the time of a status that stays, and those of other types', () => {
    const foreign = { ...known[0]!, type: 'example.com/Mine' };
    const next = withFindings([foreign, ...known], [{ type: 'Valid', status: 'True', reason: 'Other' }], 2, now);
    expect(next).toEqual([{ ...known[0], reason: 'Other', observedGeneration: 2, lastTransitionTime: then }, foreign]);
    expect(withFindings(known, [{ type: 'Valid', status: 'False', reason: 'OK' }], 2, now)[0]?.lastTransitionTime).toBe(
      now,
    );
  });

  it('of a host that cannot be read say why, in a message that fits, and no more than is known', () => {
    const [unknown] = unreadable(undefined, 3, 'x'.repeat(9_000), now);
    expect(unknown).toMatchObject({ type: 'ChangeDetected', status: 'Unknown', observedGeneration: 3 });
    expect(unknown?.message.length).toBe(500);
    const before = withFindings(known, [{ type: 'ChangeDetected', status: 'True', reason: 'OK' }], 1, then);
    const after = unreadable(before, 3, 'mute', now);
    expect(after[0]).toEqual({ ...before[0], message: expect.stringContaining('mute') });
    expect(after.slice(1)).toEqual(known);
  });
});
