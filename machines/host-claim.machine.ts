/**
 * The life of a HostClaim: it waits, a host is chosen and noted, taken and recorded; it is associated, loses its host, or is
 * released. A pass begins by finding out where it stands, from what the wire says alone, and goes on to its end: at most three
 * writes, one after another, in this order, so that a pass that breaks off anywhere is taken up by the next, whoever makes it.
 */
import { assign, fromPromise, setup } from 'xstate';
import type {
  BoundOutcome,
  ChoiceOutcome,
  ClaimChoice,
  ClaimObserved,
  ClaimStanding,
  NotedOutcome,
  ReleaseOutcome,
  TakeOutcome,
} from './host-claim.outcomes.js';

export interface ClaimInput {
  readonly observed: ClaimObserved;
  /** Passed through to the actors; the chart does not look inside. */
  readonly services: unknown;
}

export interface ClaimContext extends ClaimInput {
  readonly choice: ClaimChoice | undefined;
  readonly standing: ClaimStanding;
}

interface Scope {
  context: ClaimContext;
}

const actor = <T>(name: string) =>
  fromPromise<T, ClaimContext>(() => Promise.reject(new Error(`actor ${name} is not provided`)));

const facts = ({ context }: Scope): ClaimContext => context;

/** A step about a host comes only where there is one. */
function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the claim has no host to go on with');
  return value;
}

const bound = ({ context }: Scope) => known(context.observed.bound);
const chosen = ({ context }: Scope) => known(context.choice);

/** What the actor of a state has answered. */
interface Answered extends Scope {
  event: unknown;
}

const answer = <T>({ event }: Pick<Answered, 'event'>): T => (event as { readonly output: T }).output;
const message = (scope: Answered) => answer<{ readonly message?: string }>(scope).message ?? '';
const is = (kind: string) => (scope: Answered) => answer<{ readonly kind: string }>(scope).kind === kind;

/** How the claim stands, for each way to come to it. */
const standings = {
  waiting: (scope: Answered): ClaimStanding => ({ kind: 'waiting', message: message(scope) }),
  taken: (scope: Scope): ClaimStanding => ({ kind: 'associated', host: chosen(scope).host }),
  held: ({ context }: Scope): ClaimStanding => ({ kind: 'associated', host: known(context.observed.holder) }),
  bound: (scope: Scope): ClaimStanding => ({ kind: 'associated', host: bound(scope) }),
  refused: (scope: Answered): ClaimStanding => ({
    ...{ kind: 'refused', host: chosen(scope).host, message: message(scope) },
  }),
  missing: (scope: Scope): ClaimStanding => ({ kind: 'hostMissing', host: bound(scope) }),
  estranged: (scope: Answered): ClaimStanding => ({
    ...{ kind: 'hostEstranged', host: bound(scope), hasOther: is('others')(scope) },
  }),
  stuck: (scope: Answered): ClaimStanding => ({ kind: 'stuck', message: message(scope) }),
};

const claimSetup = setup({
  types: {} as { context: ClaimContext; input: ClaimInput; output: ClaimStanding },
  actors: {
    catchUp: actor<string | undefined>('catchUp'),
    chooseHost: actor<ChoiceOutcome>('chooseHost'),
    noteChoice: actor<void>('noteChoice'),
    takeHost: actor<TakeOutcome>('takeHost'),
    readNoted: actor<NotedOutcome>('readNoted'),
    readBound: actor<BoundOutcome>('readBound'),
    releaseHosts: actor<ReleaseOutcome>('releaseHosts'),
    letGo: actor<void>('letGo'),
    recordStanding: actor<void>('recordStanding'),
  },
  guards: {
    isGone: ({ context: { observed } }) => observed.isDeleting && !observed.isHeld,
    isDeleting: ({ context }) => context.observed.isDeleting,
    isBound: ({ context }) => context.observed.bound !== undefined,
    isNoted: ({ context }) => context.observed.noted !== undefined,
    isTaken: ({ context }) => context.observed.holder !== undefined,
    /** By another operator, which leaves no note. */
    wasBegunByOthers: ({ context: { observed } }) =>
      observed.isHeld && [observed.bound, observed.noted, observed.holder].every((host) => host === undefined),
    isFound: (scope) => answer<string | undefined>(scope) !== undefined,
    isChosen: is('chosen'),
    isTakenNow: is('taken'),
    isRefused: is('refused'),
    isOurs: is('ours'),
    isOpen: is('open'),
    isUnsettled: is('unsettled'),
    isMissing: is('gone'),
    isReleased: is('released'),
    hasFailed: is('failed'),
  },
  actions: {
    noteHolder: assign({
      observed: (scope) => ({ ...scope.context.observed, holder: answer<string | undefined>(scope) }),
    }),
    resume: assign({ choice: ({ context }) => context.observed.noted }),
    noteChosen: assign({ choice: (scope) => answer<ChoiceOutcome & { kind: 'chosen' }>(scope).choice }),
    standWaiting: assign({ standing: standings.waiting }),
    standTaken: assign({ standing: standings.taken }),
    standHeld: assign({ standing: standings.held }),
    standBound: assign({ standing: standings.bound }),
    standContending: assign({ standing: { kind: 'contending' } }),
    standSettling: assign({ standing: { kind: 'settling' } }),
    standRefused: assign({ standing: standings.refused }),
    standMissing: assign({ standing: standings.missing }),
    standEstranged: assign({ standing: standings.estranged }),
    standLeaving: assign({ standing: { kind: 'leaving' } }),
    standGone: assign({ standing: { kind: 'gone' } }),
    standStuck: assign({ standing: standings.stuck }),
  },
});

