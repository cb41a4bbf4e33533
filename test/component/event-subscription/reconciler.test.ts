import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import { IronchartError } from '../../../src/errors.js';
import { EventSubscriptionReconciler } from '../../../src/controllers/event-subscription/index.js';
import { complete, NeedsRegistration, ProvisionerNotReady } from '../../../src/provisioner/index.js';
import type { FaultHook } from '../../../src/embedded/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { ObjectBench } from '../../support/object-bench.js';
import { failing, working } from '../../support/scripted-provisioner.js';

const { bmcEventSubscription: kind, bareMetalHost } = kinds;
const [key, hostKey] = ['default/events', 'default/host'];
const finalizer = 'bmceventsubscription.metal3.io';
const spec = { hostName: 'host', destination: 'https://events.example.com/x', context: 'ours' };
const refusal = () => new IronchartError('IRONIC_NOT_FOUND', 'Subscription not found');

let bench: ObjectBench;
let reconciler: EventSubscriptionReconciler;

beforeEach(async () => {
  bench = await ObjectBench.start();
  const { api, secrets, provisioners, events, clock, log } = bench;
  const stores = { subscriptions: bench.store(kind), hosts: bench.store(bareMetalHost) };
  reconciler = new EventSubscriptionReconciler({ api, ...stores, secrets, provisioners, events, clock, log });
});
afterEach(() => bench.stop());

const subscription = (more: object = {}) => bench.put(kind, key, { spec: { ...spec, ...more } });
const now = () => bench.get(kind, key);
const statusNow = async () => (await now())?.status as { error?: string; subscriptionID?: string } | undefined;
const pass = () => bench.pass(reconciler, key);
const questions = (op: string) => bench.provisioners.ops.filter((each) => each === op);
const additions = () => questions('addBMCEventSubscription');
const removals = () => questions('removeBMCEventSubscription');

/** The operator ends between a question and its answer. @returns the signals that would break the question off */
async function endsMeanwhile(op: string, answer: unknown): Promise<unknown[]> {
  const signals: unknown[] = [];
  const forHost = bench.provisioners.forHost.bind(bench.provisioners);
  bench.provisioners.forHost = (access, publish, ...[signal]: unknown[]) => {
    signals.push(signal);
    return forHost(access, publish);
  };
  let give: (value: unknown) => void = () => undefined;
  bench.provisioners.answer(op, new Promise((resolve) => (give = resolve)));
  await bench.sync();
  const end = new AbortController();
  const ending = reconciler.reconcile(key, end.signal);
  await eventually('the question', () => questions(op).length === 1);
  end.abort();
  give(answer);
  await ending;
  return signals;
}

