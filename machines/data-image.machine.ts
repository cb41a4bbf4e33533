/**
 * The image in a host's virtual drive, looked after when the host is about to be powered on: one look, at most one command, and
 * what came of it in the status of the DataImage. Invoked by the power procedure; without a result in the draft it goes on there.
 */
import { assign, fromPromise, setup } from 'xstate';
import type { DataImageStatus } from '../src/apis/index.js';
import {
  attached,
  type DataImageObserved,
  type DriveChangeOutcome,
  type DriveOutcome,
  driveVerdicts,
  emptied,
  erred,
  lookAgain,
  retryDrive,
  settled,
  waitForDrive,
} from './data-image.outcomes.js';
import type { ActorInput, Draft, ProcedureInput } from './host.context.js';

export interface DataImageContext extends ProcedureInput {
  readonly drive: DriveOutcome;
  /** What the object's status is to say from now on. */
  readonly news: Partial<DataImageStatus>;
}

interface Scope {
  context: DataImageContext;
}

export interface DataImageAnswered {
  readonly outcome: DriveChangeOutcome;
}

export type DriveActorInput = ActorInput & { readonly news: Partial<DataImageStatus> };

const actor = <T>(name: string) =>
  fromPromise<T, DriveActorInput>(() => Promise.reject(new Error(`actor ${name} is not provided`)));

const facts = ({ context }: Scope): DriveActorInput => ({
  observed: context.observed,
  status: context.draft.status,
  services: context.services,
  news: context.news,
});

/** The power procedure comes here only with a DataImage. */
function imageOf({ observed }: DataImageContext): DataImageObserved {
  if (observed.dataImage === undefined) throw new Error('there is no data image to look after');
  return observed.dataImage;
}

const messageOf = (outcome: DriveOutcome | DriveChangeOutcome) => ('message' in outcome ? outcome.message : '');
const verdict =
  (name: keyof typeof driveVerdicts) =>
  ({ context }: Scope) =>
    driveVerdicts[name](imageOf(context).object, context.drive);

export const dataImageSetup = setup({
  types: {} as { context: DataImageContext; input: ProcedureInput; output: Draft },
  actors: {
    observeDrive: actor<DriveOutcome>('observeDrive'),
    attachDataImage: actor<DriveChangeOutcome>('attachDataImage'),
    detachDataImage: actor<DriveChangeOutcome>('detachDataImage'),
    recordDataImage: actor<void>('recordDataImage'),
  },
  guards: {
    isBusy: ({ context }) => context.drive.kind === 'busy',
    isUnreadable: ({ context }) => context.drive.kind === 'unreadable',
    isEmptied: verdict('isEmptied'),
    mustDetach: verdict('mustDetach'),
    isLeaving: verdict('isLeaving'),
    mustAttach: verdict('mustAttach'),
    hasErred: verdict('hasErred'),
    hasFailed: (_, { outcome }: DataImageAnswered) => outcome.kind === 'failed',
  },
  actions: {
    noteDrive: assign({ drive: (_, { drive }: { drive: DriveOutcome }) => drive }),
    noteUnreadable: assign(({ context }) => ({
      news: erred(imageOf(context).object, messageOf(context.drive)),
      draft: waitForDrive(context.draft, imageOf(context), 'unreadable'),
    })),
    noteEmptied: assign(({ context }) => ({ news: emptied(), draft: lookAgain(context.draft) })),
    noteAttached: assign(({ context }) => ({
      news: attached(imageOf(context).object),
      draft: waitForDrive(context.draft, imageOf(context), 'attached'),
    })),
    noteSettled: assign({ news: settled() }),
    noteFailure: assign(({ context }, { outcome }: DataImageAnswered) => ({
      news: erred(imageOf(context).object, messageOf(outcome)),
      draft: retryDrive(context.draft, messageOf(outcome)),
    })),
    waitWhileBusy: assign({ draft: ({ context }) => waitForDrive(context.draft, imageOf(context), 'busy') }),
    noteDetached: assign({ draft: ({ context }) => waitForDrive(context.draft, imageOf(context), 'detached') }),
  },
});

const drive = ({ event }: { event: { output: DriveOutcome } }) => ({ drive: event.output });
const outcome = ({ event }: { event: { output: DriveChangeOutcome } }) => ({ outcome: event.output });
const failing = {
  guard: { type: 'hasFailed', params: outcome },
  target: 'recording',
  actions: { type: 'noteFailure', params: outcome },
} as const;

export const dataImageMachine = dataImageSetup.createMachine({
  id: 'dataImage',
  context: ({ input }) => ({ ...input, drive: { kind: 'busy' }, news: {} }),
  output: ({ context }) => context.draft,
  initial: 'observing',
  states: {
    observing: {
      invoke: {
        src: 'observeDrive',
        input: facts,
        onDone: { target: 'deciding', actions: { type: 'noteDrive', params: drive } },
      },
    },
    deciding: {
      always: [
        { guard: 'isBusy', target: 'done', actions: 'waitWhileBusy' },
        { guard: 'isUnreadable', target: 'recording', actions: 'noteUnreadable' },
        { guard: 'isEmptied', target: 'recording', actions: 'noteEmptied' },
        { guard: 'mustDetach', target: 'detaching' },
        { guard: 'isLeaving', target: 'done' },
        { guard: 'mustAttach', target: 'attaching' },
        { guard: 'hasErred', target: 'recording', actions: 'noteSettled' },
        { target: 'done' },
      ],
    },
    detaching: {
      invoke: { src: 'detachDataImage', input: facts, onDone: [failing, { target: 'done', actions: 'noteDetached' }] },
    },
    attaching: {
      invoke: {
        src: 'attachDataImage',
        input: facts,
        onDone: [failing, { target: 'recording', actions: 'noteAttached' }],
      },
    },
    recording: { invoke: { src: 'recordDataImage', input: facts, onDone: 'done' } },
    done: { type: 'final' },
  },
});
