import { describe, expect, it } from '@jest/globals';
import {
  accessChanged,
  firmwareWakers,
  type HostView,
  isSetAside,
  viewOf,
} from '../../../src/controllers/host-view.js';
import { holdPatch } from '../../../src/controllers/object-keeper.js';
import { type KubeObject, ObjectStore } from '../../../src/kube/index.js';

const owner = (uid: string, name = 'host') => ({ apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', name, uid });

describe('what an object is made to carry', () => {
  it('is added to what it carries, and is no change when it is there', () => {
    const metadata = { name: 'x', finalizers: ['a'], ownerReferences: [owner('1', 'other')] };
    expect(holdPatch({ metadata }, { finalizer: 'b', owner: owner('2') })).toEqual({
      finalizers: ['a', 'b'],
      ownerReferences: [owner('1', 'other'), owner('2')],
    });
    expect(holdPatch({ metadata }, { finalizer: 'a', owner: owner('1', 'other') })).toBeUndefined();
    expect(holdPatch({ metadata: { name: 'x' } }, {})).toBeUndefined();
  });

  it('leaves an owner that is in charge in charge', () => {
    const metadata = { name: 'x', ownerReferences: [{ ...owner('1'), controller: true }] };
    expect(holdPatch({ metadata }, { owner: owner('1') })).toBeUndefined();
  });

  it('replaces the owner of the same name that is gone, which would have it collected', () => {
    const metadata = { name: 'x', ownerReferences: [owner('old'), owner('1', 'other')] };
    expect(holdPatch({ metadata }, { owner: owner('new') })).toEqual({
      ownerReferences: [owner('1', 'other'), owner('new')],
    });
  });
});

describe('the view of a host', () => {
  const view = (status: object, annotations: Record<string, string> = {}) =>
    viewOf({ metadata: { name: 'host', uid: 'u', annotations }, status });
  const at = (state: string, operationalStatus = 'OK', ID = 'node') =>
    view({ operationalStatus, provisioning: { state, ID } });
  const [paused, detached] = ['baremetalhost.metal3.io/paused', 'baremetalhost.metal3.io/detached'];

  it('is set aside while it is new, unmanaged, paused or detached', () => {
    for (const aside of [view({}), at('unmanaged'), at('available', 'detached')]) expect(isSetAside(aside)).toBe(true);
    for (const note of [paused, detached]) {
      expect(isSetAside(view({ provisioning: { state: 'available' } }, { [note]: '' }))).toBe(true);
    }
    expect(isSetAside(at('registering'))).toBe(false);
    expect(isSetAside(at('provisioned', 'error'))).toBe(false);
  });

  const isNews = (before: HostView, now: HostView, wishes: number) => {
    const hosts = new ObjectStore<KubeObject>();
    const wakers = firmwareWakers(hosts, { get: () => ({ metadata: { name: 'host' } }) }, () => wishes);
    const object = ({ state, operationalStatus, provisionerID: ID }: HostView): KubeObject => ({
      metadata: { name: 'host', namespace: 'n', uid: 'u' },
      status: { operationalStatus, provisioning: { state, ID } },
    });
    const event = { type: 'updated', before: object(before), object: object(now) } as const;
    return wakers.flatMap(({ keysOf }) => keysOf(event)).length > 0;
  };

  it('is news for its firmware when it can be asked, and, if anything was wished for, when a change of it is over', () => {
    expect(isNews(at('unmanaged', 'OK', ''), at('registering', 'OK', ''), 0)).toBe(true);
    expect(isNews(at('registering', 'OK', ''), at('registering'), 0)).toBe(true);
    for (const [before, now] of [
      [at('preparing'), at('available')],
      [at('provisioned', 'servicing'), at('provisioned')],
    ] as const) {
      expect(isNews(before, now, 0)).toBe(false);
      expect(isNews(before, now, 1)).toBe(true);
    }
    expect(isNews(at('available'), at('provisioning'), 1)).toBe(false);
    expect(isNews(at('available'), at('preparing'), 1)).toBe(false);
    expect(isNews(at('provisioned'), at('provisioned', 'servicing'), 1)).toBe(false);
  });

  it('is news for what needs its node when that comes or goes, or it is let go on', () => {
    expect(accessChanged(at('available'), at('available', 'OK', 'another'))).toBe(true);
    expect(accessChanged(at('available', 'OK', ''), at('available', 'detached', ''))).toBe(true);
    expect(accessChanged(at('available'), view({ provisioning: { ID: 'node' } }, { [paused]: '' }))).toBe(true);
    expect(accessChanged(at('preparing'), at('available', 'error'))).toBe(false);
  });
});
