import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pageOf, parsePage } from '../../../../src/embedded/ironic/page.js';
import { Stamps } from '../../../../src/embedded/ironic/stamps.js';
import { globMatches } from '../../../../src/embedded/ironic/glob.js';
import { FakeClock } from '../../../support/fake-clock.js';

describe('paging', () => {
  it('shows each item once, in order, for any page size, direction and equal or missing keys', () => {
    const keys = fc.array(fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }), { maxLength: 30 });
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 7 }), fc.boolean(), (values, limit, descending) => {
        const items = values.map((key, id) => ({ id, uuid: `u${id}`, key }));
        const page = { limit, descending, sortKey: 'k', marker: null as string | null };
        const seen: typeof items = [];
        for (let chunk = pageOf(items, page, (item) => item); chunk.length > 0;) {
          seen.push(...chunk);
          page.marker = chunk.at(-1)?.uuid ?? null;
          chunk = pageOf(items, page, (item) => item);
        }
        const rank = (item: (typeof items)[number]) => (item.key ?? -1) * 1000 + item.id;
        const expected = [...items].sort((a, b) => (descending ? rank(b) - rank(a) : rank(a) - rank(b)));
        expect(seen).toEqual(expected);
      }),
    );
  });

  it('never gives more than the server allows', () => {
    expect(parsePage(new URLSearchParams('limit=5000'), 1000).limit).toBe(1000);
    expect(() => parsePage(new URLSearchParams('limit=0'), 1000)).toThrow(/positive/);
    expect(() => parsePage(new URLSearchParams('sort_dir=up'), 10)).toThrow(/sort direction/);
  });
});

describe('stamps', () => {
  it('only ever grow, on a clock that stands still and after a restart', () => {
    const clock = new FakeClock();
    const first = new Stamps(clock);
    const made = Array.from({ length: 1500 }, () => first.next());
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(made.length);
    const second = new Stamps(clock);
    second.reserve(made.at(-1) ?? null);
    expect(second.next() > (made.at(-1) ?? '')).toBe(true);
    expect(made[0]).toMatch(/^2026-01-01T00:00:00\.\d{6}\+00:00$/);
  });

  it('have whole microseconds on a clock that counts finer', () => {
    const clock = new FakeClock(Date.UTC(2026, 0, 1) + 0.123456);
    expect(new Stamps(clock).next()).toMatch(/^2026-01-01T00:00:00\.000\d{3}\+00:00$/);
  });
});

describe('a glob', () => {
  it('matches a text that holds the special characters of patterns literally', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((s) => !/[*?]/.test(s)),
        (text) => globMatches(text, text),
      ),
    );
    expect(globMatches('a.c', 'abc')).toBe(false);
    expect(globMatches('/v1/nodes/*', '/v1/nodes/x/states')).toBe(true);
  });
});
