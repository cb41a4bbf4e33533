/**
 * What the chart's actions do to the draft, each a pure function of the draft, the facts and, for an answer of an actor, its
 * outcome. Named like the actions; the numbers are rows of the transition table (host-lifecycle spec §3).
 */
import { hasBaseReboot, inspectAnnotation, isInspectionRequested, rebootRequest } from './host.annotations.js';
import type {
  Draft,
  InspectionOutcome,
  Observed,
  Outcome,
  PreparationOutcome,
  RemovalOutcome,
} from './host.context.js';
import {
  cleared,
  continues,
  counted,
  ends,
  failureOf,
  fails,
  forgiven,
  goesOn,
  isSilence,
  polls,
  updates,
  waits,
  withEvent,
  withMarks,
  withStatus,
} from './host.draft.js';
import { isSame } from './equality.js';
import { cancelledBy } from './host.images.js';
import { beginFirmware, firmwareDemand, finishFirmware, forgetFirmware, isDemanded } from './host.firmware.js';
import { settingsDiffer, targetSettings, withoutSettings, withSettings } from './host.settings.js';

/** How often a host that needs nothing is looked at, milliseconds (spec §13). */
export const intervals = { steady: 60_000, slow: 600_000, image: 300_000 } as const;

// --- gates that hold in every state

/** The error fields stay as they are: the host waits, and what it waited for before is not forgotten. */
export function becomeDelayed(draft: Draft): Draft {
  return delayed(draft, draft.status.provisioning.state === 'deprovisioning' ? 'deprovisioning' : 'provisioning');
}

/** It was about to be deprovisioned. */
export function delayDeprovisioning(draft: Draft): Draft {
  return delayed(draft, 'deprovisioning');
}

function delayed(draft: Draft, kind: 'provisioning' | 'deprovisioning'): Draft {
  const waiting = withStatus(draft, { operationalStatus: 'delayed' });
  return ends(counted(waiting, `metal3_delayed__${kind}_total`, 'saved'), { kind: 'delayed' });
}

/** The work itself starts with the next pass, from a status that says so. */
export function leaveDelayed(draft: Draft): Draft {
  return updates(cleared(draft), 0);
}

export function countDelayedDeletion(draft: Draft): Draft {
  return counted(draft, 'metal3_delete_delayed_for_detached_total', 'now');
}

export function becomeDetached(draft: Draft): Draft {
  if (draft.status.operationalStatus === 'detached') return continues(draft, intervals.slow);
  return updates(withStatus(draft, { operationalStatus: 'detached' }), intervals.slow);
}

/** Not kept in status: the CRD knows no such error type, so a failed detach is told by its event and tried again soon. */
export function recordDetachFailure(draft: Draft, outcome: Outcome): Draft {
  const message = failureOf(outcome);
  return ends(withEvent(draft, 'DetachError', message), { kind: 'retry', message });
}

export function keepDetaching(draft: Draft, outcome: Outcome): Draft {
  return goesOn(draft, draft, outcome);
}

export function leaveDetached(draft: Draft): Draft {
  const standing = draft.status.errorType === undefined ? 'OK' : 'error';
  return updates(withStatus(draft, { operationalStatus: standing }), 0);
}

// --- before there is a BMC to talk to

export function discover(draft: Draft): Draft {
  const found = withEvent(
    withStatus(draft, { operationalStatus: 'discovered' }),
    'Discovered',
    'The host has no BMC details yet and stays unmanaged',
  );
  return counted(found, 'metal3_host_unmanaged_total', 'now');
}

export function waitForDetails(draft: Draft): Draft {
  return continues(draft, intervals.slow);
}

// --- inspection

/** What failed of it is over: there is going to be no try that could end the error. */
export function skipInspection(draft: Draft): Draft {
  const next = forgiven(withoutError(draft, 'inspection error'));
  return withEvent(next, 'InspectionSkipped', 'Inspection was disabled while it was under way');
}

/** The request goes, so that it is not come back to for ever; whoever made it learns why nothing came of it. */
export function refuseInspection(draft: Draft): Draft {
  const message =
    `No inspection is made, though the annotation ${inspectAnnotation} asks for one: spec.inspectionMode is "disabled". The annotation ` +
    'is removed; to have the host inspected, change spec.inspectionMode first, and annotate it again';
  return withEvent(draft, 'InspectionSkipped', message);
}

export function recordHardware(draft: Draft, outcome: InspectionOutcome): Draft {
  return forgiven(withStatus(cleared(draft), { hardware: outcome.details }));
}

