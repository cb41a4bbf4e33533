import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import {
  commonPaths,
  compareFields,
  fieldsOf,
  subtract,
  union,
  type FieldSet,
} from '../../../../src/embedded/kube/write/field-sets.js';
import { mergeApplied } from '../../../../src/embedded/kube/write/apply.js';
import type { Schema } from '../../../../src/embedded/kube/schema/schema.js';

const SCHEMA: Schema = {
  type: 'object',
  properties: {
    map: { type: 'object', additionalProperties: { type: 'string' } },
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic' },
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { type: 'object', properties: { name: { type: 'string' }, n: { type: 'integer' } } },
    },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    lines: { type: 'array', items: { type: 'string' } },
  },
};

const word = fc.constantFrom('a', 'b', 'c');
const dictionary = fc.dictionary(word, word, { noNullPrototype: true });
const value = fc.record(
  {
    map: dictionary,
    whole: dictionary,
    parts: fc.uniqueArray(fc.record({ name: word, n: fc.integer({ min: 0, max: 2 }) }), {
      selector: (one) => one.name,
    }),
    tags: fc.uniqueArray(word),
    lines: fc.array(word, { maxLength: 2 }),
  },
  { requiredKeys: [], noNullPrototype: true },
);

describe('field sets', () => {
  it('name fields, items by key, members of sets, and atoms as one', () => {
    const object = { map: { a: '1' }, whole: { x: 1 }, parts: [{ name: 'p', n: 1 }], tags: ['t'], lines: ['l'] };
    expect(fieldsOf(object, SCHEMA, 'apply')).toEqual({
      'f:map': { 'f:a': {} },
      'f:whole': {},
      'f:parts': { 'k:{"name":"p"}': { '.': {}, 'f:name': {}, 'f:n': {} } },
      'f:tags': { 'v:"t"': {} },
      'f:lines': {},
    });
  });

  it('tell what a write touched and what it removed', () => {
    const before = { map: { a: '1', b: '2' }, parts: [{ name: 'p', n: 1 }], lines: ['x'] };
    const after = { map: { a: '3' }, parts: [{ name: 'p', n: 1 }, { name: 'q' }], lines: ['x'] };
    expect(compareFields(before, after, SCHEMA)).toEqual({
      touched: { 'f:map': { 'f:a': {} }, 'f:parts': { 'k:{"name":"q"}': { '.': {}, 'f:name': {} } } },
      removed: { 'f:map': { 'f:b': {} } },
    });
  });

  it('read as paths where they meet', () => {
    const a: FieldSet = { 'f:spec': { 'f:parts': { 'k:{"name":"p"}': { '.': {}, 'f:n': {} } }, 'f:x': {} } };
    const b: FieldSet = { 'f:spec': { 'f:parts': { 'k:{"name":"p"}': { 'f:n': {} } } } };
    expect(commonPaths(a, b)).toEqual(['.spec.parts[name="p"].n']);
  });

  it('a value compared with itself has neither changes nor removals', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(compareFields(one, structuredClone(one), SCHEMA)).toEqual({ touched: undefined, removed: undefined });
      }),
    );
  });

  it('union takes in both, and subtracting a set from itself leaves nothing', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [one, two] = [fieldsOf(a, SCHEMA, 'update'), fieldsOf(b, SCHEMA, 'update')];
        const both = union(one, two)!;
        expect(union(two, one)).toEqual(both);
        expect(union(both, one)).toEqual(both);
        expect(subtract(one, both)).toBeUndefined();
        expect(subtract(one, one)).toBeUndefined();
      }),
    );
  });

  it('applying twice is applying once, and what was applied is there', () => {
    fc.assert(
      fc.property(value, value, (live, config) => {
        const once = mergeApplied(live, config, SCHEMA);
        expect(mergeApplied(once, config, SCHEMA)).toEqual(once);
        const missing = subtract(fieldsOf(config, SCHEMA, 'apply'), fieldsOf(once, SCHEMA, 'update'));
        expect(Object.keys(missing ?? {}).filter((key) => key !== '.')).toEqual([]);
      }),
    );
  });
});