describe('a subscription', () => {
  it('is made once, for the registered host that it names, and held', async () => {
    await bench.host(hostKey);
    await subscription();
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.provisioners.argsOf('addBMCEventSubscription')).toEqual({
      ...{ destination: spec.destination, context: 'ours', headers: [] },
    });
    expect(bench.provisioners.access).toMatchObject({ name: 'host', provisionerID: 'node-1' });
    expect((await now())?.metadata.finalizers).toEqual([finalizer]);
    expect(await statusNow()).toEqual({ subscriptionID: 'subscription-1' });
    await pass();
    expect(bench.writes).toEqual([]);
    expect(additions()).toHaveLength(1);
  });

  it.each([409, 500])('is not made twice when its answer could not be noted (%d)', async (status) => {
    await bench.host(hostKey);
    await subscription();
    let isBroken = true;
    bench.fault = ({ subresource }) => (isBroken && subresource === 'status' ? { status } : undefined);
    expect(await pass()).toMatchObject({ kind: 'backoff' });
    expect(await pass()).toMatchObject({ kind: 'backoff' });
    isBroken = false;
    await pass();
    expect(await statusNow()).toEqual({ subscriptionID: 'subscription-1' });
    expect(additions()).toHaveLength(1);
  });

  it('that was asked for is noted also when the operator ends meanwhile', async () => {
    await bench.host(hostKey);
    await subscription();
    const signals = await endsMeanwhile('addBMCEventSubscription', { result: complete, subscriptionID: 'late' });
    expect(await statusNow()).toEqual({ subscriptionID: 'late' });
    // Nothing that would break the question off has been handed to the back end.
    expect(signals).toEqual([undefined]);
  });

  it('that may have been made unheard is looked for before another one is made', async () => {
    await bench.host(hostKey);
    await subscription();
    await bench.put(kind, 'default/twin', { spec, status: { subscriptionID: 'of-the-twin' } });
    bench.provisioners.answer('addBMCEventSubscription', new IronchartError('IRONIC_TIMEOUT', 'no answer'));
    await pass();
    expect(bench.provisioners.ops).not.toContain('findBMCEventSubscriptions');
    bench.provisioners.answer('findBMCEventSubscriptions', ['of-the-twin', 'unheard', 'another']);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.provisioners.argsOf('findBMCEventSubscriptions')).toEqual({
      ...{ destination: spec.destination, context: 'ours' },
    });
    expect(await statusNow()).toEqual({ subscriptionID: 'unheard' });
    expect(additions()).toHaveLength(1);
  });

  it("that was found is one object's alone, though two look for theirs at the same moment", async () => {
    await bench.host(hostKey);
    const keys = [key, 'default/twin'];
    for (const each of keys) await bench.put(kind, each, { spec, metadata: { finalizers: [finalizer] } });
    let answer: (value: unknown) => void = () => undefined;
    const list = new Promise((resolve) => (answer = resolve));
    bench.provisioners.answer('findBMCEventSubscriptions', list, list);
    bench.provisioners.answer('addBMCEventSubscription', { result: complete, subscriptionID: 'new' });
    await bench.sync();
    const looking = keys.map((each) => reconciler.reconcile(each, new AbortController().signal));
    const looks = () => bench.provisioners.ops.filter((op) => op === 'findBMCEventSubscriptions').length;
    await eventually('both look', () => looks() === 2);
    answer(['unheard']);
    await Promise.all(looking);
    const statuses = await Promise.all(keys.map(async (each) => (await bench.get(kind, each))?.status));
    expect(statuses).toEqual(expect.arrayContaining([{ subscriptionID: 'unheard' }, { subscriptionID: 'new' }]));
  });

  it('that may have been made unheard is looked for when it is deleted too', async () => {
    await bench.host(hostKey);
    await subscription();
    bench.provisioners.answer('addBMCEventSubscription', new IronchartError('IRONIC_TIMEOUT', 'no answer'));
    await pass();
    await bench.remove(kind, key);
    bench.provisioners.answer('findBMCEventSubscriptions', ['unheard']);
    await pass();
    expect(bench.provisioners.calls.at(-1)).toEqual({ op: 'removeBMCEventSubscription', args: ['unheard'] });
    expect(await now()).toBeUndefined();
  });

  it('that was never made goes at once, also where nobody can look for it', async () => {
    await bench.host(hostKey);
    await subscription();
    bench.provisioners.answer('addBMCEventSubscription', refusal());
    await pass();
    await bench.remove(kind, key);
    bench.provisioners.answer('findBMCEventSubscriptions', refusal());
    expect(await pass()).toEqual({ kind: 'done' });
    expect(await now()).toBeUndefined();
    expect(removals()).toEqual([]);
    expect(await bench.told()).toEqual([]);
  });

  it('whose answer was never noted is unsubscribed from all the same', async () => {
    await bench.host(hostKey);
    await subscription();
    bench.fault = ({ subresource }) => (subresource === 'status' ? { status: 500 } : undefined);
    await pass();
    await bench.remove(kind, key);
    await pass();
    expect(bench.provisioners.calls.at(-1)).toEqual({ op: 'removeBMCEventSubscription', args: ['subscription-1'] });
    expect(await now()).toBeUndefined();
  });

  it('says that its host is not there, is taken up when it is, and forgets what was wrong', async () => {
    await subscription();
    expect(await pass()).toEqual({ kind: 'done' });
    expect((await statusNow())?.error).toContain('the host host does not exist');
    await bench.host(hostKey, { provisioning: { state: 'registering', ID: '' } });
    expect(await pass()).toEqual({ kind: 'done' });
    expect((await statusNow())?.error).toContain('not registered yet');
    await bench.host(hostKey);
    await pass();
    expect(await statusNow()).toEqual({ subscriptionID: 'subscription-1' });
  });

  it('says why its BMC takes none, once, and tries again', async () => {
    await bench.host(hostKey);
    await subscription();
    bench.provisioners.answer('addBMCEventSubscription', refusal(), refusal(), {
      ...{ result: failing('no event service'), subscriptionID: '' },
    });
    expect(await pass()).toEqual({ kind: 'backoff', maxMs: 600_000 });
    expect((await statusNow())?.error).toBe('Subscription not found');
    await pass();
    expect(bench.writes).toEqual([]);
    await pass();
    expect((await statusNow())?.error).toBe('no event service');
    await pass();
    expect(await statusNow()).toEqual({ subscriptionID: 'subscription-1' });
  });

  it('that another operator has made is left as it is, but for the trouble that ended with it', async () => {
    await bench.host(hostKey);
    await bench.put(kind, key, {
      ...{ spec, metadata: { finalizers: [finalizer] } },
      status: { subscriptionID: 'theirs', error: 'no such host' },
    });
    expect(await pass()).toEqual({ kind: 'done' });
    expect(await statusNow()).toEqual({ subscriptionID: 'theirs' });
    expect(await pass()).toEqual({ kind: 'done' });
    expect([bench.writes, bench.provisioners.calls]).toEqual([[], []]);
  });

  it('of a back end that only pretends is no trouble, and goes without it', async () => {
    await bench.host(hostKey);
    await subscription();
    const [slow, pretended] = [working(1_000), complete].map((result) => ({ result, subscriptionID: '' }));
    bench.provisioners.answer('addBMCEventSubscription', slow, pretended);
    expect(await pass()).toMatchObject({ kind: 'backoff' });
    expect(await pass()).toEqual({ kind: 'done' });
    expect(await statusNow()).toEqual({});
    await bench.remove(kind, key);
    await pass();
    expect(await now()).toBeUndefined();
    expect(removals()).toEqual([]);
  });

  it('waits for a back end that is away', async () => {
    await bench.host(hostKey);
    await subscription();
    bench.provisioners.unready = new ProvisionerNotReady('away');
    expect(await pass()).toEqual({ kind: 'after', ms: 30_000 });
    expect(await statusNow()).toBeUndefined();
  });
});

