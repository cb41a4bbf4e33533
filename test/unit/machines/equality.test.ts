import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isSame } from '../../../machines/equality.js';
import { replay } from '../../support/seed.js';

describe('equality of plain JSON', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: 1 }, { a: 1, b: null }, false],
    [null, undefined, false],
    [null, {}, false],
    [[], null, false],
    [[], {}, false],
    [{ 0: 'a', length: 1 }, ['a'], false],
    [[1, 2], [2, 1], false],
    [[1], [1, undefined], false],
    [{ a: [{ b: null }] }, { a: [{ b: null }] }, true],
    ['1', 1, false],
    [NaN, NaN, true],
    [undefined, undefined, true],
  ])('of %j and %j is %s, both ways round', (a, b, expected) => {
    expect(isSame(a, b)).toBe(expected);
    expect(isSame(b, a)).toBe(expected);
  });

  it('holds between a value and its copy, and fails once anything in it is changed', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        const copy: unknown = JSON.parse(JSON.stringify(value));
        expect(isSame(copy, JSON.parse(JSON.stringify(copy)))).toBe(true);
        expect(isSame({ value: copy }, { value: [copy] })).toBe(false);
        expect(isSame([copy], [copy, 'more'])).toBe(false);
      }),
      replay('equality'),
    );
  });
});
