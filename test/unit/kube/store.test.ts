import { describe, expect, it } from '@jest/globals';
import { isOlder, type KubeObject, ObjectStore } from '../../../src/kube/index.js';

const object = (name: string, version: string, uid = `uid-${name}`, namespace = 'default'): KubeObject => ({
  metadata: { name, namespace, uid, resourceVersion: version },
});

function watched() {
  const store = new ObjectStore<KubeObject>();
  const told: string[] = [];
  store.listen(({ type, object: { metadata } }, source) => {
    told.push(`${type} ${metadata.name}@${metadata.resourceVersion} by ${source}`);
  });
  return { store, told };
}

describe('resource versions', () => {
  it.each<[string | undefined, string | undefined, boolean]>([
    ['9', '10', true],
    ['10', '9', false],
    ['10', '10', false],
    ['99999999999999999998', '99999999999999999999', true],
    ['abc', '10', false],
    ['10', 'abc', false],
    [undefined, '1', false],
    ['', '1', false],
  ])('%s is older than %s: %s', (a, b, older) => expect(isOlder(a, b)).toBe(older));
});

describe('the store', () => {
  it('tells additions, updates with what was before, and deletions, once each', () => {
    const { store, told } = watched();
    store.put(object('a', '1'), 'watch');
    store.put(object('a', '1'), 'watch');
    store.put(object('a', '2'), 'write');
    store.remove(object('a', '3'));
    store.remove(object('a', '3'));
    expect(told).toEqual(['added a@1 by watch', 'updated a@2 by write', 'deleted a@2 by watch']);
    expect(store.size).toBe(0);
  });

  it('never goes back behind its own last write', () => {
    const { store, told } = watched();
    store.put(object('a', '5'), 'watch');
    store.put(object('a', '12'), 'write');
    store.put(object('a', '9'), 'watch');
    expect(store.get('default/a')?.metadata.resourceVersion).toBe('12');
    store.put(object('a', '12'), 'watch');
    expect(told).toHaveLength(2);
  });

  it.each(['write', 'news'] as const)('is not brought back to life by the late answer of a write (%s)', (source) => {
    const { store } = watched();
    store.put(object('a', '5'), 'watch');
    store.remove(object('a', '7'));
    store.put(object('a', '6'), source);
    expect(store.get('default/a')).toBeUndefined();
  });

  it('takes an object of the same name for a new one, also after a write of it', () => {
    const { store, told } = watched();
    store.put(object('a', '5', 'first'), 'watch');
    store.remove(object('a', '7', 'first'));
    store.put(object('a', '8', 'second'), 'write');
    store.put(object('a', '9', 'second'), 'watch');
    expect(told.slice(2)).toEqual(['added a@8 by write', 'updated a@9 by watch']);
  });

  it('keeps the new object when the deletion of the old one comes late', () => {
    const { store } = watched();
    store.put(object('a', '5', 'first'), 'watch');
    store.put(object('a', '8', 'second'), 'write');
    store.remove(object('a', '7', 'first'));
    expect(store.get('default/a')?.metadata.uid).toBe('second');
  });

  it('shows a deletion and a new creation that it never saw as an update from one uid to another', () => {
    const { store } = watched();
    const seen: string[] = [];
    store.put(object('a', '5', 'first'), 'watch');
    store.listen((event) => {
      if (event.type === 'updated') seen.push(`${event.before.metadata.uid} > ${event.object.metadata.uid}`);
    });
    store.put(object('a', '8', 'second'), 'watch');
    expect(seen).toEqual(['first > second']);
  });

  it('drops what a complete list does not hold, in the namespace that was listed alone', () => {
    const { store, told } = watched();
    for (const name of ['a', 'b']) store.put(object(name, '1'), 'watch');
    store.put(object('c', '1', 'c', 'other'), 'watch');
    store.keepOnly(new Set(['default/a']), 'default', '4');
    expect([...store.values()].map(({ metadata }) => metadata.name)).toEqual(['a', 'c']);
    store.keepOnly(new Set(['default/a']), undefined, '4');
    expect(told.slice(3)).toEqual(['deleted b@1 by watch', 'deleted c@1 by watch']);
  });

  it('keeps what was written after the list was taken', () => {
    const { store } = watched();
    store.put(object('a', '3'), 'watch');
    store.put(object('b', '6'), 'write');
    store.keepOnly(new Set(), undefined, '5');
    expect([...store.values()].map(({ metadata }) => metadata.name)).toEqual(['b']);
  });

  it('keeps what it was told to keep of an object, and never the managed fields', () => {
    const full = { ...object('a', '1'), data: { password: 'x' } };
    Object.assign(full.metadata, { managedFields: [{ manager: 'kubectl' }] });
    const slim = new ObjectStore<KubeObject>(({ metadata }) => ({ metadata }));
    slim.put(full, 'watch');
    expect(slim.get('default/a')).not.toHaveProperty('data');
    const plain = new ObjectStore<KubeObject>();
    plain.put(full, 'watch');
    expect(plain.get('default/a')?.metadata).not.toHaveProperty('managedFields');
    expect(full.metadata).toHaveProperty('managedFields');
  });

  it.each(['watch', 'write', 'news'] as const)(
    'takes in nothing of a namespace that is not followed (%s)',
    (source) => {
      const store = new ObjectStore<KubeObject>(undefined, ['default', 'lab']);
      const told: string[] = [];
      store.listen(({ object: { metadata } }) => told.push(metadata.name));
      for (const namespace of ['default', 'lab', 'other'])
        store.put(object(`in-${namespace}`, '1', namespace, namespace), source);
      expect(told).toEqual(['in-default', 'in-lab']);
      expect(store.get('other/in-other')).toBeUndefined();
    },
  );

  it('remembers only so many deletions', () => {
    const { store } = watched();
    for (let index = 0; index <= 1000; index += 1) store.remove(object(`n${index}`, '1'));
    store.put(object('n0', '1'), 'write');
    store.put(object('n1000', '1'), 'write');
    expect([...store.values()].map(({ metadata }) => metadata.name)).toEqual(['n0']);
  });
});
