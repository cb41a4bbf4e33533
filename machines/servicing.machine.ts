/**
 * One round of servicing, from the wish for other firmware to at most one command: invoked by the power procedure and finished
 * within the pass. Whether a servicing is under way stands in the host's status and in the back end; nothing of it is kept here.
 */
import { assign, fromPromise, setup } from 'xstate';
import type { ActorInput, Draft, ProcedureInput, ServicingOutcome } from './host.context.js';
import { mustForgetUpdates, mustRecordUpdates } from './host.firmware.js';
import { beginServicing, isServicing, recordServicing, servicingDemand } from './servicing.outcomes.js';

interface Scope {
  context: ProcedureInput;
}

export interface ServicingAnswered {
  readonly outcome: ServicingOutcome;
}

const actor = <T>(name: string) =>
  fromPromise<T, ActorInput>(() => Promise.reject(new Error(`actor ${name} is not provided`)));

const facts = ({ context }: Scope): ActorInput => ({
  observed: context.observed,
  status: context.draft.status,
  services: context.services,
});

export const servicingSetup = setup({
  types: {} as { context: ProcedureInput; input: ProcedureInput; output: Draft },
  actors: {
    serviceHost: actor<ServicingOutcome>('serviceHost'),
    forgetFirmwareUpdates: actor<void>('forgetFirmwareUpdates'),
    recordFirmwareUpdates: actor<void>('recordFirmwareUpdates'),
  },
  guards: {
    isNotYetServicing: ({ context }) => !isServicing(context.draft),
    mustForgetUpdates: ({ context }, { outcome }: ServicingAnswered) =>
      outcome.kind === 'failed' && mustForgetUpdates(context.observed.firmware, context.draft.status),
    mustRecordUpdates: ({ context }, { outcome }: ServicingAnswered) =>
      outcome.kind !== 'failed' &&
      outcome.started &&
      mustRecordUpdates(context.observed.firmware, servicingDemand(context)),
  },
  actions: {
    beginServicing: assign({ draft: ({ context }) => beginServicing(context.draft) }),
    recordServicing: assign({
      draft: ({ context }, { outcome }: ServicingAnswered) => recordServicing(context.draft, context, outcome),
    }),
  },
});

const answer = ({ event }: { event: { output: ServicingOutcome } }) => ({ outcome: event.output });
const recording = { type: 'recordServicing', params: answer } as const;

export const servicingMachine = servicingSetup.createMachine({
  id: 'servicing',
  context: ({ input }) => input,
  output: ({ context }) => context.draft,
  initial: 'deciding',
  states: {
    deciding: {
      always: [{ guard: 'isNotYetServicing', target: 'done', actions: 'beginServicing' }, { target: 'working' }],
    },
    working: {
      invoke: {
        src: 'serviceHost',
        input: facts,
        onDone: [
          { guard: { type: 'mustForgetUpdates', params: answer }, target: 'forgetting', actions: recording },
          { guard: { type: 'mustRecordUpdates', params: answer }, target: 'recording', actions: recording },
          { target: 'done', actions: recording },
        ],
      },
    },
    forgetting: { invoke: { src: 'forgetFirmwareUpdates', input: facts, onDone: 'done' } },
    recording: { invoke: { src: 'recordFirmwareUpdates', input: facts, onDone: 'done' } },
    done: { type: 'final' },
  },
});
