import { describe, expect, it } from '@jest/globals';
import { concernsOperator } from '../../../../src/controllers/change.js';
import { HostController, ownersOf } from '../../../../src/controllers/host/controller.js';
import type { HostReconciler } from '../../../../src/controllers/host/reconciler.js';
import { type KubeApi, type KubeObject, ObjectStore, SecretStore, WorkQueue } from '../../../../src/kube/index.js';
import { FakeClock, settle } from '../../../support/fake-clock.js';

const host = (metadata: object = {}, status: object = {}): KubeObject => ({
  metadata: { name: 'host', namespace: 'default', uid: 'u', generation: 1, resourceVersion: '1', ...metadata },
  status,
});
const update = (before: KubeObject, object: KubeObject) => ({ type: 'updated', before, object }) as const;

describe('a change of a host', () => {
  it.each<[string, object, boolean]>([
    ['of its spec', { generation: 2 }, true],
    ['of its annotations', { annotations: { a: '1' } }, true],
    ['of its finalizers', { finalizers: ['x'] }, true],
    ['of its identity', { uid: 'other' }, true],
    ['towards its deletion', { deletionTimestamp: '2026-01-01T00:00:00Z' }, true],
    ['of its labels', { labels: { a: '1' } }, false],
    ['of its owner', { ownerReferences: [] }, false],
    ['of nothing but its version', { resourceVersion: '2' }, false],
  ])('%s is of concern: %#', (_what, metadata, concerns) => {
    expect(concernsOperator(update(host(), host(metadata)))).toBe(concerns);
  });

  it('of its status is our own doing', () => {
    expect(concernsOperator(update(host(), host({ resourceVersion: '2' }, { poweredOn: true })))).toBe(false);
  });

  it('is of concern when it comes or goes', () => {
    expect(concernsOperator({ type: 'added', object: host() })).toBe(true);
    expect(concernsOperator({ type: 'deleted', object: host() })).toBe(true);
  });
});

const owner = (kind: string, name: string, apiVersion = 'metal3.io/v1alpha1') => ({
  apiVersion,
  kind,
  name,
  uid: name,
});

describe('the owners of a Secret', () => {
  it('are all the hosts among them, in its own namespace', () => {
    const ownerReferences = [
      owner('BareMetalHost', 'a'),
      owner('BareMetalHost', 'b', 'metal3.io/v1beta1'),
      owner('BareMetalHost', 'c', 'metal3.example/v1'),
      owner('HostClaim', 'd'),
    ];
    expect(ownersOf({ metadata: { name: 's', namespace: 'ns', ownerReferences } })).toEqual(['ns/a', 'ns/b']);
    expect(ownersOf({ metadata: { name: 's' } })).toEqual([]);
  });
});

describe('the controller', () => {
  async function started() {
    const store = () => new ObjectStore<KubeObject>();
    const [hosts, secrets, images] = [store(), store(), store()];
    const companions = [images];
    const [clock, seen] = [new FakeClock(), [] as string[]];
    const queue = new WorkQueue(clock);
    let grant: (key: string) => void = () => undefined;
    const secretStore = new SecretStore({} as KubeApi);
    const onSlotGranted = (listener: (key: string) => void) => (grant = listener);
    const reconcile = (key: string) => Promise.resolve(seen.push(key)).then(() => ({ kind: 'done' }) as const);
    const controller = new HostController({ hosts, secrets, secretStore, companions, onSlotGranted }, queue, {
      reconcile,
    } as unknown as HostReconciler);
    hosts.put(host({ name: 'known' }), 'watch');
    await settle(1);
    expect([seen, queue.depth]).toEqual([[], 0]);
    controller.start(1);
    await settle(1);
    const flush = async () => {
      await settle(1);
      return seen.splice(0);
    };
    return { hosts, secrets, images, flush, grant: (key: string) => grant(key) };
  }

  it('looks at every known host at the start, and at none before', async () => {
    const { flush } = await started();
    expect(await flush()).toEqual(['default/known']);
  });

  it('looks at hosts that come, change and go, and not at its own writes of their status', async () => {
    const { hosts, flush } = await started();
    await flush();
    hosts.put(host(), 'watch');
    expect(await flush()).toEqual(['default/host']);
    hosts.put(host({ resourceVersion: '2' }, { poweredOn: true }), 'write');
    expect(await flush()).toEqual([]);
    hosts.put(host({ resourceVersion: '3', generation: 2 }), 'watch');
    hosts.remove(host({ resourceVersion: '4' }));
    expect(await flush()).toEqual(['default/host', 'default/host']);
  });

  it('looks at the host of an object that says something new, if there is such a host', async () => {
    const { images, flush } = await started();
    await flush();
    const object = (version: string, change: object = {}): KubeObject => ({
      metadata: { name: 'known', namespace: 'default', uid: 'i', resourceVersion: version, generation: 1 },
      ...change,
    });
    images.put(object('1'), 'watch');
    expect(await flush()).toEqual(['default/known']);
    images.put(object('2', { status: { lastUpdated: 'a', lastReconciled: 'b' } }), 'watch');
    expect(await flush()).toEqual([]);
    images.put(object('3', { status: { conditions: [{ type: 'Ready' }] } }), 'watch');
    expect(await flush()).toEqual(['default/known']);
    images.put(object('4', { spec: { url: 'x' } }), 'write');
    expect(await flush()).toEqual([]);
    images.put({ ...object('5'), metadata: { ...object('5').metadata, name: 'stranger' } }, 'watch');
    expect(await flush()).toEqual([]);
    images.remove(object('6'));
    expect(await flush()).toEqual(['default/known']);
  });

  it('looks at the hosts of a Secret that has changed, and at one that was granted a slot', async () => {
    const { secrets, flush, grant } = await started();
    await flush();
    const ownerReferences = [owner('BareMetalHost', 'a'), owner('BareMetalHost', 'b')];
    secrets.put({ metadata: { name: 's', namespace: 'ns', uid: 's', resourceVersion: '1', ownerReferences } }, 'watch');
    expect(await flush()).toEqual(['ns/a', 'ns/b']);
    grant('ns/c');
    expect(await flush()).toEqual(['ns/c']);
  });
});
