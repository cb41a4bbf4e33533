import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import type { Random } from '../../../src/clock.js';
import type { FaultRequest } from '../../../src/embedded/kube/index.js';
import { keyOf, type KubeObject, type ObjectStore, parseKey } from '../../../src/kube/index.js';
import { bareMetalHost, breaks, ClaimDesk, ClaimWorker, hostClaim, seeded } from '../../support/claim-bench.js';
import { ObjectBench, verdictOf } from '../../support/object-bench.js';

jest.setTimeout(120_000);

let bench: ObjectBench;
let desk: ClaimDesk;

beforeEach(async () => {
  bench = await ObjectBench.start();
  desk = new ClaimDesk(bench);
  for (const name of ['tenant', 'hosts']) await desk.namespace(name);
  await desk.policy('hosts/open');
});
afterEach(() => bench.stop());

/** Fills a cache with what there is now; what has gone stays, as in a watch that is behind. */
async function fill(store: ObjectStore<KubeObject>, kind: (typeof kinds)[keyof typeof kinds]): Promise<void> {
  const { items } = await bench.person.list(kind, {});
  for (const object of items) store.put(object, 'watch');
}

async function fillAll(worker: ClaimWorker): Promise<void> {
  await fill(worker.claims, hostClaim);
  await fill(worker.hosts, bareMetalHost);
  await fill(worker.policies, kinds.hostDeployPolicy);
}

/** Lists hosts once, as each process does for claims that others have begun: from now on its caches alone tell it anything. */
async function useUpItsList(worker: ClaimWorker): Promise<void> {
  const hostSelector = { matchLabels: { none: 'such' } };
  await desk.claim('tenant/none', { hostSelector }, { finalizers: ['metal3.io/hostclaim'] });
  await fillAll(worker);
  await worker.pass('tenant/none');
}

/** News of each kind, now and then. */
async function hearNow(worker: ClaimWorker, random: Random): Promise<void> {
  if (random.next() > 0.6) await fill(worker.claims, hostClaim);
  if (random.next() > 0.8) await fill(worker.hosts, bareMetalHost);
}

async function eachHasOne(claims: readonly string[]): Promise<void> {
  const holdings = await desk.holdings();
  expect([...holdings.keys()].sort()).toEqual([...claims].sort());
  for (const claim of claims) {
    expect(holdings.get(claim)).toEqual([await desk.boundTo(claim)]);
    expect(verdictOf(await desk.get(claim), 'Associated')).toBe('True BareMetalHostAssociated');
  }
}

const isWrite = ({ verb, resource }: FaultRequest) =>
  verb === 'patch' && /^(hostclaims|baremetalhosts)\./.test(resource);

describe('one host for a claim, and one claim for a host', () => {
  const claims = ['tenant/a', 'tenant/b'];

  it.each(Array.from({ length: 25 }, (_, seed) => seed))(
    'holds for two claims and two processes whose caches lag behind (seed %i)',
    async (seed) => {
      const random = seeded(seed);
      const often = () => random.next() > 0.3;
      for (const name of ['x', 'y', 'z']) await desk.host(`hosts/${name}`);
      for (const claim of claims) await desk.claim(claim);
      const workers = [1, 2].map((number) => new ClaimWorker(bench, seeded(seed * 10 + number), { own: true }));
      for (const worker of workers) await useUpItsList(worker);
      // Each sees news of each kind now and then; both go on at the same time, and writes get lost or lose their answers.
      breaks(bench, (request) => {
        if (!isWrite(request) || random.next() > 0.2) return undefined;
        return random.next() > 0.5 ? 'dropAfter' : 'drop';
      });
      for (let round = 0; round < 8; round += 1) {
        await Promise.all(workers.flatMap((worker) => claims.filter(often).map((claim) => worker.pass(claim))));
        const holdings = await desk.holdings();
        for (const held of holdings.values()) expect(held).toHaveLength(1);
        for (const worker of workers) await hearNow(worker, random);
      }
      bench.fault = undefined;
      for (const worker of [...workers, ...workers]) {
        await fillAll(worker);
        for (const claim of claims) await worker.pass(claim);
      }
      await eachHasOne(claims);
    },
  );

  const writes = ['note', 'consumer', 'status'];
  it.each(
    writes.flatMap((what, index) => [
      [what, 'before', index, 'drop'] as const,
      [what, 'after', index, 'dropAfter'] as const,
    ]),
  )('holds when a process ends at the write of the %s, %s it is made', async (_what, _when, index, fault) => {
    for (const name of ['x', 'y', 'z']) await desk.host(`hosts/${name}`);
    await desk.claim('tenant/a');
    const first = new ClaimWorker(bench, seeded(1), { own: true });
    const second = new ClaimWorker(bench, seeded(2), { own: true });
    await useUpItsList(first);
    // The next leader has seen nothing of it yet.
    await useUpItsList(second);
    let count = 0;
    breaks(bench, (request) => (isWrite(request) && count++ === index ? fault : undefined));
    await first.pass('tenant/a');
    expect(count).toBe(index + 1);
    bench.fault = undefined;
    await second.pass('tenant/a');
    await second.pass('tenant/a');
    await fillAll(second);
    await second.pass('tenant/a');
    await eachHasOne(['tenant/a']);
  });

  it.each(['drop', 'dropAfter'] as const)(
    'releases it all when a process ends while it releases (%s)',
    async (fault) => {
      for (const index of [0, 1]) {
        const claim = `tenant/c${index}`;
        await desk.host(`hosts/h${index}`);
        await desk.claim(claim);
        const first = new ClaimWorker(bench, seeded(1));
        await bench.pass(first.reconciler, claim);
        await bench.remove(hostClaim, claim);
        let count = 0;
        breaks(bench, (request) => (isWrite(request) && count++ === index ? fault : undefined));
        await bench.pass(first.reconciler, claim);
        bench.fault = undefined;
        await bench.pass(new ClaimWorker(bench, seeded(2)).reconciler, claim);
        expect(await desk.get(claim)).toBeUndefined();
      }
      expect((await desk.holdings()).size).toBe(0);
    },
  );
});

