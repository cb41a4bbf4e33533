/**
 * The agent image of a host, from the question whether one is used to the answer whether it is there: at most one write to its
 * object, invoked before a registration and finished within the pass. The image itself is built by others.
 */
import { assign, fromPromise, setup } from 'xstate';
import type { PreprovisioningImage } from '../src/apis/index.js';
import type { ActorInput, ImageOutcome } from './host.context.js';
import {
  hasImageUrl,
  imageChange,
  type ImageChange,
  type ImageFormats,
  imageOf,
  isImageHeld,
  isImageLeaving,
  judgeImage,
} from './preprovisioning.outcomes.js';

export interface PreprovisioningContext extends ActorInput {
  readonly formats: ImageFormats;
  readonly outcome: ImageOutcome;
}

interface Scope {
  context: PreprovisioningContext;
}

export type ImageActorInput = ActorInput & { readonly formats: ImageFormats; readonly change: ImageChange };

const actor = <T>(name: string) =>
  fromPromise<T, ImageActorInput>(() => Promise.reject(new Error(`actor ${name} is not provided`)));

function changeIn({ observed, formats }: PreprovisioningContext): ImageChange | undefined {
  const image = observed.preprovisioningImage;
  return image === undefined ? undefined : imageChange(image, observed, formats);
}

const facts = ({ context }: Scope): ImageActorInput => {
  const { observed, status, services, formats } = context;
  return { observed, status, services, formats, change: changeIn(context) ?? {} };
};

/** False for an object that is not there. */
const ifThere =
  (verdict: (image: PreprovisioningImage) => boolean) =>
  ({ context }: Scope) =>
    context.observed.preprovisioningImage !== undefined && verdict(context.observed.preprovisioningImage);

const noFormats = 'there is no format of agent image that this BMC can boot and that the image builder makes';

export const preprovisioningSetup = setup({
  types: {} as { context: PreprovisioningContext; input: ActorInput; output: ImageOutcome },
  actors: {
    askFormats: actor<ImageFormats | undefined>('askFormats'),
    createImage: actor<ImageOutcome>('createImage'),
    updateImage: actor<void>('updateImage'),
    readNetworkVersion: actor<string>('readNetworkVersion'),
  },
  guards: {
    isUnused: (_, { formats }: { formats: ImageFormats | undefined }) => formats === undefined,
    hasNoFormat: ({ context }) => context.formats.length === 0,
    isMissing: ({ context }) => context.observed.preprovisioningImage === undefined,
    isLeavingUnheld: ifThere((image) => isImageLeaving(image) && !isImageHeld(image)),
    isLeavingBuilt: ifThere((image) => isImageLeaving(image) && hasImageUrl(image)),
    mustUpdate: ({ context }) => !ifThere(isImageLeaving)({ context }) && changeIn(context) !== undefined,
    hasNetworkData: ifThere(({ spec }) => (spec.networkDataName ?? '') !== ''),
  },
  actions: {
    noteUnused: assign({ outcome: { kind: 'unused' } }),
    noteFormats: assign({ formats: (_, { formats }: { formats: ImageFormats | undefined }) => formats ?? [] }),
    noteBroken: assign({ outcome: { kind: 'broken', message: noFormats } }),
    noteCreated: assign({ outcome: (_, { outcome }: { outcome: ImageOutcome }) => outcome }),
    takeImage: assign({ outcome: ({ context }) => taken(context, imageOf) }),
    judgeImage: assign({
      outcome: ({ context }, { version }: { version: string | undefined }) =>
        taken(context, (image) => judgeImage(image, version)),
    }),
  },
});

function taken(
  { observed }: PreprovisioningContext,
  judge: (image: PreprovisioningImage) => ImageOutcome,
): ImageOutcome {
  const image = observed.preprovisioningImage;
  return image === undefined ? { kind: 'absent' } : judge(image);
}

const formats = ({ event }: { event: { output: ImageFormats | undefined } }) => ({ formats: event.output });
const outcome = ({ event }: { event: { output: ImageOutcome } }) => ({ outcome: event.output });
const version = ({ event }: { event: { output: string } }) => ({ version: event.output });

export const preprovisioningMachine = preprovisioningSetup.createMachine({
  id: 'preprovisioning',
  context: ({ input }) => ({ ...input, formats: [], outcome: { kind: 'absent' } }),
  output: ({ context }) => context.outcome,
  initial: 'asking',
  states: {
    asking: {
      invoke: {
        src: 'askFormats',
        input: facts,
        onDone: [
          { guard: { type: 'isUnused', params: formats }, target: 'done', actions: 'noteUnused' },
          { target: 'deciding', actions: { type: 'noteFormats', params: formats } },
        ],
      },
    },
    deciding: {
      always: [
        { guard: 'hasNoFormat', target: 'done', actions: 'noteBroken' },
        { guard: 'isMissing', target: 'creating' },
        { guard: 'isLeavingUnheld', target: 'done' },
        { guard: 'isLeavingBuilt', target: 'done', actions: 'takeImage' },
        { guard: 'mustUpdate', target: 'updating' },
        { guard: 'hasNetworkData', target: 'readingNetworkData' },
        { target: 'done', actions: { type: 'judgeImage', params: { version: undefined } } },
      ],
    },
    creating: {
      invoke: {
        src: 'createImage',
        input: facts,
        onDone: { target: 'done', actions: { type: 'noteCreated', params: outcome } },
      },
    },
    updating: { invoke: { src: 'updateImage', input: facts, onDone: 'done' } },
    readingNetworkData: {
      invoke: {
        src: 'readNetworkVersion',
        input: facts,
        onDone: { target: 'done', actions: { type: 'judgeImage', params: version } },
      },
    },
    done: { type: 'final' },
  },
});
