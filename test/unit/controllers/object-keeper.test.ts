import { describe, expect, it } from '@jest/globals';
import { accessChanged, firmwareMayDiffer, isSetAside, viewOf } from '../../../src/controllers/host-view.js';
import { holdPatch } from '../../../src/controllers/object-keeper.js';

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

  it('is news for its firmware when it can be asked, and when a change of it is over', () => {
    expect(firmwareMayDiffer(at('preparing'), at('available'))).toBe(true);
    expect(firmwareMayDiffer(at('provisioned', 'servicing'), at('provisioned'))).toBe(true);
    expect(firmwareMayDiffer(at('unmanaged', 'OK', ''), at('registering', 'OK', ''))).toBe(true);
    expect(firmwareMayDiffer(at('registering', 'OK', ''), at('registering'))).toBe(true);
    expect(firmwareMayDiffer(at('available'), at('provisioning'))).toBe(false);
    expect(firmwareMayDiffer(at('available'), at('preparing'))).toBe(false);
    expect(firmwareMayDiffer(at('provisioned'), at('provisioned', 'servicing'))).toBe(false);
  });

  it('is news for what needs its node when that comes or goes, or it is let go on', () => {
    expect(accessChanged(at('available'), at('available', 'OK', 'another'))).toBe(true);
    expect(accessChanged(at('available', 'OK', ''), at('available', 'detached', ''))).toBe(true);
    expect(accessChanged(at('available'), view({ provisioning: { ID: 'node' } }, { [paused]: '' }))).toBe(true);
    expect(accessChanged(at('preparing'), at('available', 'error'))).toBe(false);
  });
});