describe('what another operator has begun', () => {
  const ref = { apiVersion: 'metal3.io/v1alpha1', kind: 'HostClaim', namespace: 'tenant', name: 'a' };
  const metadata = { finalizers: ['metal3.io/hostclaim'] };

  it('is found although the cache has not seen it: a host that was taken and not recorded', async () => {
    for (const name of ['x', 'y', 'z']) await desk.host(`hosts/${name}`);
    await desk.claim('tenant/a', {}, metadata);
    const worker = new ClaimWorker(bench, seeded(3), { own: true });
    await fillAll(worker);
    await bench.person.patch(bareMetalHost, parseKey('hosts/y'), { spec: { consumerRef: ref } });
    await worker.pass('tenant/a');
    expect(await desk.boundTo('tenant/a')).toBe('hosts/y');
    await eachHasOne(['tenant/a']);
  });

  it('stands: a claim that has its host is left as it is', async () => {
    await desk.host('hosts/x');
    await bench.person.patch(bareMetalHost, parseKey('hosts/x'), {
      spec: { consumerRef: { ...ref, apiVersion: 'metal3.io/v1' } },
    });
    await desk.claim('tenant/a', {}, metadata);
    const worker = new ClaimWorker(bench, seeded(3));
    await bench.pass(worker.reconciler, 'tenant/a');
    const { metadata: before } = (await desk.get('tenant/a'))!;
    await bench.pass(worker.reconciler, 'tenant/a');
    expect(bench.writes).toEqual([]);
    expect((await desk.get('tenant/a'))!.metadata.resourceVersion).toBe(before.resourceVersion);
    expect(before.annotations).toBeUndefined();
  });
});

describe('a noted choice', () => {
  const chosen = (host: KubeObject) => ({
    'ironchart.io/chosen-host': `${keyOf(host)}@${host.metadata.resourceVersion}`,
  });

  it('that no policy allows is not acted upon, and given up once no write can be on its way', async () => {
    await desk.namespace('lab');
    const host = await desk.host('lab/x');
    await desk.claim('tenant/a', {}, { annotations: chosen(host) });
    const worker = new ClaimWorker(bench, seeded(1));
    await bench.pass(worker.reconciler, 'tenant/a');
    expect(await desk.consumerOf('lab/x')).toBeUndefined();
    await desk.host('hosts/y');
    await bench.pass(worker.reconciler, 'tenant/a');
    expect(await desk.boundTo('tenant/a')).toBeUndefined();
    bench.clock.advance(121_000);
    await bench.pass(worker.reconciler, 'tenant/a');
    expect(await desk.boundTo('tenant/a')).toBe('hosts/y');
    expect(await desk.consumerOf('lab/x')).toBeUndefined();
  });

  it.each(['a note', 'a status'])(
    'does not bring a host of a namespace that is not watched to those who work on hosts, by %s',
    async (what) => {
      await desk.namespace('lab');
      await desk.policy('lab/open');
      const host = await desk.host('lab/x');
      await desk.claim('tenant/a', {}, what === 'a note' ? { annotations: chosen(host) } : {});
      if (what === 'a status')
        await bench.put(hostClaim, 'tenant/a', { status: { bareMetalHost: { namespace: 'lab', name: 'x' } } });
      const worker = new ClaimWorker(bench, seeded(1), { own: true, watched: ['tenant', 'hosts'] });
      await fillAll(worker);
      let reads = 0;
      bench.fault = ({ verb, name }) => {
        if (verb === 'get' && name === 'x') reads += 1;
        return undefined;
      };
      await worker.pass('tenant/a');
      expect(reads).toBe(1);
      expect(worker.hosts.get('lab/x')).toBeUndefined();
      expect(await desk.consumerOf('lab/x')).toBeUndefined();
    },
  );

  it('keeps a claim that is deleted until no write can be on its way', async () => {
    const host = await desk.host('hosts/x');
    await desk.claim('tenant/a', {}, { annotations: chosen(host), finalizers: ['metal3.io/hostclaim'] });
    await bench.remove(hostClaim, 'tenant/a');
    const worker = new ClaimWorker(bench, seeded(1));
    await bench.pass(worker.reconciler, 'tenant/a');
    expect(await desk.get('tenant/a')).toBeDefined();
    bench.clock.advance(121_000);
    await bench.pass(worker.reconciler, 'tenant/a');
    expect(await desk.get('tenant/a')).toBeUndefined();
  });

  it('of a host that may not be changed is told, and given up for another in the end', async () => {
    await desk.host('hosts/x');
    await desk.claim('tenant/a');
    const worker = new ClaimWorker(bench, seeded(1));
    bench.fault = ({ verb, name }) =>
      verb === 'patch' && name === 'x' ? { status: 422, message: 'a rule' } : undefined;
    expect(await bench.pass(worker.reconciler, 'tenant/a')).toEqual({ kind: 'after', ms: 30_000 });
    expect(verdictOf(await desk.get('tenant/a'), 'Associated')).toBe('False BareMetalHostNotSynchronized');
    await desk.host('hosts/y');
    bench.clock.advance(121_000);
    await bench.pass(worker.reconciler, 'tenant/a');
    expect(await desk.boundTo('tenant/a')).toBe('hosts/y');
  });
});
