import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createActor, fromPromise, toPromise } from 'xstate';
import { type ClaimContext, hostClaimMachine } from '../../machines/index.js';
import type {
  BoundOutcome,
  ChoiceOutcome,
  ClaimObserved,
  ClaimStanding,
  NotedOutcome,
  ReleaseOutcome,
  TakeOutcome,
} from '../../machines/index.js';
import { replay } from '../support/seed.js';
import { Coverage, edgesOf } from './edges.js';

interface Script {
  readonly caughtUp: string | undefined;
  readonly choice: ChoiceOutcome;
  readonly take: TakeOutcome;
  readonly noted: NotedOutcome;
  readonly bound: BoundOutcome;
  readonly release: ReleaseOutcome;
}

interface Services extends Script {
  readonly done: string[];
}

const chosen = { host: 'hosts/chosen', version: '7' };
const message = 'words';

const scripted = <T>(name: string, answer: (services: Services) => T) =>
  fromPromise<T, ClaimContext>(({ input: { services } }) => {
    (services as Services).done.push(name);
    return Promise.resolve(answer(services as Services));
  });
const silent = (name: string) => scripted<void>(name, () => undefined);

const machine = hostClaimMachine.provide({
  actors: {
    catchUp: scripted('catchUp', ({ caughtUp }) => caughtUp),
    chooseHost: scripted('chooseHost', ({ choice }) => choice),
    noteChoice: silent('noteChoice'),
    takeHost: scripted('takeHost', ({ take }) => take),
    readNoted: scripted('readNoted', ({ noted }) => noted),
    readBound: scripted('readBound', ({ bound }) => bound),
    releaseHosts: scripted('releaseHosts', ({ release }) => release),
    letGo: silent('letGo'),
    recordStanding: silent('recordStanding'),
  },
});

const coverage = new Coverage();

async function life(observed: ClaimObserved, script: Script): Promise<{ standing: ClaimStanding; done: string[] }> {
  const services: Services = { ...script, done: [] };
  const actor = createActor(machine, { input: { observed, services }, inspect: coverage.inspector() });
  const ended = toPromise(actor);
  actor.start();
  return { standing: await ended, done: services.done };
}

const kinds = <K extends string>(...names: readonly K[]) => fc.constantFrom(...names).map((kind) => ({ kind }));
const maybe = <T>(value: T) => fc.constantFrom(undefined, value);

const observations: fc.Arbitrary<ClaimObserved> = fc.record({
  isDeleting: fc.boolean(),
  isHeld: fc.boolean(),
  bound: maybe('hosts/bound'),
  noted: maybe({ host: 'hosts/noted', version: '5' }),
  holder: maybe('hosts/holder'),
});
const scripts: fc.Arbitrary<Script> = fc.record({
  caughtUp: maybe('hosts/late'),
  choice: fc.constantFrom<ChoiceOutcome>({ kind: 'chosen', choice: chosen }, { kind: 'none', message }),
  take: fc.constantFrom<TakeOutcome>({ kind: 'taken' }, { kind: 'lost' }, { kind: 'refused', message }),
  noted: kinds('ours', 'open', 'unsettled', 'over'),
  bound: kinds('ours', 'gone', 'others', 'free'),
  release: fc.constantFrom<ReleaseOutcome>({ kind: 'released' }, { kind: 'unsettled' }, { kind: 'failed', message }),
});

describe('the life of a claim', () => {
  it('keeps its promises on every way through the chart, and has no way that is never gone', async () => {
    await fc.assert(
      fc.asyncProperty(observations, scripts, async (observed, script) => {
        const { standing, done } = await life(observed, script);
        const at = (step: string) => done.indexOf(step);
        // A host is taken only once it has been noted: just now, or by whoever went before.
        if (at('takeHost') >= 0) expect(at('noteChoice') >= 0 || at('readNoted') >= 0).toBe(true);
        if (at('noteChoice') >= 0) expect(at('noteChoice')).toBeLessThan(at('takeHost'));
        // With a host in its status, or one that names it, no other is sought; a noted one is proved to be of no use first.
        if (at('chooseHost') >= 0) {
          expect([observed.bound, observed.isDeleting]).toEqual([undefined, false]);
          if (observed.noted !== undefined) expect(script.noted.kind).toBe('over');
          else expect(observed.holder).toBeUndefined();
        }
        // What is told is told once, at the end; what passes soon is not told.
        const isTold = !['contending', 'settling', 'leaving', 'gone'].includes(standing.kind);
        expect(done.filter((step) => step === 'recordStanding')).toHaveLength(isTold ? 1 : 0);
        if (isTold) expect(done.at(-1)).toBe('recordStanding');
        if (at('letGo') >= 0)
          expect(done).toEqual([...(at('catchUp') >= 0 ? ['catchUp'] : []), 'releaseHosts', 'letGo']);
        expect(done.length).toBeLessThanOrEqual(5);
      }),
      { ...replay('lives of claims'), numRuns: 3000 },
    );
    expect(coverage.missing(edgesOf(machine))).toEqual([]);
  });

  const nothing: ClaimObserved = {
    isDeleting: false,
    isHeld: false,
    bound: undefined,
    noted: undefined,
    holder: undefined,
  };
  const fine: Script = {
    ...{ caughtUp: undefined, choice: { kind: 'chosen' as const, choice: chosen }, take: { kind: 'taken' as const } },
    ...{ noted: { kind: 'ours' as const }, bound: { kind: 'ours' as const }, release: { kind: 'released' as const } },
  };
  const cases: [string, Partial<ClaimObserved>, Partial<Script>, ClaimStanding][] = [
    ['a new one', {}, {}, { kind: 'associated', host: 'hosts/chosen' }],
    ['one for which there is nothing', {}, { choice: { kind: 'none', message } }, { kind: 'waiting', message }],
    ['one that another was sooner than', {}, { take: { kind: 'lost' } }, { kind: 'contending' }],
    [
      'one whose host is gone',
      { isHeld: true, bound: 'h/a' },
      { bound: { kind: 'gone' } },
      { kind: 'hostMissing', host: 'h/a' },
    ],
    [
      'one whose host was given away',
      { isHeld: true, bound: 'h/a' },
      { bound: { kind: 'others' } },
      { kind: 'hostEstranged', host: 'h/a', hasOther: true },
    ],
    ['one that others began', { isHeld: true }, { caughtUp: 'h/b' }, { kind: 'associated', host: 'h/b' }],
    ['one that is deleted', { isHeld: true, isDeleting: true, bound: 'h/a' }, {}, { kind: 'gone' }],
  ];
  it.each(cases)('ends a pass of %s where it belongs', async (_what, observed, script, standing) => {
    expect((await life({ ...nothing, ...observed }, { ...fine, ...script })).standing).toEqual(standing);
  });
});
