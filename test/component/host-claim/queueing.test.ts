import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseKey } from '../../../src/kube/index.js';
import { bareMetalHost, ClaimDesk, ClaimWorker, hostClaim, seeded } from '../../support/claim-bench.js';
import { eventually } from '../../support/eventually.js';
import { conditionIn, ObjectBench } from '../../support/object-bench.js';

jest.setTimeout(180_000);

let bench: ObjectBench;
let desk: ClaimDesk;
let worker: ClaimWorker;

beforeEach(async () => {
  bench = await ObjectBench.start();
  desk = new ClaimDesk(bench);
  worker = new ClaimWorker(bench, seeded(7));
  for (const name of ['tenant', 'hosts']) await desk.namespace(name);
});
afterEach(async () => {
  await worker.controller.stop();
  await bench.stop();
});

/** Until nothing is left to be worked on at once. */
async function quiet(): Promise<void> {
  await eventually('the queue is empty', () => worker.queue.depth === 0 && worker.queue.busy === 0);
  await bench.events.flush();
}

async function news(): Promise<void> {
  await bench.sync();
  await quiet();
}

async function start(): Promise<void> {
  await bench.sync();
  worker.controller.start();
  await quiet();
}

describe('a claim whose status was edited', () => {
  const edit = async (status: object) => {
    await bench.person.patch(hostClaim, parseKey('tenant/a'), { status }, { subresource: 'status' });
    bench.writes.splice(0);
    await news();
  };
  beforeEach(async () => {
    await desk.policy('hosts/open');
    await desk.host('hosts/x');
    await desk.claim('tenant/a');
    await start();
    expect(await desk.boundTo('tenant/a')).toBe('hosts/x');
  });

  it.each([
    ['none', null],
    ['one without a name', { namespace: 'hosts', name: '' }],
  ])('has the host again that it has, at once, where %s stands there', async (_what, bareMetalHost) => {
    await edit({ bareMetalHost });
    expect(await desk.boundTo('tenant/a')).toBe('hosts/x');
    expect(bench.writes).toEqual(['patch hostclaims/status']);
  });

  it.each([
    ['another', 'hosts/y', 'BadBareMetalHostStatus'],
    ['one that there is not', 'elsewhere/nothing', 'MissingBareMetalHost'],
    ['one that there cannot be', 'hosts/..', 'MissingBareMetalHost'],
  ])(
    'says so at once where its host is %s now, and is well again once that is set back',
    async (_what, key, reason) => {
      await desk.host('hosts/y');
      await news();
      await edit({ bareMetalHost: parseKey(key) });
      expect(conditionIn(await desk.get('tenant/a'), 'Associated')).toMatchObject({ status: 'False', reason });
      await edit({ bareMetalHost: parseKey('hosts/x') });
      expect(conditionIn(await desk.get('tenant/a'), 'Associated')?.status).toBe('True');
      expect(bench.writes).toEqual(['patch hostclaims/status']);
      expect(await desk.holdings()).toEqual(new Map([['tenant/a', ['hosts/x']]]));
    },
  );

  it('has its conditions again', async () => {
    const known = conditionIn(await desk.get('tenant/a'), 'Associated')?.status;
    await edit({ conditions: [] });
    expect(conditionIn(await desk.get('tenant/a'), 'Associated')?.status).toBe(known);
  });

  it('costs one look more at most where the watch is quicker than the answer to a write', async () => {
    const seen = (await desk.get('tenant/a'))!;
    const looks = jest.spyOn(worker.reconciler, 'reconcile');
    const put = async (status: object, version: string, source: 'news' | 'watch') => {
      worker.claims.put({ ...seen, status, metadata: { ...seen.metadata, resourceVersion: version } }, source);
      await quiet();
      return looks.mock.calls.length;
    };
    const status = seen.status as object;
    bench.writes.splice(0);
    expect(await put({ ...status, lastUpdated: '2026-01-01T00:00:00Z' }, '1000000', 'news')).toBe(0);
    expect(await put(status, '1000001', 'watch')).toBe(1);
    expect(await put(status, '1000002', 'watch')).toBe(1);
    expect(bench.writes).toEqual([]);
  });
});

