/**
 * One round of power management, from the observed power to at most one power command: a procedure of its own, invoked by
 * the host chart and finished within the pass. Its output is the draft, which has a result by then.
 */
import { assign, fromPromise, setup } from 'xstate';
import { dataImageMachine } from './data-image.machine.js';
import type { ActorInput, Draft, Outcome, PowerObservation, ProcedureInput } from './host.context.js';
import { requeueNow, tellInvalidAnnotations } from './host.outcomes.js';
import { servicingMachine } from './servicing.machine.js';
import {
  heldBy,
  isRebootIssued,
  powerVerdicts,
  recordObservedPower,
  recordPowerChange,
  recordPowerFailure,
  refusePowerOff,
  restAsWished,
  retryForPolicy,
  type PowerWish,
  powerWish,
} from './power.outcomes.js';

/** What an actor of this chart receives: the facts, and the power that is wished. */
export type PowerActorInput = ActorInput & { readonly wish: PowerWish };

type Answer<T> = { event: { output: T } };
export interface PowerContext extends ProcedureInput {
  /** Why the host cannot be what its status says, as the back end saw it in this round. */
  readonly contradiction: string | undefined;
}

interface Scope {
  context: PowerContext;
}

function unimplemented(name: string) {
  return () => Promise.reject(new Error(`actor ${name} is not provided`));
}

const outcomeActor = (name: string) => fromPromise<Outcome, PowerActorInput>(unimplemented(name));

const actorInput = ({ context }: Scope): PowerActorInput => ({
  observed: context.observed,
  status: context.draft.status,
  services: context.services,
  wish: powerWish(context),
});

export const powerSetup = setup({
  types: {} as { context: PowerContext; input: ProcedureInput; output: Draft },
  actors: {
    observePower: fromPromise<PowerObservation, PowerActorInput>(unimplemented('observePower')),
    tendDataImage: dataImageMachine,
    serviceFirmware: servicingMachine,
    settleRebootRequests: fromPromise<void, PowerActorInput>(unimplemented('settleRebootRequests')),
    powerOn: outcomeActor('powerOn'),
    powerOff: outcomeActor('powerOff'),
  },
  guards: {
    hasChanged: ({ context }) => context.draft.result !== undefined,
    hasEnded: (_, { draft }: { draft: Draft }) => draft.result !== undefined,
    mayChangeDataImage: ({ context }) => powerVerdicts.mayChangeDataImage(context),
    isPolicyUnclear: ({ context }) => powerVerdicts.isPolicyUnclear(context),
    mustService: ({ context }) => powerVerdicts.mustService(context),
    isRebootFulfilled: ({ context }) => powerVerdicts.isRebootFulfilled(context),
    isPowerAsWished: ({ context }) => powerVerdicts.isPowerAsWished(context),
    isPowerOffForbidden: ({ context }) => powerVerdicts.isPowerOffForbidden(context),
    wantsPowerOn: ({ context }) => powerVerdicts.wantsPowerOn(context),
    isRebootIssued: ({ context }, params: { outcome: Outcome }) => isRebootIssued(context, params.outcome),
    hasFailed: (_, params: { outcome: Outcome }) => params.outcome.kind === 'failed',
  },
  actions: {
    recordObservedPower: assign({
      draft: ({ context }, { observation }: { observation: PowerObservation }) =>
        recordObservedPower(tellInvalidAnnotations(context.draft, context.observed), observation.poweredOn),
      contradiction: (_, { observation }: { observation: PowerObservation }) => observation.contradiction,
    }),
    takeDraft: assign({ draft: (_, { draft }: { draft: Draft }) => draft }),
    retryForPolicy: assign({ draft: ({ context }) => retryForPolicy(context.draft, context) }),
    restAsWished: assign({
      draft: ({ context }) => restAsWished(context.draft, context.contradiction, heldBy(context)),
    }),
    refusePowerOff: assign({ draft: ({ context }) => refusePowerOff(context.draft, context.contradiction) }),
    requeueNow: assign({ draft: ({ context }) => requeueNow(context.draft) }),
    recordPowerFailure: assign({
      draft: ({ context }, params: { outcome: Outcome }) => recordPowerFailure(context.draft, context, params.outcome),
    }),
    recordPowerChange: assign({
      draft: ({ context }, params: { outcome: Outcome }) => recordPowerChange(context.draft, context, params.outcome),
    }),
  },
});

const outcome = ({ event }: Answer<Outcome>) => ({ outcome: event.output });
const given = ({ event }: Answer<Draft>) => ({ draft: event.output });
const whole = ({ context: { observed, draft, services } }: Scope): ProcedureInput => ({ observed, draft, services });
const observation = ({ event }: Answer<PowerObservation>) => ({ observation: event.output });

/** A power command that went through, or is on its way. */
const afterCommand = [
  {
    guard: { type: 'hasFailed', params: outcome },
    target: 'done',
    actions: { type: 'recordPowerFailure', params: outcome },
  },
  { target: 'done', actions: { type: 'recordPowerChange', params: outcome } },
] as const;

export const powerMachine = powerSetup.createMachine({
  id: 'power',
  context: ({ input }) => ({ ...input, contradiction: undefined }),
  output: ({ context }) => context.draft,
  initial: 'observing',
  states: {
    observing: {
      invoke: {
        src: 'observePower',
        input: actorInput,
        onDone: { target: 'deciding', actions: { type: 'recordObservedPower', params: observation } },
      },
    },
    deciding: {
      always: [
        { guard: 'hasChanged', target: 'done' },
        { guard: 'mayChangeDataImage', target: 'tendingDataImage' },
        { target: 'settling' },
      ],
    },
    tendingDataImage: {
      invoke: {
        src: 'tendDataImage',
        input: whole,
        onDone: [
          { guard: { type: 'hasEnded', params: given }, target: 'done', actions: { type: 'takeDraft', params: given } },
          { target: 'settling', actions: { type: 'takeDraft', params: given } },
        ],
      },
    },
    settling: {
      always: [
        { guard: 'isRebootFulfilled', target: 'clearing' },
        { guard: 'isPolicyUnclear', target: 'done', actions: 'retryForPolicy' },
        { guard: 'mustService', target: 'servicing' },
        { target: 'commanding' },
      ],
    },
    servicing: {
      invoke: {
        src: 'serviceFirmware',
        input: whole,
        onDone: { target: 'done', actions: { type: 'takeDraft', params: given } },
      },
    },
    commanding: {
      always: [
        { guard: 'isPowerAsWished', target: 'done', actions: 'restAsWished' },
        { guard: 'isPowerOffForbidden', target: 'done', actions: 'refusePowerOff' },
        { guard: 'wantsPowerOn', target: 'poweringOn' },
        { target: 'poweringOff' },
      ],
    },
    poweringOn: { invoke: { src: 'powerOn', input: actorInput, onDone: afterCommand } },
    poweringOff: {
      invoke: {
        src: 'powerOff',
        input: actorInput,
        onDone: [{ guard: { type: 'isRebootIssued', params: outcome }, target: 'clearing' }, ...afterCommand],
      },
    },
    clearing: {
      invoke: { src: 'settleRebootRequests', input: actorInput, onDone: { target: 'done', actions: 'requeueNow' } },
    },
    done: { type: 'final' },
  },
});
