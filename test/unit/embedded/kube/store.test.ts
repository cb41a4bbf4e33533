import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../../../src/embedded/kube/object.js';
import type { Change } from '../../../../src/embedded/kube/store/history.js';
import { ObjectStore } from '../../../../src/embedded/kube/store/store.js';

const object = (name: string, value = 0): KubeObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name, namespace: 'n', uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '' },
  value,
});

const step = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  value: fc.integer({ min: 0, max: 9 }),
  remove: fc.boolean(),
});

describe('the store', () => {
  it('rebuilds any state that its history reaches', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const store = new ObjectStore({ historySize: 100 });
        const states = new Map([[store.resourceVersion, store.list('xs')]]);
        for (const { name, value, remove } of steps) {
          if (remove) store.remove('xs', `n/${name}`);
          else store.put('xs', object(name, value));
          states.set(store.resourceVersion, store.list('xs'));
        }
        for (const [rv, state] of states) expect(store.listAt('xs', rv)).toEqual(state);
      }),
    );
  });

  it('replays from any version to the present, by changes alone', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 8 }), (steps, size) => {
        const store = new ObjectStore({ historySize: size });
        const all: Change[] = [];
        store.onChange((change) => all.push(change));
        for (const { name, value, remove } of steps) {
          if (remove) store.remove('xs', `n/${name}`);
          else store.put('xs', object(name, value));
        }
        const { floor } = store.history('xs');
        for (let rv = 1; rv <= store.resourceVersion; rv += 1) {
          const want = rv < floor ? undefined : all.filter((change) => change.rv > rv);
          expect(store.history('xs').since(rv)).toEqual(want);
        }
        expect(all.filter((change) => change.rv > floor).length).toBe(Math.min(size, all.length));
      }),
    );
  });

  it('does not show what could not be kept', () => {
    const store = new ObjectStore({
      historySize: 10,
      persist: () => {
        throw new Error('disk full');
      },
    });
    expect(() => store.put('xs', object('a'))).toThrow('disk full');
    expect(store.list('xs')).toEqual([]);
    expect(store.resourceVersion).toBe(1);
  });

  it('keeps namespaces with a common beginning apart', () => {
    const store = new ObjectStore({ historySize: 10 });
    store.put('xs', object('a'));
    store.put('xs', { ...object('b'), metadata: { ...object('b').metadata, namespace: 'n2' } });
    expect(store.list('xs', 'n').map((one) => one.metadata.name)).toEqual(['a']);
  });
});