describe('the headers of a subscription', () => {
  const httpHeadersRef = { name: 'headers', namespace: 'default' };
  beforeEach(() => bench.host(hostKey));

  it('are read from a Secret that carries no label, and stand nowhere else', async () => {
    await bench.secret('headers', { 'X-Key': 'sesame-77', Authorization: 'Bearer abcdefgh12' });
    await subscription({ httpHeadersRef });
    bench.provisioners.answer(
      'addBMCEventSubscription',
      new IronchartError('IRONIC_BAD_REQUEST', 'bad headers: [{"X-Key": "sesame-77"}], abcdefgh12'),
    );
    await pass();
    const { headers } = bench.provisioners.argsOf('addBMCEventSubscription');
    expect(headers).toEqual([{ Authorization: 'Bearer abcdefgh12' }, { 'X-Key': 'sesame-77' }]);
    expect((await statusNow())?.error).toBe('bad headers: [{"X-Key": "***"}], ***');
    expect(bench.logged.join()).not.toMatch(/sesame|abcdefgh12/);
  });

  it('that are not there are waited for', async () => {
    await subscription({ httpHeadersRef });
    expect(await pass()).toMatchObject({ kind: 'backoff' });
    expect((await statusNow())?.error).toContain('the Secret headers of spec.httpHeadersRef does not exist');
    await bench.secret('headers', { 'X-Key': 'v' });
    await pass();
    expect(await statusNow()).toEqual({ subscriptionID: 'subscription-1' });
  });

  it('of another namespace are refused', async () => {
    await subscription({ httpHeadersRef: { name: 'headers', namespace: 'kube-system' } });
    await pass();
    expect((await statusNow())?.error).toContain('only Secrets of its own namespace');
    expect(additions()).toEqual([]);
  });
});