export const hostClaimMachine = claimSetup.createMachine({
  id: 'hostClaim',
  context: ({ input }) => ({ ...input, choice: undefined, standing: { kind: 'contending' } }),
  output: ({ context }) => context.standing,
  initial: 'observing',
  states: {
    observing: {
      always: [
        { guard: 'isGone', target: 'done', actions: 'standGone' },
        // Whose hosts are not all known yet is caught up with before anything else.
        { guard: 'wasBegunByOthers', target: 'catchingUp' },
        { guard: 'isDeleting', target: 'releasing' },
        { guard: 'isBound', target: 'confirming' },
        { guard: 'isNoted', target: 'resuming', actions: 'resume' },
        { guard: 'isTaken', target: 'associated', actions: 'standHeld' },
        { target: 'choosing' },
      ],
    },
    catchingUp: {
      invoke: {
        src: 'catchUp',
        input: facts,
        onDone: [
          { guard: 'isDeleting', target: 'releasing' },
          {
            guard: 'isFound',
            target: 'associated',
            actions: ['noteHolder', 'standHeld'],
          },
          { target: 'choosing' },
        ],
      },
    },
    choosing: {
      invoke: {
        src: 'chooseHost',
        input: facts,
        onDone: [
          { guard: 'isChosen', target: 'noting', actions: 'noteChosen' },
          { target: 'waiting', actions: 'standWaiting' },
        ],
      },
    },
    noting: { invoke: { src: 'noteChoice', input: facts, onDone: 'taking' } },
    taking: {
      invoke: {
        src: 'takeHost',
        input: facts,
        onDone: [
          { guard: 'isTakenNow', target: 'associated', actions: 'standTaken' },
          { guard: 'isRefused', target: 'refused', actions: 'standRefused' },
          { target: 'done', actions: 'standContending' },
        ],
      },
    },
    resuming: {
      invoke: {
        src: 'readNoted',
        input: facts,
        onDone: [
          { guard: 'isOurs', target: 'associated', actions: 'standTaken' },
          { guard: 'isOpen', target: 'taking' },
          { guard: 'isUnsettled', target: 'done', actions: 'standSettling' },
          { target: 'choosing' },
        ],
      },
    },
    confirming: {
      invoke: {
        src: 'readBound',
        input: facts,
        onDone: [
          { guard: 'isOurs', target: 'associated', actions: 'standBound' },
          { guard: 'isMissing', target: 'hostMissing', actions: 'standMissing' },
          { target: 'hostEstranged', actions: 'standEstranged' },
        ],
      },
    },
    waiting: { invoke: { src: 'recordStanding', input: facts, onDone: 'done' } },
    refused: { invoke: { src: 'recordStanding', input: facts, onDone: 'done' } },
    associated: { invoke: { src: 'recordStanding', input: facts, onDone: 'done' } },
    hostMissing: { invoke: { src: 'recordStanding', input: facts, onDone: 'done' } },
    hostEstranged: { invoke: { src: 'recordStanding', input: facts, onDone: 'done' } },
    releasing: {
      invoke: {
        src: 'releaseHosts',
        input: facts,
        onDone: [
          { guard: 'isReleased', target: 'released', actions: 'standGone' },
          { guard: 'hasFailed', target: 'stuck', actions: 'standStuck' },
          { target: 'done', actions: 'standLeaving' },
        ],
      },
    },
    stuck: { invoke: { src: 'recordStanding', input: facts, onDone: 'done' } },
    released: { invoke: { src: 'letGo', input: facts, onDone: 'done' } },
    done: { type: 'final' },
  },
});
