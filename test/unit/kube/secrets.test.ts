import { describe, expect, it } from '@jest/globals';
import { claimPatch, type KubeApi, type KubeObject, SecretStore, secretValue } from '../../../src/kube/index.js';
import { mergePatched } from '../../support/chart-step.js';

const owner = { apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', name: 'host', uid: 'uid-1' };
const finalizer = 'baremetalhost.metal3.io/secret';
const label = { 'environment.metal3.io': 'baremetal' };
const foreign = { ...owner, name: 'other', uid: 'uid-2', controller: true, blockOwnerDeletion: true };

const secret = (metadata: object = {}): KubeObject => ({ metadata: { name: 'bmc', ...metadata } });
const claimed = { labels: label, ownerReferences: [owner], finalizers: [finalizer] };

describe('the claim of a Secret', () => {
  it.each<[string, object, object | undefined]>([
    ['adds label, plain owner and finalizer', {}, claimed],
    ['changes nothing of a claimed one', claimed, undefined],
    ['leaves a label of another value alone', { ...claimed, labels: { 'environment.metal3.io': 'mine' } }, undefined],
    ['adds to the labels that there are', { ...claimed, labels: { a: 'b' } }, { labels: label }],
    [
      'makes a controller reference of this host a plain one',
      { ...claimed, ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }] },
      { ownerReferences: [owner] },
    ],
    [
      'keeps other owners as they are',
      { ...claimed, ownerReferences: [foreign] },
      { ownerReferences: [foreign, owner] },
    ],
    ['keeps other finalizers', { ...claimed, finalizers: ['x/y'] }, { finalizers: ['x/y', finalizer] }],
  ])('%s', (_what, metadata, patch) => expect(claimPatch(secret(metadata), { owner, finalizer })).toEqual(patch));

  it('is the label alone where neither owner nor finalizer is asked for', () => {
    expect(claimPatch(secret(), {})).toEqual({ labels: label });
  });

  it('never writes what only a controller may', () => {
    const given = { ...owner, controller: true, blockOwnerDeletion: true };
    expect(claimPatch(secret(claimed), { owner: { ...given, uid: 'uid-3' } })).toEqual({
      ownerReferences: [owner, { ...owner, uid: 'uid-3' }],
    });
  });
});

/** One Secret on a server that takes merge patches and counts them. */
function serverWith(initial: KubeObject | undefined) {
  let kept = initial && { ...initial, metadata: { uid: 's', resourceVersion: '1', ...initial.metadata } };
  const patches: object[] = [];
  const api = {
    get: () => Promise.resolve(kept),
    patch: (_kind: unknown, _key: unknown, patch: object) => {
      patches.push(patch);
      const merged = mergePatched(kept, patch) as KubeObject;
      kept = { ...merged, metadata: { ...merged.metadata, resourceVersion: String(patches.length + 1) } } as never;
      return Promise.resolve(kept);
    },
  };
  return { store: new SecretStore(api as unknown as KubeApi), patches };
}

const key = { namespace: 'default', name: 'bmc' };

describe('a Secret in use', () => {
  it('is claimed in one write that carries the version it was read at, and never again', async () => {
    const { store, patches } = serverWith(secret());
    const first = await store.acquire(key, { owner, finalizer });
    await store.acquire(key, { owner, finalizer });
    expect(patches).toEqual([{ metadata: { ...claimed, resourceVersion: '1' } }]);
    expect(store.isOwnWrite(first!)).toBe(true);
    expect(store.isOwnWrite({ metadata: { ...first!.metadata, resourceVersion: '3' } })).toBe(false);
  });

  it('is let go by the finalizer alone', async () => {
    const { store, patches } = serverWith(secret({ ...claimed, finalizers: ['x/y', finalizer] }));
    await store.release(key, finalizer);
    await store.release(key, finalizer);
    expect(patches).toEqual([{ metadata: { finalizers: ['x/y'], resourceVersion: '1' } }]);
  });

  it('that is gone is neither claimed nor released', async () => {
    const { store, patches } = serverWith(undefined);
    expect(await store.acquire(key, { owner, finalizer })).toBeUndefined();
    await store.release(key, finalizer);
    expect(patches).toEqual([]);
  });

  it('has values in clear text, empty ones among them', () => {
    const data = { password: Buffer.from('pässword').toString('base64'), empty: '' };
    expect(secretValue({ ...secret(), data }, 'password')).toBe('pässword');
    expect(secretValue({ ...secret(), data }, 'empty')).toBe('');
    expect(secretValue({ ...secret(), data }, 'absent')).toBeUndefined();
    expect(secretValue(secret(), 'absent')).toBeUndefined();
  });
});
