import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { OBJECT_META } from '../../../../src/embedded/kube/kinds/metadata-schema.js';
import { applyJsonPatch } from '../../../../src/embedded/kube/write/json-patch.js';
import { mergePatch } from '../../../../src/embedded/kube/write/merge-patch.js';
import { strategicPatch } from '../../../../src/embedded/kube/write/strategic-patch.js';

describe('merge patch', () => {
  it.each<[unknown, unknown, unknown]>([
    // The examples of RFC 7386, appendix A, that concern objects.
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{ a: 'foo' }, null, null],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('of %j by %j gives %j', (target, patch, want) => {
    expect(mergePatch(target, patch)).toEqual(want);
  });

  it('never changes its target, and shares what it leaves alone', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (target, patch) => {
        const before = JSON.stringify(target);
        mergePatch(target, patch);
        expect(JSON.stringify(target)).toBe(before);
      }),
    );
    const target = { spec: { big: [1] }, status: {} };
    expect((mergePatch(target, { status: { a: 1 } }) as typeof target).spec).toBe(target.spec);
  });
});

describe('strategic merge patch', () => {
  const patch = (target: unknown, change: unknown) => strategicPatch(target, change, OBJECT_META);

  it('adds to sets, and takes from them', () => {
    const target = { finalizers: ['a', 'b'] };
    expect(patch(target, { finalizers: ['b', 'c'] })).toEqual({ finalizers: ['a', 'b', 'c'] });
    const change = { '$deleteFromPrimitiveList/finalizers': ['a'], '$setElementOrder/finalizers': ['b'] };
    expect(patch(target, change)).toEqual({ finalizers: ['b'] });
  });

  it('merges keyed lists by their key', () => {
    const target = {
      ownerReferences: [
        { uid: '1', name: 'a' },
        { uid: '2', name: 'b' },
      ],
    };
    const change = {
      ownerReferences: [
        { uid: '2', $patch: 'delete' },
        { uid: '1', name: 'c' },
        { uid: '3', name: 'd' },
      ],
    };
    expect(patch(target, change)).toEqual({
      ownerReferences: [
        { uid: '1', name: 'c' },
        { uid: '3', name: 'd' },
      ],
    });
    expect(patch(target, { ownerReferences: [{ $patch: 'replace' }, { uid: '9' }] })).toEqual({
      ownerReferences: [{ uid: '9' }],
    });
  });

  it('replaces, deletes and retains where told to', () => {
    const target = { labels: { a: '1', b: '2' } };
    expect(patch(target, { labels: { $patch: 'replace', c: '3' } })).toEqual({ labels: { c: '3' } });
    expect(patch(target, { labels: { $patch: 'delete' } })).toEqual({ labels: {} });
    expect(patch(target, { labels: { $retainKeys: ['a'], a: '9' } })).toEqual({ labels: { a: '9' } });
    expect(patch(target, { labels: { a: null } })).toEqual({ labels: { b: '2' } });
  });
});

describe('JSON patch', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'X',
    metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
  };
  const run = (patch: unknown) => applyJsonPatch(object, patch);

  it.each<[string, unknown, number]>([
    ['an object', {}, 400],
    ['an unknown operation', [{ op: 'twist', path: '/a' }], 422],
    ['an operation without a path', [{ op: 'remove' }], 422],
    ['a test that fails', [{ op: 'test', path: '/kind', value: 'Y' }], 422],
    ['a path that leads nowhere', [{ op: 'remove', path: '/spec/none' }], 422],
  ])('refuses %s', (_, patch, code) => {
    expect(() => run(patch)).toThrow(expect.objectContaining({ code }));
  });

  it('leaves the stored object alone', () => {
    expect(run([{ op: 'replace', path: '/metadata/name', value: 'b' }])).toMatchObject({ metadata: { name: 'b' } });
    expect(object.metadata.name).toBe('a');
  });
});