/** The annotations that asked for what has just been started; they are removed before anything else happens. */
export function hasStartedRequests(observed: Observed, outcome: InspectionOutcome): boolean {
  return outcome.started && (isInspectionRequested(observed.host) || hasBaseReboot(observed.host));
}

export function requeueNow(draft: Draft): Draft {
  return continues(draft, 0);
}

// --- preparation

/** Rows 8 and 10-13 of §6.5. A failed preparation forgets what it meant to apply, so that the retry applies it again. */
export function recordPreparation(draft: Draft, observed: Observed, outcome: PreparationOutcome): Draft {
  const isDirty = haveSettingsChanged(draft, observed);
  if (outcome.kind === 'failed') {
    const forgotten = isDirty ? { ...draft, status: withoutSettings(draft.status) } : draft;
    return fails(forgetFirmware(forgotten), 'preparation error', outcome.message);
  }
  const demand = firmwareDemand(observed.firmware, draft.status);
  const started = outcome.started
    ? beginFirmware(recordSettings(draft, observed, isDirty), observed.firmware, demand)
    : draft;
  if (outcome.kind === 'complete') return finishFirmware(forgiven(started));
  return goesOn(started, draft, outcome);
}

export function isUnprepared(draft: Draft, observed: Observed): boolean {
  return haveSettingsChanged(draft, observed) || isDemanded(firmwareDemand(observed.firmware, draft.status));
}

function haveSettingsChanged(draft: Draft, observed: Observed): boolean {
  return draft.status.errorType === 'preparation error' || settingsDiffer(observed, draft.status);
}

/** Its own controller is about to say whether the firmware differs. */
export function waitForFirmware(draft: Draft, observed: Observed): Draft {
  return waits(draft, intervals.steady, verdictOn(draft, observed));
}

export function retryForFirmware(draft: Draft, observed: Observed): Draft {
  return ends(draft, { kind: 'retry', message: `waiting for ${verdictOn(draft, observed)}` });
}

function verdictOn(draft: Draft, observed: Observed): string {
  const demand = firmwareDemand(observed.firmware, draft.status);
  return `the verdict on the ${demand.kind === 'unknown' ? demand.object : 'firmware'} of this host`;
}

function recordSettings(draft: Draft, observed: Observed, isDirty: boolean): Draft {
  const saved = isDirty
    ? { ...draft, status: withSettings(draft.status, targetSettings(observed, draft.status)) }
    : draft;
  return cleared(saved);
}

// --- provisioning

export function clearProvisioningSettings(draft: Draft): Draft {
  return { ...draft, status: withoutSettings(draft.status) };
}

/**
 * Rows 6 and 7 of `available`: a host that wants nothing, or something other than what failed, has its failures forgiven.
 * A wish without an image URL is judged by its deploy method, so that the retry limit holds for custom deploy too.
 */
export function refreshFailCount(draft: Draft, observed: Observed): Draft {
  const { provisioningFailCount = 0, lastAttemptedImage } = draft.status;
  if (provisioningFailCount === 0) return draft;
  if (wantsNothing(observed)) {
    // Nor is there anything left for its error to be about.
    const next = withoutError(draft, 'provisioning error');
    return withStatus(next, { provisioningFailCount: 0, lastAttemptedImage: undefined });
  }
  const isSameImage = isSame(observed.host.spec?.image, lastAttemptedImage);
  return isSameImage ? draft : withStatus(draft, { provisioningFailCount: 0 });
}

/** An error of this type is over, and what was counted of it. */
function withoutError(draft: Draft, type: NonNullable<Draft['status']['errorType']>): Draft {
  return draft.status.errorType === type ? forgiven(cleared(draft)) : draft;
}

/** The back end knows that the host is in use, so what failed of telling it is over, whoever has mended that. */
export function endAdoptionError(draft: Draft): Draft {
  return withoutError(draft, 'provisioned registration error');
}

function wantsNothing({ host }: Observed): boolean {
  const { url } = host.spec?.image ?? { url: '' };
  const { method } = host.spec?.customDeploy ?? { method: '' };
  return url === '' && method === '';
}

export function refuseRetries(draft: Draft, observed: Observed): Draft {
  const message =
    `provisioning failed ${draft.status.provisioningFailCount} times and the limit is ${observed.maxProvisioningRetries}; ` +
    'change the image, or set the annotation ironchart.io/retry to try the same one again';
  return ends(fails(draft, 'provisioning error', message), { kind: 'failed', isFinal: true });
}

