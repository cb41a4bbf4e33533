/** Objects of every kind with rules, made at random out of what is good, nearly good, and hostile. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { customResourceDefinitions } from '../../../src/apis/index.js';
import { guarded, type HostView, judge } from '../../../src/webhooks/rules/index.js';
import { ObjectMaker } from '../../support/object-maker.mjs';
import { replay } from '../../support/seed.js';

/** Objects of a kind. `test/perf/webhooks.mjs` takes 100,000 of each through the handler. */
const numRuns = 400;

const crds = customResourceDefinitions();
const makers = fc.integer().map((seed) => ({ seed, maker: new ObjectMaker(seed, crds) }));

describe.each(guarded.map(({ kind: { kind } }) => kind))('a generated %s', (kind) => {
  it('is never thrown at, and a refusal is explained by the path of a field', () => {
    let refused = 0;
    let allowed = 0;
    fc.assert(
      fc.property(makers, ({ maker }) => {
        const operation = maker.pick(['CREATE', 'UPDATE', 'DELETE'] as const);
        const object = maker.object(kind);
        const oldObject = maker.chance(0.5) ? maker.variant(object) : maker.object(kind);
        const hosts = Array.from({ length: 2 }, () => maker.object('BareMetalHost') as HostView);
        const known = { hosts: maker.chance(0.2) ? undefined : hosts };
        const verdict = judge({ kind, operation, object, oldObject }, known);
        if (verdict.refusals.length === 0) allowed += 1;
        else refused += 1;
        for (const { field, message } of [...verdict.refusals, ...verdict.warnings]) {
          expect(field).toMatch(/^(spec|metadata)($|[.[])/);
          expect(message).not.toBe('');
          // Cut where somebody's text is too long to be read.
          expect(message.length).toBeLessThan(1_500);
        }
        expect(judge({ kind, operation, object, oldObject }, known)).toEqual(verdict);
      }),
      { ...replay(kind), numRuns },
    );
    // Otherwise nothing but one of the two would have been tried.
    expect(Math.min(refused, allowed)).toBeGreaterThan(numRuns / 100);
  });

  it('that was stored once can have its metadata changed', () => {
    fc.assert(
      fc.property(makers, ({ maker }) => {
        const stored = maker.object(kind);
        const object = { ...stored, metadata: { ...stored.metadata, labels: { a: 'b' }, finalizers: [] } };
        const { refusals } = judge({ kind, operation: 'UPDATE', object, oldObject: stored }, { hosts: undefined });
        expect(refusals).toEqual([]);
      }),
      { ...replay(`${kind}, metadata`), numRuns: numRuns / 10 },
    );
  });
});
