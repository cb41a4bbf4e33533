/**
 * The shapes that recur in the host chart. A step is busy until its one actor answers; the answer travels on as a parameter of
 * named guards and actions. There is no `onError` anywhere: an error that is thrown ends the pass, and nothing is kept.
 */
import type { ActorInput, HostContext, RegistrationInput } from './host.context.js';
import { factsOf } from './host.guards.js';

const facts = ({ context }: { context: HostContext }): ActorInput => {
  const { observed, draft } = factsOf(context);
  return { observed, status: draft.status, services: context.services };
};

const registrationFacts = ({ context }: { context: HostContext }): RegistrationInput => ({
  ...facts({ context }),
  image: context.image,
});

const powerFacts = ({ context }: { context: HostContext }) => ({ ...factsOf(context), services: context.services });

/** Hands an actor's answer to a guard or an action. */
export const answer = <T>({ event }: { event: { output: T } }) => ({ outcome: event.output });

const busy = <S extends string>(step: S) => ({ tags: 'busy', entry: { type: 'noteStep', params: { step } } }) as const;

/** Invokes one actor and goes where its answer leads. */
export const step = <S extends string, const D>(src: S, onDone: D) =>
  ({ ...busy(src), invoke: { src, input: facts, onDone } }) as const;

/** An action, or a guard, that wants to know the answer. */
export const told = <N extends string>(type: N) => ({ type, params: answer }) as const;

/** The agent image of the host, and then its registration. */
export const readyingImage = {
  ...busy('readyImage'),
  invoke: {
    src: 'readyImage',
    input: facts,
    onDone: [
      { guard: told('isImageBroken'), target: 'registered', actions: told('recordBrokenImage') },
      { target: 'registering', actions: told('takeImage') },
    ],
  },
} as const;

export const registering = {
  ...busy('registerHost'),
  invoke: {
    src: 'registerHost',
    input: registrationFacts,
    onDone: [
      {
        guard: told('mustForgetLostUpdates'),
        target: 'forgettingLostUpdates',
        actions: told('recordRegistration'),
      },
      { target: 'registered', actions: told('recordRegistration') },
    ],
  },
} as const;

/** Where the host rests after a failure, or while the work goes on elsewhere. */
export const failing = <A extends string>(action: A) =>
  ({ guard: told('hasFailed'), target: 'rest', actions: told(action) }) as const;
export const waiting = { guard: told('isInProgress'), target: 'rest', actions: told('poll') } as const;

export const lifecycle = <S extends string>(state: S) => `#host.lifecycle.${state}` as const;

const unreachable = {
  guard: told('isUnreachable'),
  target: lifecycle('deleting'),
  actions: 'giveUpUnreachable',
} as const;

/** A step of a removal: it is given up after too many failures, and at once where the node cannot be reached any more. */
export const removing = <A extends string, G extends string, T extends string>(failure: A, giveUp: G, next: T) =>
  [unreachable, { guard: told('hasGivenUp'), target: next, actions: told(giveUp) }, failing(failure), waiting] as const;

/**
 * A host that is at no image is switched off and let go. One whose status holds an image nevertheless, as after its state was
 * edited, is deprovisioned: what is on its disks must not go on with the machine.
 */
export const letGoAtWork = [
  { guard: 'hasImageToAdopt', target: lifecycle('deprovisioning'), actions: 'forgive' },
  { target: lifecycle('poweringOffBeforeDelete') },
] as const;

/** The same for a host that has no slot yet. */
export const letGo = [
  { guard: 'isUnexpectedImageWithoutSlot', actions: 'delayDeprovisioning' },
  ...letGoAtWork,
] as const;

/** Before anything is done to a host in use, the back end must know that it is in use. */
export const adopting = <T extends string>(next: T) =>
  step('adoptHost', [
    unreachable,
    failing('recordAdoptionFailure'),
    waiting,
    { target: next, actions: 'endAdoptionError' },
  ]);

/** Power is looked after in every state in which a host rests. */
export const power = {
  ...busy('managePower'),
  invoke: { src: 'managePower', input: powerFacts, onDone: { target: 'rest', actions: told('takePowerDraft') } },
} as const;

/** The one-shot reboot request is fulfilled by the work itself: whatever was asked for, the machine has been rebooted. */
export const clearingReboot = step('removeRebootRequest', { target: 'rest', actions: 'requeueNow' });