describe('claims that wait', () => {
  it('get a host as soon as one comes, and their trouble ends', async () => {
    await desk.policy('hosts/open');
    await desk.claim('tenant/a');
    await start();
    expect(conditionIn(await desk.get('tenant/a'), 'Associated')?.status).toBe('False');
    await desk.host('hosts/x', undefined, { provisioning: { state: 'inspecting' } });
    await news();
    expect(await desk.boundTo('tenant/a')).toBeUndefined();
    await desk.host('hosts/x');
    await news();
    expect(await desk.boundTo('tenant/a')).toBe('hosts/x');
    expect(conditionIn(await desk.get('tenant/a'), 'Associated')).toMatchObject({ status: 'True', message: '' });
  });

  it.each([
    ['a policy', () => desk.policy('hosts/open', { names: ['tenant'] })],
    ['the label of their namespace', () => desk.namespace('tenant', { team: 'blue' })],
    ['the labels of a host', () => desk.host('hosts/y', { rack: 'r' })],
  ])('get a host as soon as %s allows it', async (what, change) => {
    if (what === 'the labels of a host') await desk.policy('hosts/open');
    await desk.policy('hosts/team', { hasLabels: [{ name: 'team' }] });
    await desk.host('hosts/y');
    await desk.claim(
      'tenant/a',
      what === 'the labels of a host' ? { hostSelector: { matchLabels: { rack: 'r' } } } : {},
    );
    await start();
    expect(await desk.boundTo('tenant/a')).toBeUndefined();
    await change();
    await news();
    expect(await desk.boundTo('tenant/a')).toBe('hosts/y');
  });

  it('are served oldest first, and a host that one leaves goes to the next', async () => {
    await desk.policy('hosts/open');
    const names = ['young', 'middle', 'old'];
    for (const name of [...names].reverse()) {
      bench.clock.advance(2_000);
      const spec = name === 'middle' ? { hostSelector: { matchLabels: { rack: 'r' } } } : {};
      await desk.claim(`tenant/${name}`, spec);
    }
    await start();
    await desk.host('hosts/plain');
    await desk.host('hosts/racked', { rack: 'r' });
    await news();
    const holdings = await desk.holdings();
    expect(holdings.has('tenant/old')).toBe(true);
    // Either the middle one has the host that it alone asks for, or the oldest took that one, and the youngest has the other.
    const isRacked = holdings.get('tenant/old')?.[0] === 'hosts/racked';
    expect(holdings.has(isRacked ? 'tenant/young' : 'tenant/middle')).toBe(true);
    await bench.remove(hostClaim, 'tenant/old');
    await news();
    await news();
    expect([...(await desk.holdings()).keys()].sort()).toEqual(['tenant/middle', 'tenant/young']);
  });

  it('are told of a policy that cannot be read by an event on the policy', async () => {
    await desk.policy('hosts/bad', { nameMatches: '(?=x)' });
    await start();
    const kind = { group: '', version: 'v1', kind: 'Event', plural: 'events' };
    const { items } = await bench.person.list(kind, { namespace: 'hosts' });
    expect(items.map(({ reason, message }) => [reason, message])).toEqual([
      [
        'InvalidPolicy',
        expect.stringMatching(
          /^spec\.hostClaimNamespaces\.nameMatches: is no regular expression in the syntax of RE2: .*; correct it/,
        ),
      ],
    ]);
  });
});

describe('a fleet of claims', () => {
  it('gets 300 of 500 hosts, each one, with three writes for each', async () => {
    await desk.policy('hosts/open');
    await desk.many('hosts', 500);
    await desk.many('claims', 300);
    bench.writes = [];
    await start();
    const holdings = await desk.holdings();
    expect(holdings.size).toBe(300);
    expect([...holdings.values()].every((held) => held.length === 1)).toBe(true);
    const count = (what: string) => bench.writes.filter((each) => each === what).length;
    expect(['patch hostclaims', 'patch baremetalhosts', 'patch hostclaims/status'].map(count)).toEqual([300, 300, 300]);
    expect(bench.writes).toHaveLength(900);
  });

  it('that waits is not stirred up by one host: one claim is woken, and three writes are made', async () => {
    await desk.policy('hosts/open');
    await desk.many('claims', 300);
    await start();
    bench.writes = [];
    await desk.host('hosts/x');
    await news();
    expect(bench.writes).toEqual(['patch hostclaims', 'patch baremetalhosts', 'patch hostclaims/status']);
    bench.writes = [];
    // Taken from its claim by hand: that one says so, and says it again when the next one has it.
    await bench.person.patch(bareMetalHost, parseKey('hosts/x'), { spec: { consumerRef: null } });
    await news();
    expect(bench.writes.sort()).toEqual([
      ...['patch baremetalhosts', 'patch hostclaims'],
      ...Array.from({ length: 3 }, () => 'patch hostclaims/status'),
    ]);
  });
});
