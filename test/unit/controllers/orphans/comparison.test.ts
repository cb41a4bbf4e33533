import { describe, expect, it } from '@jest/globals';
import { seenTwice, withoutHost } from '../../../../src/controllers/orphans/comparison.js';

const of = (...keys: string[]) => ({ has: (key: string) => keys.includes(key), namespaces: [] });

describe('machines without a host', () => {
  it('are those whose key no host has, each once and in order', () => {
    expect(withoutHost(['b/two', 'a/one', 'b/two', 'a/three'], of('a/one'))).toEqual(['a/three', 'b/two']);
    expect(withoutHost(['a/one'], of('a/one', 'a/detached'))).toEqual([]);
  });

  it('are of namespaces that are watched, by their whole name', () => {
    const hosts = { ...of(), namespaces: ['metal', 'spare'] };
    expect(withoutHost(['metal/a', 'metal2/b', 'met/c', 'spare/d'], hosts)).toEqual(['metal/a', 'spare/d']);
  });

  it('count only if they are seen twice running', () => {
    expect(seenTwice([], ['a/new'])).toEqual([]);
    expect(seenTwice(['a/new', 'a/old'], ['a/old', 'a/other'])).toEqual(['a/old']);
  });
});
