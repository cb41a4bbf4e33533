/**
 * Verdicts of the host chart: pure predicates over the facts of the pass and the draft. The names are the ones that
 * `explain` shows to people, so each says in which case it is true.
 */
import type { BareMetalHostSpec } from '../src/apis/index.js';
import { detachRequest, hasBaseReboot, isInspectionDisabled, isInspectionRequested } from './host.annotations.js';
import type {
  Draft,
  HostContext,
  Observed,
  PreparationOutcome,
  RegistrationOutcome,
  RemovalOutcome,
} from './host.context.js';
import { isProvisioningCancelled, needsProvisioning } from './host.images.js';
import { firmwareDemand, isDemanded, mustForgetUpdates, mustRecordUpdates } from './host.firmware.js';
import { settingsDiffer } from './host.settings.js';
import { busyStates, detachableStates } from './host.states.js';
import { credentialsMatch, isMadeAnew } from './host.registration.js';
import { refreshFailCount } from './host.outcomes.js';
import { needsNoImage } from './preprovisioning.outcomes.js';

/** Failures that a deletion waits for before it goes on without the step that fails. */
const deletionPatience = 3;

export interface PassFacts {
  readonly observed: Observed;
  readonly draft: Draft;
}

export function factsOf(context: HostContext): PassFacts {
  const { observed, draft } = context;
  if (observed === undefined || draft === undefined) throw new Error('the chart was asked outside a pass');
  return { observed, draft };
}

const none: BareMetalHostSpec = { online: false };

function specOf({ observed }: PassFacts): BareMetalHostSpec {
  return observed.host.spec ?? none;
}

function wishOf(facts: PassFacts) {
  return { spec: specOf(facts), status: facts.draft.status };
}

function stateOf({ draft }: PassFacts): string {
  return draft.status.provisioning.state;
}

function isDeletingHost({ observed }: PassFacts): boolean {
  return observed.host.metadata.deletionTimestamp !== undefined;
}

function detachmentOf(facts: PassFacts) {
  return detachRequest(facts.observed.host, facts.draft.status.operationalStatus === 'detached');
}

/** A detached host, or one that is to be, is let go without touching the machine, unless its deletion is to wait. */
function isAside(facts: PassFacts): boolean {
  if (!isDeletingHost(facts) || stateOf(facts) === 'deleting') return false;
  return facts.draft.status.operationalStatus === 'detached' || detachmentOf(facts).present;
}

function demandOf({ observed, draft }: PassFacts) {
  return firmwareDemand(observed.firmware, draft.status);
}

const underWay: ReadonlySet<string> = new Set(['deprovisioning', 'powering off before delete', 'deleting']);
const unregistered: ReadonlySet<string> = new Set(['', 'unmanaged', 'match profile', 'deleting']);

export const verdicts = {
  isDelayed: ({ draft }: PassFacts) => draft.status.operationalStatus === 'delayed',
  lacksSlot: ({ observed }: PassFacts) => observed.slot.kind === 'waiting',
  isBusyState: (facts: PassFacts) => busyStates.has(stateOf(facts)),

  isDeleting: isDeletingHost,
  isDeletionDelayed: (facts: PassFacts) => isAside(facts) && detachmentOf(facts).delaysDeletion,
  isReleasedByDetachment: (facts: PassFacts) => isAside(facts) && !detachmentOf(facts).delaysDeletion,
  startsDeletion: (facts: PassFacts) => isDeletingHost(facts) && !underWay.has(stateOf(facts)),
  hasGivenUpRegistering: (facts: PassFacts) =>
    isDeletingHost(facts) &&
    underWay.has(stateOf(facts)) &&
    stateOf(facts) !== 'deleting' &&
    facts.draft.status.errorType === 'registration error' &&
    (facts.draft.status.errorCount ?? 0) > deletionPatience,

  mustDetach: (facts: PassFacts) => {
    const { present, force } = detachmentOf(facts);
    if (!present || stateOf(facts) === 'deleting') return false;
    return detachableStates.has(stateOf(facts)) || force;
  },
  wasDetached: ({ draft }: PassFacts) => draft.status.operationalStatus === 'detached',

  skipsRegistration: (facts: PassFacts) => !facts.observed.haveCredentials || unregistered.has(stateOf(facts)),
  isPassOver: ({ draft }: PassFacts) => draft.result !== undefined,

  hasBMCDetails: (facts: PassFacts) => {
    const { address = '', credentialsName = '' } = specOf(facts).bmc ?? {};
    return address !== '' || credentialsName !== '';
  },
  isExternallyProvisioned: (facts: PassFacts) => specOf(facts).externallyProvisioned === true,
  isInspectionDisabled: ({ observed }: PassFacts) => isInspectionDisabled({ ...observed.host }),
  isInspectionRequested: ({ observed }: PassFacts) =>
    isInspectionRequested(observed.host) && !isInspectionDisabled({ ...observed.host }),
  /** Asked for by the annotation, while the spec says that there is to be none. */
  isInspectionRefused: ({ observed }: PassFacts) =>
    isInspectionRequested(observed.host) && isInspectionDisabled({ ...observed.host }),
  hasBaseReboot: ({ observed }: PassFacts) => hasBaseReboot(observed.host),

  settingsDiffer: (facts: PassFacts) => settingsDiffer(facts.observed, facts.draft.status),
  isFirmwareUnknown: (facts: PassFacts) => demandOf(facts).kind === 'unknown',
  isFirmwareChanged: (facts: PassFacts) => isDemanded(demandOf(facts)),
  needsNoImage: ({ observed, draft }: PassFacts) => needsNoImage(observed, draft.status),
  lacksFirmwareObjects: (facts: PassFacts) => !isDeletingHost(facts) && facts.observed.firmware.isIncomplete,
  needsProvisioning: (facts: PassFacts) => needsProvisioning(wishOf(facts)),
  isRetryLimitReached: (facts: PassFacts) => {
    const limit = facts.observed.maxProvisioningRetries;
    const { provisioningFailCount = 0 } = refreshFailCount(facts.draft, facts.observed).status;
    return needsProvisioning(wishOf(facts)) && limit > 0 && provisioningFailCount >= limit;
  },
  isProvisioningInError: ({ draft }: PassFacts) => draft.status.errorType !== undefined,
  isProvisioningCancelled: (facts: PassFacts) => isProvisioningCancelled(wishOf(facts)),
  hasImageToAdopt: ({ draft }: PassFacts) =>
    (draft.status.provisioning.image?.url ?? '') !== '' || draft.status.provisioning.customDeploy !== undefined,
  isPowerOffDisabled: (facts: PassFacts) => specOf(facts).disablePowerOff === true,
} as const satisfies Record<string, (facts: PassFacts) => boolean>;

