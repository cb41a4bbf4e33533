import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mergeDiff } from '../../../../src/controllers/host/merge-diff.js';
import { mergePatched } from '../../../support/chart-step.js';
import { replay } from '../../../support/seed.js';

type Json = Record<string, unknown>;

/** Without what is null or undefined in an object: a merge patch cannot tell them from absent. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  return Object.fromEntries(kept.map(([key, part]) => [key, plain(part)]));
}

const leaf = fc.oneof(fc.constant(null), fc.boolean(), fc.integer({ max: 3, min: 0 }), fc.constantFrom('', 'a'));
const { tree } = fc.letrec((tie) => ({
  tree: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.oneof(leaf, tie('tree'), fc.array(leaf, { maxLength: 2 })), {
    maxKeys: 3,
  }),
}));
const object = tree as fc.Arbitrary<Json>;

describe('a merge patch', () => {
  it('turns what is there into what is wanted', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        const stored = plain(before) as Json;
        const patch = mergeDiff(stored, after);
        expect(plain(mergePatched(stored, patch ?? {}))).toEqual(plain(after));
      }),
      { ...replay('merge patch'), numRuns: 500 },
    );
  });

  it('is none when there is nothing to do, and nothing more is to be done after it', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        expect(mergeDiff(after, structuredClone(after))).toBeUndefined();
        const done = plain(mergePatched(plain(before), mergeDiff(plain(before) as Json, after) ?? {})) as Json;
        expect(mergeDiff(done, plain(after) as Json)).toBeUndefined();
      }),
      { ...replay('merge patch is final'), numRuns: 300 },
    );
  });

  it.each<[Json, Json, Json | undefined]>([
    [{ a: 1, b: 2 }, { a: 1, b: 3 }, { b: 3 }],
    [{ a: 1, b: 2 }, { a: 1 }, { b: null }],
    [{ a: 1 }, { a: undefined }, { a: null }],
    [{}, { a: null, b: undefined }, undefined],
    [{ a: { x: 1, y: 1 } }, { a: { x: 1, y: 2 } }, { a: { y: 2 } }],
    [{ a: { x: 1 } }, { a: {} }, { a: { x: null } }],
    [{}, { a: {} }, { a: {} }],
    [{ list: [1, 2] }, { list: [1, 3] }, { list: [1, 3] }],
    [{ list: [1] }, { list: [] }, { list: [] }],
    [{ a: 1 }, { a: { x: 1 } }, { a: { x: 1 } }],
    [{ a: { x: 1 } }, { a: 1 }, { a: 1 }],
    [{ raid: { sw: [] } }, { raid: { sw: null } }, { raid: { sw: null } }],
  ])('from %j to %j is %j', (before, after, patch) => expect(mergeDiff(before, after)).toEqual(patch));

  it('changes neither of the two', () => {
    const [before, after] = [
      Object.freeze({ a: Object.freeze({ x: 1 }) }),
      Object.freeze({ a: Object.freeze({ y: 1 }) }),
    ];
    expect(mergeDiff(before, after)).toEqual({ a: { x: null, y: 1 } });
  });
});
