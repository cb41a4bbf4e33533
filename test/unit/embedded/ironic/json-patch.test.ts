import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ApiError } from '../../../../src/embedded/ironic/api-error.js';
import { applyPatch, parsePatch } from '../../../../src/embedded/ironic/json-patch.js';
import type { Json, JsonObject } from '../../../../src/embedded/ironic/json.js';

const key = fc.stringMatching(/^[a-z_][a-z0-9_-]{0,6}$/);

describe('a patch', () => {
  it('adds what is then there, and removes what is then gone, and never touches the original', () => {
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue()), key, fc.jsonValue(), (members, name, value) => {
        const document = { extra: members as JsonObject };
        const before = structuredClone(document);
        const added = applyPatch(document, [{ op: 'add', path: `/extra/${name}`, value: value as Json }]);
        expect(added['extra']).toEqual({ ...members, [name]: value });
        const removed = applyPatch(added, [{ op: 'remove', path: `/extra/${name}` }]);
        const { [name]: _gone, ...rest } = members;
        expect(removed['extra']).toEqual(rest);
        expect(document).toEqual(before);
      }),
    );
  });

  it('leaves a removed top-level field null', () => {
    expect(applyPatch({ name: 'a' }, [{ op: 'remove', path: '/name' }])).toEqual({ name: null });
  });

  it('edits lists by index and appends with a dash', () => {
    const patched = applyPatch({ list: [1, 2] }, [
      { op: 'add', path: '/list/-', value: 3 },
      { op: 'remove', path: '/list/0' },
      { op: 'replace', path: '/list/0', value: 9 },
    ]);
    expect(patched).toEqual({ list: [9, 3] });
  });

  it.each(['__proto__', 'constructor', 'toString'])('cannot reach %s of the language', (name) => {
    expect(() => applyPatch({ extra: {} }, [{ op: 'add', path: `/extra/${name}/polluted`, value: 1 }])).toThrow(
      ApiError,
    );
    const patched = applyPatch({ extra: {} }, [{ op: 'add', path: `/extra/${name}`, value: { polluted: 1 } }]);
    expect(Object.hasOwn(patched['extra'] as object, name)).toBe(true);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('is refused with 400 in any wrong form', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        try {
          parsePatch(value as Json);
        } catch (error) {
          expect(error).toMatchObject({ status: 400 });
        }
      }),
    );
  });
});
