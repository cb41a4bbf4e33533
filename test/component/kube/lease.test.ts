import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Clock } from '../../../src/clock.js';
import { EmbeddedKubeServer, type Fault } from '../../../src/embedded/kube/index.js';
import {
  HttpTransport,
  KubeApi,
  type KubeObject,
  LeaderElector,
  leaseKind,
  parseKubeConfig,
  RateLimiter,
} from '../../../src/kube/index.js';
import { FakeClock, settle } from '../../support/fake-clock.js';

const lease = { namespace: 'default', name: 'baremetal-operator' };
const times = { durationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };

let clock: FakeClock;
let server: EmbeddedKubeServer;
let transport: HttpTransport;
let api: KubeApi;
let fault: (() => Fault | undefined) | undefined;
let electors: LeaderElector[];

beforeEach(async () => {
  clock = new FakeClock();
  fault = undefined;
  electors = [];
  const isLease = (resource: string) => resource === 'leases.coordination.k8s.io';
  server = new EmbeddedKubeServer({
    crds: [],
    clock,
    fault: ({ resource }) => (isLease(resource) ? fault?.() : undefined),
  });
  await server.start();
  const options = { clock, timeoutMs: 30_000, userAgent: 'test' };
  transport = new HttpTransport(parseKubeConfig(server.kubeconfig(), clock), options);
  api = new KubeApi(transport, new RateLimiter(clock, 0, 0), 'test');
});
afterEach(async () => {
  fault = undefined;
  for (const elector of electors) await elector.release().catch(() => undefined);
  transport.close();
  await server.stop();
});

/** One process that wants to lead. */
function candidate(identity: string, itsClock: Clock = clock) {
  const errors: string[] = [];
  const onError = (message: string) => void errors.push(message);
  const elector = new LeaderElector(api, itsClock, { next: () => 0 }, { lease, identity, ...times, onError });
  electors.push(elector);
  const told = { leads: false, lost: 0 };
  const leading = elector
    .lead(() => (told.lost += 1))
    .then(
      () => (told.leads = true),
      () => undefined,
    );
  return { elector, told, errors, leading };
}

async function kept(): Promise<Record<string, unknown>> {
  return (await api.get<KubeObject & { spec: Record<string, unknown> }>(leaseKind, lease))!.spec;
}

/** Time goes by in steps of half a second, with room for the requests in between. */
async function passing(seconds: number): Promise<void> {
  for (let half = 0; half < seconds * 2; half += 1) {
    await clock.advanceAsync(500);
    await settle(6);
  }
}