describe('a subscription that is deleted', () => {
  beforeEach(async () => {
    await bench.host(hostKey);
    await subscription();
    await pass();
    await bench.remove(kind, key);
  });

  it('is unsubscribed from, and goes', async () => {
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.provisioners.calls.at(-1)).toEqual({ op: 'removeBMCEventSubscription', args: ['subscription-1'] });
    expect(await now()).toBeUndefined();
    expect(await bench.told()).toEqual([]);
  });

  it.each(['drop', 'dropAfter', 500] as const)(
    'is unsubscribed from once, and goes at the next try, when that could not be written (%s)',
    async (trouble) => {
      let isBroken = true;
      const refuse: FaultHook = ({ verb, subresource }) => {
        if (!isBroken || verb !== 'patch' || subresource !== '') return undefined;
        return trouble === 500 ? { status: 500 } : trouble;
      };
      bench.fault = refuse as NonNullable<ObjectBench['fault']>;
      expect(await pass()).toMatchObject({ kind: 'backoff' });
      isBroken = false;
      bench.provisioners.answer('removeBMCEventSubscription', refusal());
      expect(await pass()).toEqual({ kind: 'done' });
      expect(await now()).toBeUndefined();
      expect([removals().length, await bench.told()]).toEqual([1, []]);
      // Another one of the same name is another one.
      await subscription();
      await pass();
      await bench.remove(kind, key);
      expect(await pass()).toMatchObject({ kind: 'backoff' });
      expect(removals()).toHaveLength(2);
    },
  );

  it('goes also when the operator ends while it is unsubscribed from', async () => {
    const signals = await endsMeanwhile('removeBMCEventSubscription', complete);
    expect(await now()).toBeUndefined();
    expect(signals).toEqual([undefined]);
  });

  it('goes with its host, whose node is gone', async () => {
    await bench.remove(bareMetalHost, hostKey);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(await now()).toBeUndefined();
    expect(removals()).toEqual([]);
  });

  it('waits while its host is registered anew', async () => {
    await bench.host(hostKey, { provisioning: { state: 'registering', ID: '' } });
    expect(await pass()).toEqual({ kind: 'done' });
    expect((await now())?.metadata.finalizers).toEqual([finalizer]);
    await bench.host(hostKey);
    await pass();
    expect(await now()).toBeUndefined();
    expect(removals()).toHaveLength(1);
  });

  it('is let go when its host has left the back end, and that is told', async () => {
    await bench.host(hostKey, { operationalStatus: 'detached', provisioning: { ID: '' } });
    await pass();
    expect(await now()).toBeUndefined();
    expect(await bench.told()).toEqual([
      { reason: 'SubscriptionAbandoned', name: 'events', message: expect.stringContaining('subscription-1') },
    ]);
  });

  it('is tried for ten minutes while its BMC refuses, and then let go, which is told', async () => {
    bench.provisioners.answer('removeBMCEventSubscription', refusal(), failing('no'), new NeedsRegistration());
    expect(await pass()).toEqual({ kind: 'backoff', maxMs: 60_000 });
    expect((await statusNow())?.error).toBe('Subscription not found');
    bench.clock.advance(599_000);
    expect(await pass()).toEqual({ kind: 'backoff', maxMs: 60_000 });
    expect((await now())?.metadata.finalizers).toEqual([finalizer]);
    bench.clock.advance(1_000);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(await now()).toBeUndefined();
    expect((await bench.told())[0]?.message).toContain('not registered');
  });

  it('is not given up because the back end is away', async () => {
    bench.provisioners.unready = new ProvisionerNotReady('away');
    bench.clock.advance(3_600_000);
    expect(await pass()).toEqual({ kind: 'after', ms: 30_000 });
    expect((await now())?.metadata.finalizers).toEqual([finalizer]);
  });
});

it('a subscription that was never made goes at once', async () => {
  await bench.put(kind, key, { spec, metadata: { finalizers: [finalizer] } });
  await bench.remove(kind, key);
  expect(await pass()).toEqual({ kind: 'done' });
  expect(await now()).toBeUndefined();
  expect(await pass()).toEqual({ kind: 'done' });
});
