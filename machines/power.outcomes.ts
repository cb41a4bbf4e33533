/** Decisions and effects on the draft of one round of power management (host-lifecycle spec §5; the numbers are its rows). */
import { hasBaseReboot, isRebootedAlready, rebootRequest, type RebootRequest } from './host.annotations.js';
import type { Draft, Outcome } from './host.context.js';
import {
  type Contradiction,
  cleared,
  contradicts,
  counted,
  ends,
  fails,
  failureOf,
  forgiven,
  isSilence,
  pauses,
  polls,
  updates,
  withStatus,
} from './host.draft.js';
import { type PassFacts } from './host.guards.js';
import { needsProvisioning } from './host.images.js';
import { intervals } from './host.outcomes.js';
import { unheeded } from './host.unheeded.js';
import { mayService, mustService, servicingDemand } from './servicing.outcomes.js';
import { shortened } from './shortened.js';

const powerError = 'power management error';
const settled: ReadonlySet<string> = new Set(['provisioned', 'externally provisioned']);

function isInUse({ status }: Pick<Draft, 'status'>): boolean {
  return settled.has(status.provisioning.state);
}

/** A host that nobody uses yet reboots only when forced to. */
function requestOf({ observed, draft }: PassFacts): RebootRequest {
  const request = rebootRequest(observed.host, !isInUse(draft));
  const isAnswered = observed.host.spec?.disablePowerOff === true && isRebootedAlready(observed.host);
  return isAnswered ? { ...request, requested: false } : request;
}

export function isPowerError(draft: Draft): boolean {
  return draft.status.errorType === powerError;
}

export interface PowerWish {
  readonly on: boolean;
  readonly mode: 'hard' | 'soft';
  /** The last power action failed: do it whatever the back end still says of it. */
  readonly force: boolean;
}

/** Rows 6, 8 and 9. After any failure the next power-off is hard. */
export function powerWish(facts: PassFacts): PowerWish {
  const { requested, mode } = requestOf(facts);
  const failedBefore = (facts.draft.status.errorCount ?? 0) > 0;
  return {
    on: facts.observed.host.spec?.online === true && !requested,
    mode: failedBefore ? 'hard' : mode,
    force: isPowerError(facts.draft),
  };
}

export const powerVerdicts = {
  /** Row 3: a host in use that is off and is to be on. */
  mayChangeDataImage: ({ observed, draft }: PassFacts) =>
    observed.dataImage !== undefined &&
    isInUse(draft) &&
    observed.host.spec?.online === true &&
    draft.status.poweredOn !== true,
  isPolicyUnclear: (facts: PassFacts) =>
    isInUse(facts.draft) && mayService(facts) && servicingDemand(facts).kind === 'unknown',
  /** Row 5. */
  mustService: (facts: PassFacts) => isInUse(facts.draft) && mustService(facts),
  /** Row 4: the host has been seen off, so the one-shot request is fulfilled. */
  isRebootFulfilled: ({ observed, draft }: PassFacts) =>
    draft.status.poweredOn !== true && hasBaseReboot(observed.host),
  isPowerAsWished: (facts: PassFacts) => (facts.draft.status.poweredOn === true) === powerWish(facts).on,
  /** The spec contradicts itself: switching the host off would be against one half of it, and rebooting it in its stead is no wish of anybody's. */
  isPowerOffForbidden: (facts: PassFacts) =>
    facts.observed.host.spec?.disablePowerOff === true && !powerWish(facts).on && !requestOf(facts).requested,
  wantsPowerOn: (facts: PassFacts) => powerWish(facts).on,
} as const;

/** Row 11: a host that must not be powered off has rebooted instead. Not before its machine was told to. */
export function isRebootIssued(facts: PassFacts, outcome: Outcome): boolean {
  if (facts.observed.host.spec?.disablePowerOff !== true || !requestOf(facts).requested) return false;
  return outcome.kind === 'complete' || (outcome.kind === 'inProgress' && outcome.isDeferred !== true);
}

/** Row 2. Without a result, the power is as recorded. A failure that is over counts no more: the next power-off is gentle. */
export function recordObservedPower(draft: Draft, poweredOn: boolean | undefined): Draft {
  if (poweredOn === undefined || poweredOn === draft.status.poweredOn) return draft;
  const seen = withStatus(draft, { poweredOn });
  return updates(isPowerError(draft) ? forgiven(cleared(seen)) : seen, 0);
}