export type VerdictName = keyof typeof verdicts;

/** A failure that a deletion no longer waits for: the one that exceeds its patience, counting this one. */
export function exceedsPatience(facts: PassFacts, outcome: RemovalOutcome): boolean {
  const failures = (facts.draft.status.errorCount ?? 0) + 1;
  return isDeletingHost(facts) && outcome.kind === 'failed' && failures > deletionPatience;
}

/** Updates that were under way on a node which the back end has lost are to be begun on the one that was made in its place. */
export function mustForgetLostUpdates({ observed, draft }: PassFacts, outcome: RegistrationOutcome): boolean {
  const areUnderWay = draft.status.lifecycle?.begunUpdates !== undefined;
  return areUnderWay && isMadeAnew(draft, outcome) && mustForgetUpdates(observed.firmware, draft.status);
}

/** What a preparation has to tell the host's HostFirmwareComponents. */
export const preparationVerdicts = {
  mustForgetUpdates: ({ observed, draft }: PassFacts, outcome: PreparationOutcome) =>
    outcome.kind === 'failed' && mustForgetUpdates(observed.firmware, draft.status),
  mustRecordUpdates: (facts: PassFacts, outcome: PreparationOutcome) =>
    outcome.kind !== 'failed' && outcome.started && mustRecordUpdates(facts.observed.firmware, demandOf(facts)),
} as const;

/**
 * Whether the coming pass may enter, or stay in, a state that needs a slot: asked before the pass, so that the slot is
 * reserved in one ledger before the chart is asked at all.
 */
export function mayNeedSlot(facts: PassFacts): boolean {
  const state = stateOf(facts);
  if (verdicts.isReleasedByDetachment(facts)) return false;
  if (busyStates.has(state)) return true;
  // A deletion that has to wait is none yet: the host's work goes on until it can be detached.
  if (isDeletingHost(facts) && !verdicts.isDeletionDelayed(facts)) return isToBeDeprovisioned(facts, state);
  return mayStartWork(facts, state);
}

/** Where a deletion begins with a deprovisioning. */
function isToBeDeprovisioned(facts: PassFacts, state: string): boolean {
  if (state === 'provisioned') return true;
  return ['preparing', 'available', 'ready'].includes(state) && verdicts.hasImageToAdopt(facts);
}

function mayStartWork(facts: PassFacts, state: string): boolean {
  switch (state) {
    case 'registering':
      return isAboutToInspect(facts);
    case 'available':
    case 'ready':
      return verdicts.isInspectionRequested(facts) || verdicts.needsProvisioning(facts);
    case 'provisioned':
      return verdicts.isProvisioningCancelled(facts);
    default:
      return false;
  }
}

/** A registration that is not yet proven takes several passes; it would hold a slot from others for nothing. */
function isAboutToInspect(facts: PassFacts): boolean {
  if (verdicts.isExternallyProvisioned(facts) || verdicts.isInspectionDisabled(facts)) return false;
  if (verdicts.skipsRegistration(facts)) return true;
  return credentialsMatch(facts.draft.status.goodCredentials, facts.observed.credentials);
}
