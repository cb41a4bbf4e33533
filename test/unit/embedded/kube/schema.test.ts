import { describe, expect, it } from '@jest/globals';
import { applyDefaults } from '../../../../src/embedded/kube/schema/defaults.js';
import { holdsFormat } from '../../../../src/embedded/kube/schema/formats.js';
import { prune } from '../../../../src/embedded/kube/schema/prune.js';
import type { Schema } from '../../../../src/embedded/kube/schema/schema.js';
import { badPatterns, validate } from '../../../../src/embedded/kube/schema/validate.js';

describe('pruning', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      known: { type: 'string' },
      map: { type: 'object', additionalProperties: { type: 'object', properties: { a: {} } } },
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { typed: { type: 'object' } } },
      list: { type: 'array', items: { type: 'object', properties: { a: {} } } },
      resource: { type: 'object', 'x-kubernetes-embedded-resource': true },
    },
  };

  it('drops unknown fields at any depth and names them', () => {
    const unknown: string[] = [];
    const value = { known: 'x', odd: 1, map: { k: { a: 1, b: 2 } }, list: [{ a: 1 }, { c: 3 }] };
    expect(prune(value, schema, 'spec', unknown)).toEqual({ known: 'x', map: { k: { a: 1 } }, list: [{ a: 1 }, {}] });
    expect(unknown).toEqual(['spec.odd', 'spec.map.k.b', 'spec.list[1].c']);
  });

  it('keeps what is preserved, yet prunes typed parts below', () => {
    expect(prune({ any: { free: { x: 1 }, typed: { y: 1 } } }, schema)).toEqual({ any: { free: { x: 1 }, typed: {} } });
  });

  it('keeps the head of an embedded resource', () => {
    const resource = { apiVersion: 'v1', kind: 'X', metadata: { name: 'n' } };
    expect(prune({ resource: { ...resource, more: 1 } }, schema)).toEqual({ resource });
  });

  it('returns the very value when there is nothing to drop', () => {
    const value = { known: 'x', list: [{ a: 1 }] };
    expect(prune(value, schema)).toBe(value);
  });

  it('does not take inherited names for known ones', () => {
    expect(prune({ constructor: 1, toString: 2 }, schema)).toEqual({});
  });
});

describe('defaults', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      mode: { type: 'string', default: 'slow' },
      nothing: { type: 'string', nullable: true, default: 'x' },
      deep: { type: 'object', properties: { list: { type: 'array', default: [] } } },
      map: {
        type: 'object',
        additionalProperties: { type: 'object', properties: { n: { type: 'integer', default: 1 } } },
      },
    },
  };

  it('fill what is missing or wrongly null', () => {
    expect(applyDefaults({ mode: null }, schema)).toEqual({ mode: 'slow', nothing: 'x' });
  });

  it('leave a null where null is a value', () => {
    expect(applyDefaults({ nothing: null }, schema)).toEqual({ mode: 'slow', nothing: null });
  });

  it('reach into what is present, and only that', () => {
    expect(applyDefaults({ deep: {}, map: { a: {} } }, schema)).toMatchObject({
      deep: { list: [] },
      map: { a: { n: 1 } },
    });
    expect(applyDefaults({}, schema)).not.toHaveProperty('deep');
  });

  it('are copies, never shared between objects', () => {
    const one = applyDefaults({ deep: {} }, schema) as { deep: { list: unknown[] } };
    one.deep.list.push(1);
    expect(applyDefaults({ deep: {} }, schema)).toMatchObject({ deep: { list: [] } });
  });

  it('return the very value when nothing changes', () => {
    const value = { mode: 'fast', nothing: null };
    expect(applyDefaults(value, schema)).toBe(value);
  });
});

describe('validation', () => {
  const messages = (value: unknown, schema: Schema) => validate(value, schema, 'f').map((error) => error.message);

  it.each<[string, unknown, Schema, string[]]>([
    ['whole numbers count as numbers', 1, { type: 'number' }, []],
    [
      'fractions are no integers',
      1.5,
      { type: 'integer' },
      ['Invalid value: "number": f in body must be of type integer: "number"'],
    ],
    [
      'int32 has a range',
      2 ** 31,
      { type: 'integer', format: 'int32' },
      ['Invalid value: "": Checked value must be of type integer with format int32 in f'],
    ],
    [
      'exclusive bounds exclude',
      5,
      { type: 'integer', maximum: 5, exclusiveMaximum: true },
      ['Invalid value: 5: f in body should be less than 5'],
    ],
    ['lengths count characters, not code units', '😀😀', { type: 'string', maxLength: 2 }, []],
    [
      'null is refused where it is no value',
      null,
      { type: 'string' },
      ['Invalid value: "null": f in body must be of type string: "null"'],
    ],
    ['null is taken where it is one', null, { type: 'string', nullable: true }, []],
    ['multiples', 5, { type: 'integer', multipleOf: 2 }, ['Invalid value: 5: f in body should be a multiple of 2']],
    ['too few items', [], { type: 'array', minItems: 1 }, ['Invalid value: 0: f in body should have at least 1 items']],
    [
      'one of two',
      { a: 1, b: 1 },
      { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      ['Invalid value: "": "f" must validate one and only one schema (oneOf)'],
    ],
    [
      'none of',
      { a: 1 },
      { type: 'object', not: { required: ['a'] } },
      ['Invalid value: "": "f" must not validate the schema (not)'],
    ],
    [
      'all of',
      3,
      { type: 'integer', allOf: [{ minimum: 4 }] },
      ['Invalid value: 3: f in body should be greater than or equal to 4'],
    ],
  ])('%s', (_, value, schema, want) => {
    expect(messages(value, schema)).toEqual(want);
  });

  it('anchors nothing by itself, as Go does not', () => {
    expect(messages('zz1zz', { type: 'string', pattern: '[0-9]' })).toEqual([]);
    expect(messages('ABC', { type: 'string', pattern: '(?i)^abc\\z' })).toEqual([]);
  });

  it('finds the patterns that cannot be compiled', () => {
    expect(badPatterns({ properties: { a: { items: { pattern: '(' } }, b: { pattern: 'ok' } } })).toEqual(['(']);
  });

  it.each([
    ['date-time', '2026-01-01T00:00:00Z', true],
    ['date-time', '2026-01-01T00:00:00.123456+02:00', true],
    ['date-time', '2026-01-01', false],
    ['ipv4', '10.0.0.256', false],
    ['cidr', 'fd00::/64', true],
    ['cidr', '10.0.0.0/33', false],
    ['mac', '00:11:22:33:44:55', true],
    ['byte', 'YQ=', false],
    ['hostname', '-bad', false],
    ['never-heard-of', 'anything', true],
  ])('format %s of %s: %s', (format, text, holds) => {
    expect(holdsFormat(text, format)).toBe(holds);
  });
});