/** Whether firmware is to be changed has to be known before the host is powered on. */
export function retryForPolicy(draft: Draft, facts: PassFacts): Draft {
  const demand = servicingDemand(facts);
  const object = demand.kind === 'unknown' ? demand.object : 'firmware';
  return ends(draft, { kind: 'retry', message: `waiting for the verdict on the ${object} of this host` });
}

/**
 * What failed of the power is over. Its error ends when the next try is on its way, what is counted of it only now: until then
 * that try was to be a hard one.
 */
function withoutFailure(draft: Draft): Draft {
  if (isPowerError(draft)) return forgiven(cleared(draft));
  const { errorType, errorCount } = draft.status;
  return errorType === undefined && (errorCount ?? 0) > 0 ? forgiven(draft) : draft;
}

/** Characters of what a resting host says that it waits for. */
const longestHold = 800;

/** What a host whose power is as wished waits for nevertheless, or what is asked of it that waits, in words. */
export function heldBy(facts: PassFacts): string | undefined {
  const told = [heldOff(facts), ...unheeded(facts)].filter((text) => text !== undefined);
  return told.length === 0 ? undefined : shortened(told.join('; '), longestHold);
}

function heldOff(facts: PassFacts): string | undefined {
  const { observed, draft } = facts;
  const { status } = draft;
  const spec = observed.host.spec ?? { online: false };
  if (spec.online) {
    return powerWish(facts).on ? undefined : 'the annotations reboot.metal3.io/... to be removed, which hold it off';
  }
  const wouldDeploy = !isInUse(draft) && needsProvisioning({ spec: { ...spec, online: true }, status });
  return wouldDeploy ? 'spec.online to be true: nothing is deployed to a host that is to be off' : undefined;
}

/** A failure to bring about what is no longer wished for, or has come about by itself, is over. */
export function restAsWished(draft: Draft, contradiction: string | undefined, hold?: string): Draft {
  const message = contradiction ?? recordedImage(draft);
  if (message !== undefined) return restsOdd(draft, { reason: 'StateContradicted', message });
  return pauses(withoutFailure(draft), draft, intervals.steady, hold);
}

/** Admission refuses the two together; a host that has them nevertheless stays on until a person says what is meant. */
export function refusePowerOff(draft: Draft, contradiction: string | undefined): Draft {
  const message =
    'spec.online is false, and spec.disablePowerOff keeps the host from being switched off: it stays on. ' +
    'Set spec.online to true, or spec.disablePowerOff to false';
  return contradiction === undefined
    ? restsOdd(draft, { reason: 'PowerOffRefused', message })
    : restAsWished(draft, contradiction);
}

/**
 * A host that is available has no image, so whatever its status says it has keeps that same image from being deployed. The field
 * is named and not its value: a URL may hold a login.
 */
function recordedImage({ status }: Draft): string | undefined {
  const { state, image, customDeploy } = status.provisioning;
  const recorded = image?.url ? 'image' : customDeploy?.method && 'customDeploy';
  if (isInUse({ status }) || !recorded) return undefined;
  return (
    `status.provisioning.state is ${JSON.stringify(state)}, and yet status.provisioning.${recorded} says that something is deployed; nothing is ` +
    'done about that, though power commands still go to the machine. If something is, set the state to "provisioned"; if not, take ' +
    'image and customDeploy away from status.provisioning'
  );
}

function restsOdd(draft: Draft, what: Contradiction): Draft {
  const next = withoutFailure(draft);
  return contradicts(next, next === draft ? 'continue' : 'update', intervals.steady, what);
}

/** Row 12. The next power-off is going to be hard; the person reading should know. */
export function recordPowerFailure(draft: Draft, facts: PassFacts, outcome: Outcome): Draft {
  const wish = powerWish(facts);
  const wasSoft = !wish.on && wish.mode === 'soft' && !isPowerError(draft);
  const prefix = wasSoft ? 'soft power off failed, the next one is hard: ' : '';
  return fails(draft, powerError, `${prefix}${failureOf(outcome)}`, isSilence(outcome));
}

/** Rows 13 and 14. Only an observation says that the power has changed: the next pass makes it. */
export function recordPowerChange(draft: Draft, facts: PassFacts, outcome: Outcome): Draft {
  if (outcome.kind === 'complete') {
    // Nothing is left to be observed that could end the error: it ends here.
    const next = isPowerError(draft) ? cleared(draft) : draft;
    return updates(forgiven(withStatus(next, { poweredOn: powerWish(facts).on })), intervals.steady);
  }
  const labels = { on_off: powerWish(facts).on ? 'on' : 'off' };
  return polls(counted(draft, 'metal3_operation_power_change_total', 'now', labels), outcome);
}
