/**
 * The names that the host chart uses, and what each stands for: guards and actions are pure and given here, actors are only
 * named here and given once at start-up by the controller.
 */
import { assign, enqueueActions, fromPromise, raise, setup } from 'xstate';
import type {
  ActorInput,
  Draft,
  HostContext,
  HostEvent,
  ImageOutcome,
  InspectionOutcome,
  Observed,
  Outcome,
  PreparationOutcome,
  ProvisioningOutcome,
  RegistrationInput,
  RegistrationOutcome,
  RemovalOutcome,
  Standing,
} from './host.context.js';
import * as deployment from './host.deployment.js';
import { cleared, forgiven } from './host.draft.js';
import { exceedsPatience, factsOf, type PassFacts, verdicts, type VerdictName } from './host.guards.js';
import { mustForgetLostUpdates, preparationVerdicts } from './host.guards.js';
import * as outcomes from './host.outcomes.js';
import { beginRegistration, recordBrokenImage, recordRegistration } from './host.registration.js';
import { powerMachine } from './power.machine.js';
import { preprovisioningMachine } from './preprovisioning.machine.js';

interface Scope {
  context: HostContext;
}

/** Parameter objects that carry an actor's answer from the chart to a guard or an action. */
export interface Answered<T> {
  readonly outcome: T;
}

const actor = <T, I = ActorInput>(name: string) =>
  fromPromise<T, I>(() => Promise.reject(new Error(`actor ${name} is not provided`)));

type StandEvent = Extract<HostEvent, { type: `stand.${Standing}` }>;

function standEvent(operationalStatus: string): StandEvent {
  const standing = (operationalStatus === '' || operationalStatus === 'OK' ? 'ok' : operationalStatus) as Standing;
  return { type: `stand.${standing}` };
}

/** Replaces the draft; the region `standing` follows its operationalStatus. */
function redraft(context: HostContext, next: Draft, enqueue: Enqueue): void {
  const { draft } = factsOf(context);
  enqueue.assign({ draft: next });
  if (next.status.operationalStatus !== draft.status.operationalStatus) {
    enqueue.raise(standEvent(next.status.operationalStatus));
  }
}

interface Enqueue {
  assign(change: { draft: Draft }): void;
  raise(event: StandEvent): void;
}

/** An action made of a pure change of the draft. */
function fold(change: (draft: Draft, observed: Observed) => Draft) {
  return enqueueActions<HostContext, HostEvent, undefined, HostEvent, never, never, never, never, never>(
    ({ context, enqueue }) => {
      const { draft, observed } = factsOf(context);
      redraft(context, change(draft, observed), enqueue);
    },
  );
}

/** The same for an action that takes an actor's answer. */
function foldAnswer<T>(change: (draft: Draft, outcome: T, observed: Observed) => Draft) {
  return enqueueActions<HostContext, HostEvent, Answered<T>, HostEvent, never, never, never, never, never>(
    ({ context, enqueue }, { outcome }) => {
      const { draft, observed } = factsOf(context);
      redraft(context, change(draft, outcome, observed), enqueue);
    },
  );
}

type AnyOutcome = Outcome | RemovalOutcome;

const guards = Object.fromEntries(
  Object.entries(verdicts).map(([name, verdict]) => [name, ({ context }: Scope) => verdict(factsOf(context))]),
) as Record<VerdictName, (scope: Scope) => boolean>;

const both =
  (...names: ((facts: PassFacts) => boolean)[]) =>
  ({ context }: Scope) =>
    names.every((verdict) => verdict(factsOf(context)));