/** An edit by mistake takes a machine out of use: the host says which one it was, and who made it. */
export function tellCancellation(draft: Draft, { host, changedBy = {} }: Observed): Draft {
  const cause = cancelledBy({ spec: host.spec ?? { online: false }, status: draft.status });
  const author = authorOf(cause, changedBy);
  const by = author === undefined ? '' : ` ${author}`;
  return withEvent(draft, 'ProvisioningCancelled', `${cause}${by}: the host is deprovisioned and powered off`);
}

function authorOf(cause: string, changedBy: NonNullable<Observed['changedBy']>): string | undefined {
  if (cause.startsWith('spec.image')) return changedBy.image;
  return cause.startsWith('spec.customDeploy') ? changedBy.customDeploy : undefined;
}

export function countFailure(draft: Draft): Draft {
  return withStatus(draft, { provisioningFailCount: (draft.status.provisioningFailCount ?? 0) + 1 });
}

export function completeProvisioning(draft: Draft): Draft {
  return withStatus(forgiven(draft), { provisioningFailCount: 0 });
}

// --- deprovisioning and removal

/** Nothing that went wrong with the host before is left on it either. */
export function forgetImage(draft: Draft): Draft {
  const { customDeploy: _deploy, ...rest } = draft.status.provisioning;
  const emptied = withStatus(cleared(draft), { provisioning: { ...rest, image: { url: '' } } });
  return withMarks(forgiven({ ...emptied, status: withoutSettings(emptied.status) }), { begunDeploy: undefined });
}

/** Counts this failure in, and then goes on to the next step of the deletion: its own failures are counted from zero. */
export function giveUpDeprovisioning(draft: Draft, outcome: RemovalOutcome): Draft {
  const told = fails(draft, 'provisioning error', failureOf(outcome));
  return givesUp(forgiven(told), 'metal3_delete_without_deprovisioning_total');
}

/** A host that cannot be adopted cannot be cleaned either; its deletion must not hang on that. */
export function giveUpAdopting(draft: Draft, outcome: RemovalOutcome): Draft {
  const told = fails(draft, 'provisioned registration error', failureOf(outcome));
  return givesUp(forgiven(told), 'metal3_delete_without_deprovisioning_total');
}

export function giveUpPowerOff(draft: Draft, outcome: RemovalOutcome): Draft {
  const told = fails(draft, 'power management error', failureOf(outcome));
  return givesUp(told, 'metal3_delete_without_powering_off_total');
}

export function giveUpUnreachable(draft: Draft): Draft {
  return givesUp(draft, 'metal3_delete_without_powering_off_total');
}

function givesUp(draft: Draft, metric: string): Draft {
  return ends(counted(draft, metric, 'saved'), { kind: 'complete' });
}

export function recordPoweredOff(draft: Draft): Draft {
  return forgiven(withStatus(draft, { poweredOn: false }));
}

/** There is no error type for it: it is told as what the host waits for, and tried again soon. */
export function retryDeletion(draft: Draft, outcome: Outcome): Draft {
  return ends(draft, { kind: 'retry', message: `its machine could not be removed: ${failureOf(outcome)}` });
}

export function finishDeletion(draft: Draft): Draft {
  return ends(draft, { kind: 'deleteComplete' });
}

// --- what every failure and every wait has in common

export function failsWith(errorType: Parameters<typeof fails>[1]) {
  return (draft: Draft, outcome: Outcome | RemovalOutcome): Draft =>
    fails(draft, errorType, failureOf(outcome), isSilence(outcome));
}

export function poll(draft: Draft, outcome: Outcome | RemovalOutcome): Draft {
  return outcome.kind === 'unreachable' ? continues(draft, 0) : polls(draft, outcome);
}

/** While deleting: nothing is saved, there is only the wait. */
export function keepDeleting(draft: Draft, outcome: Outcome): Draft {
  return goesOn(draft, draft, outcome);
}

/** What cannot be read of a value counts for nothing; the person who wrote it is told. */
export function tellInvalidAnnotations(draft: Draft, observed: Observed): Draft {
  return rebootRequest(observed.host, false).invalid.reduce(
    (told, key) =>
      withEvent(
        told,
        'InvalidAnnotationValue',
        `The value of annotation ${key} is not JSON such as {"mode": "hard", "force": true}; what cannot be read of it counts as soft and not forced`,
      ),
    draft,
  );
}