describe('a lease', () => {
  it('is led by one of two, and the other waits for as long as it is renewed', async () => {
    const first = candidate('first');
    await settle(12);
    const second = candidate('second');
    await passing(60);
    expect([first.elector.isLeader(), second.elector.isLeader()]).toEqual([true, false]);
    expect([first.told, second.told]).toEqual([
      { leads: true, lost: 0 },
      { leads: false, lost: 0 },
    ]);
    expect(await kept()).toMatchObject({ holderIdentity: 'first', leaseDurationSeconds: 15, leaseTransitions: 0 });
  });

  it('goes to one only when both ask at the same moment', async () => {
    const both = [candidate('a'), candidate('b')];
    await passing(10);
    expect(both.filter(({ elector }) => elector.isLeader())).toHaveLength(1);
  });

  it('is written as others read it, with times in microseconds', async () => {
    candidate('first');
    await settle(12);
    const { acquireTime, renewTime } = await kept();
    for (const time of [acquireTime, renewTime]) expect(time).toMatch(/^2026-01-01T00:00:0\d\.\d{6}Z$/);
  });

  it('is handed over at once when it is given back', async () => {
    const first = candidate('first');
    await settle(12);
    const second = candidate('second');
    await passing(4);
    await first.elector.release();
    expect(first.elector.isLeader()).toBe(false);
    expect(await kept()).toMatchObject({ holderIdentity: '' });
    await passing(3);
    expect([second.elector.isLeader(), first.told.lost]).toEqual([true, 0]);
    expect(await kept()).toMatchObject({ holderIdentity: 'second', leaseTransitions: 1 });
  });

  it('is taken over once it was seen unrenewed for its duration, and not before', async () => {
    await foreignLease('2026-01-01T00:00:00.000000Z');
    const second = candidate('second');
    await passing(14);
    expect(second.elector.isLeader()).toBe(false);
    await passing(4);
    expect(second.elector.isLeader()).toBe(true);
    expect(await kept()).toMatchObject({ holderIdentity: 'second', leaseTransitions: 8 });
  });

  it.each(['1999-01-01T00:00:00.000000Z', '2099-01-01T00:00:00.000000Z'])(
    'is judged by what was seen, not by the wall clock of its holder (%s)',
    async (renewTime) => {
      await foreignLease(renewTime);
      const second = candidate('second');
      await passing(13);
      expect(second.elector.isLeader()).toBe(false);
      await api.patch(leaseKind, lease, { spec: { renewTime: '2026-01-01T00:00:01.000000Z' } });
      await passing(13);
      expect(second.elector.isLeader()).toBe(false);
      await passing(6);
      expect(second.elector.isLeader()).toBe(true);
    },
  );

  it('is kept whatever jumps the wall clock makes', async () => {
    let wall = 0;
    const jumping: Clock = {
      ...{ now: () => clock.now() + wall, monotonic: () => clock.monotonic() },
      ...{ after: clock.after.bind(clock), sleep: clock.sleep.bind(clock) },
    };
    const first = candidate('first', jumping);
    await settle(12);
    const second = candidate('second');
    for (const jump of [86_400_000, -86_400_000, 0]) {
      wall = jump;
      await passing(20);
      expect([first.elector.isLeader(), second.elector.isLeader()]).toEqual([true, false]);
    }
  });

  it('is kept through a short trouble of the server', async () => {
    const first = candidate('first');
    await passing(2);
    fault = () => ({ status: 503 });
    await passing(6);
    fault = undefined;
    await passing(6);
    expect([first.elector.isLeader(), first.told.lost]).toEqual([true, 0]);
    expect(first.errors.length).toBeGreaterThan(0);
  });

  it.each<[string, () => Fault]>([
    ['answers with errors', () => ({ status: 503 })],
    ['drops the connection', () => 'drop'],
    ['does not answer at all', () => 'hang'],
  ])('is lost at the renew deadline when the server %s, and told so once', async (_how, break_) => {
    const first = candidate('first');
    await settle(12);
    fault = break_;
    await passing(9.5);
    expect([first.elector.isLeader(), first.told.lost]).toEqual([true, 0]);
    await passing(1);
    expect([first.elector.isLeader(), first.told.lost]).toEqual([false, 1]);
    fault = undefined;
    await passing(30);
    expect([first.elector.isLeader(), first.told.lost]).toEqual([false, 1]);
  });

  it('is lost by a standstill of the process, although it could be renewed afterwards', async () => {
    const first = candidate('first');
    await settle(12);
    clock.advance(12_000);
    await settle(12);
    expect([first.elector.isLeader(), first.told.lost]).toEqual([false, 1]);
    await passing(4);
    expect(first.elector.isLeader()).toBe(false);
  });

  it('that another has taken is never written over', async () => {
    const first = candidate('first');
    await settle(12);
    await api.patch(leaseKind, lease, { spec: { holderIdentity: 'thief', leaseDurationSeconds: 3600 } });
    await passing(12);
    expect([first.elector.isLeader(), first.told.lost]).toEqual([false, 1]);
    await first.elector.release();
    expect(await kept()).toMatchObject({ holderIdentity: 'thief' });
  });

  it('given back while a renewal is under way stays given back', async () => {
    const first = candidate('first');
    await settle(12);
    fault = () => 'hang';
    await clock.advanceAsync(2_000);
    fault = undefined;
    await first.elector.release();
    await passing(5);
    expect(first.elector.isLeader()).toBe(false);
    expect(await kept()).toMatchObject({ holderIdentity: '' });
  });

  it('is no longer waited for by who was told to stop', async () => {
    await foreignLease('2026-01-01T00:00:00.000000Z');
    const second = candidate('second');
    await passing(1);
    await second.elector.release();
    await second.leading;
    await passing(30);
    expect([second.told.leads, second.elector.isLeader(), clock.waiting]).toEqual([false, false, expect.any(Number)]);
  });
});

async function foreignLease(renewTime: string): Promise<void> {
  const spec = {
    holderIdentity: 'other',
    leaseDurationSeconds: 15,
    leaseTransitions: 7,
    acquireTime: renewTime,
    renewTime,
  };
  await api.create(leaseKind, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { ...lease }, spec });
}