export const hostSetup = setup({
  types: {} as { context: HostContext; events: HostEvent; input: Partial<HostContext> },
  actors: {
    detachHost: actor<Outcome>('detachHost'),
    readyImage: preprovisioningMachine,
    registerHost: actor<RegistrationOutcome, RegistrationInput>('registerHost'),
    claimFirmwareObjects: actor<void>('claimFirmwareObjects'),
    inspectHardware: actor<InspectionOutcome>('inspectHardware'),
    removeInspectionRequests: actor<void>('removeInspectionRequests'),
    removeInspectionRequest: actor<void>('removeInspectionRequest'),
    saveHardwareData: actor<void>('saveHardwareData'),
    prepareHost: actor<PreparationOutcome>('prepareHost'),
    forgetFirmwareUpdates: actor<void>('forgetFirmwareUpdates'),
    recordFirmwareUpdates: actor<void>('recordFirmwareUpdates'),
    adoptHost: actor<RemovalOutcome>('adoptHost'),
    managePower: powerMachine,
    provisionHost: actor<ProvisioningOutcome>('provisionHost'),
    removeRebootRequest: actor<void>('removeRebootRequest'),
    deprovisionHost: actor<RemovalOutcome>('deprovisionHost'),
    powerOffHost: actor<RemovalOutcome>('powerOffHost'),
    deleteHost: actor<Outcome>('deleteHost'),
    releaseHost: actor<void>('releaseHost'),
  },
  guards: {
    ...guards,
    isStillDelayed: both(verdicts.isDelayed, verdicts.lacksSlot),
    isBusyWithoutSlot: both(verdicts.isBusyState, verdicts.lacksSlot),
    isInspectionRequestedWithoutSlot: both(verdicts.isInspectionRequested, verdicts.lacksSlot),
    needsProvisioningWithoutSlot: both(verdicts.needsProvisioning, verdicts.lacksSlot),
    isCancelledWithoutSlot: both(verdicts.isProvisioningCancelled, verdicts.lacksSlot),
    isUnexpectedImageWithoutSlot: both(verdicts.hasImageToAdopt, verdicts.lacksSlot),
    mustForgetLostUpdates: ({ context }, { outcome }: Answered<RegistrationOutcome>) =>
      mustForgetLostUpdates(factsOf(context), outcome),
    isImageBroken: (_, { outcome }: Answered<ImageOutcome>) => outcome.kind === 'broken',
    mustForgetUpdates: ({ context }, { outcome }: Answered<PreparationOutcome>) =>
      preparationVerdicts.mustForgetUpdates(factsOf(context), outcome),
    mustRecordUpdates: ({ context }, { outcome }: Answered<PreparationOutcome>) =>
      preparationVerdicts.mustRecordUpdates(factsOf(context), outcome),
    hasFailed: (_, { outcome }: Answered<AnyOutcome>) => outcome.kind === 'failed',
    isInProgress: (_, { outcome }: Answered<AnyOutcome>) => outcome.kind === 'inProgress',
    isUnreachable: (_, { outcome }: Answered<RemovalOutcome>) => outcome.kind === 'unreachable',
    hasGivenUp: ({ context }, { outcome }: Answered<RemovalOutcome>) => exceedsPatience(factsOf(context), outcome),
    hasStartedRequests: ({ context }, { outcome }: Answered<InspectionOutcome>) =>
      outcome.kind !== 'failed' && outcomes.hasStartedRequests(factsOf(context).observed, outcome),
    lacksDetails: (_, { outcome }: Answered<InspectionOutcome>) =>
      outcome.kind === 'inProgress' || outcome.details === undefined,
  },
  actions: {
    observe: assign(({ event }) =>
      event.type === 'reconcile'
        ? {
            observed: event.observed,
            draft: event.draft,
            image: { kind: 'unused' },
            services: event.services,
            step: null,
          }
        : {},
    ),
    noteStep: assign((_, { step }: { step: string }) => ({ step })),
    askWork: raise({ type: 'work' }),
    askDeletion: raise({ type: 'delete' }),
    askRelease: raise({ type: 'release' }),

    becomeDelayed: fold(outcomes.becomeDelayed),
    delayDeprovisioning: fold(outcomes.delayDeprovisioning),
    leaveDelayed: fold(outcomes.leaveDelayed),
    countDelayedDeletion: fold(outcomes.countDelayedDeletion),
    becomeDetached: fold(outcomes.becomeDetached),
    keepDetaching: foldAnswer<Outcome>(outcomes.keepDetaching),
    recordDetachFailure: foldAnswer<Outcome>(outcomes.recordDetachFailure),
    leaveDetached: fold(outcomes.leaveDetached),
    beginRegistration: fold(beginRegistration),
    takeImage: assign({ image: (_, { outcome }: Answered<ImageOutcome>) => outcome }),
    recordBrokenImage: foldAnswer<ImageOutcome>((draft, outcome, observed) =>
      recordBrokenImage(draft, observed, outcome.kind === 'broken' ? outcome.message : ''),
    ),
    recordRegistration: foldAnswer<RegistrationOutcome>((draft, outcome, observed) =>
      recordRegistration(draft, observed, outcome),
    ),
    discover: fold(outcomes.discover),
    waitForDetails: fold(outcomes.waitForDetails),
    forgive: fold(forgiven),
    clearError: fold((draft) => cleared(draft)),
    requeueNow: fold(outcomes.requeueNow),
    poll: foldAnswer<AnyOutcome>(outcomes.poll),
    skipInspection: fold(outcomes.skipInspection),
    refuseInspection: fold(outcomes.refuseInspection),
    recordInspectionFailure: foldAnswer<AnyOutcome>(outcomes.failsWith('inspection error')),
    recordHardware: foldAnswer<InspectionOutcome>(outcomes.recordHardware),
    recordPreparation: foldAnswer<PreparationOutcome>((draft, outcome, observed) =>
      outcomes.recordPreparation(draft, observed, outcome),
    ),
    waitForFirmware: fold(outcomes.waitForFirmware),
    retryForFirmware: fold(outcomes.retryForFirmware),
    clearProvisioningSettings: fold(outcomes.clearProvisioningSettings),
    refreshFailCount: fold(outcomes.refreshFailCount),
    refuseRetries: fold(outcomes.refuseRetries),
    countFailure: fold(outcomes.countFailure),
    tellCancellation: fold(outcomes.tellCancellation),
    intendDeployment: fold(deployment.intendDeployment),
    keepDeploying: foldAnswer<ProvisioningOutcome>(deployment.keepDeploying),
    rememberDeployment: foldAnswer<ProvisioningOutcome>(deployment.rememberDeployment),
    recordProvisioningFailure: foldAnswer<AnyOutcome>(outcomes.failsWith('provisioning error')),
    recordDeployment: foldAnswer<ProvisioningOutcome>(deployment.recordDeployment),
    copyProvisionedImage: fold(deployment.copyProvisionedImage),
    completeProvisioning: fold(outcomes.completeProvisioning),
    recordAdoptionFailure: foldAnswer<AnyOutcome>(outcomes.failsWith('provisioned registration error')),
    endAdoptionError: fold(outcomes.endAdoptionError),
    takePowerDraft: foldAnswer<Draft>((_draft, next) => next),
    forgetImage: fold(outcomes.forgetImage),
    giveUpDeprovisioning: foldAnswer<RemovalOutcome>(outcomes.giveUpDeprovisioning),
    giveUpAdopting: foldAnswer<RemovalOutcome>(outcomes.giveUpAdopting),
    giveUpPowerOff: foldAnswer<RemovalOutcome>(outcomes.giveUpPowerOff),
    giveUpUnreachable: fold(outcomes.giveUpUnreachable),
    recordPowerFailure: foldAnswer<AnyOutcome>(outcomes.failsWith('power management error')),
    recordPoweredOff: fold(outcomes.recordPoweredOff),
    keepDeleting: foldAnswer<Outcome>(outcomes.keepDeleting),
    retryDeletion: foldAnswer<Outcome>(outcomes.retryDeletion),
    finishDeletion: fold(outcomes.finishDeletion),
  },
});
