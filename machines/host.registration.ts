/** What a registration leaves in the status (host-lifecycle spec §2.4 and §4). */
import type { BareMetalHostStatus, CredentialsStatus } from '../src/apis/index.js';
import { isSame } from './equality.js';
import type { Draft, Observed, RegistrationOutcome } from './host.context.js';
import {
  cleared,
  counted,
  fails,
  forgiven,
  goesOn,
  isSilence,
  pauses,
  updates,
  withEvent,
  withMarks,
  withProvisioning,
  withStatus,
} from './host.draft.js';
import { beginOperation, endOperation, isOperationOpen } from './host.history.js';
import { forgetFirmware } from './host.firmware.js';
import { intervals } from './host.outcomes.js';
import { targetRootDeviceHints, withoutSettings } from './host.settings.js';

const registrationError = 'registration error';

/** Same Secret at the same resourceVersion; a reference that was never set matches nothing. */
export function credentialsMatch(saved: CredentialsStatus | undefined, current: CredentialsStatus): boolean {
  if (saved?.credentials === undefined || saved.credentials.name === undefined) return false;
  return (
    saved.credentials.name === current.credentials?.name &&
    saved.credentials.namespace === current.credentials?.namespace &&
    saved.credentialsVersion === current.credentialsVersion
  );
}

/** Before the actor runs: outside `registering`, a repeated registration opens its entry of the history again. */
export function beginRegistration(draft: Draft, observed: Observed): Draft {
  if (isRegistering(draft.status)) return draft;
  const { errorType, goodCredentials } = draft.status;
  const again = errorType === registrationError || !credentialsMatch(goodCredentials, observed.credentials);
  return again ? beginOperation(draft, 'register', observed.now) : draft;
}

/**
 * Folds the outcome. The pass is over when the draft has a result afterwards; without one, the host is registered, nothing
 * changed, and the pass goes on to its work.
 */
export function recordRegistration(draft: Draft, observed: Observed, outcome: RegistrationOutcome): Draft {
  const next = noteNode(fold(draft, observed, outcome), outcome);
  return next.result === undefined ? next : counted(next, 'metal3_host_registration_required_total', 'now');
}

function fold(draft: Draft, observed: Observed, outcome: RegistrationOutcome): Draft {
  const tried = recordTried(draft, observed);
  if (outcome.kind === 'failed') return fails(tried, registrationError, outcome.message, isSilence(outcome));
  if (outcome.kind === 'needsImage') return waitForImage(draft, tried, outcome.trouble);
  const named = recordProvisionerID(tried, outcome);
  if (outcome.kind === 'inProgress') {
    return goesOn(cleared(named), draft, outcome);
  }
  return registered(draft, named, observed);
}

/** That there is an image to wait for is no error, and what was found out so far is not found out again. */
function waitForImage(before: Draft, draft: Draft, trouble: string | undefined): Draft {
  const what = 'the preprovisioning image of this host to be built';
  return pauses(draft, before, intervals.image, trouble === undefined ? what : `${what}: ${trouble}`);
}

/** The image cannot be built: nothing was asked of the back end. */
export function recordBrokenImage(draft: Draft, observed: Observed, message: string): Draft {
  const failed = fails(recordTried(draft, observed), registrationError, message);
  return counted(failed, 'metal3_host_registration_required_total', 'now');
}

function registered(before: Draft, draft: Draft, observed: Observed): Draft {
  if (observed.profile.hints === undefined) {
    return fails(draft, registrationError, `unknown hardware profile: ${observed.profile.name}`);
  }
  const validated = recordGoodCredentials(recordProfile(draft, observed), observed);
  const wasInError =
    draft.status.errorType === registrationError || validated.status.goodCredentials !== draft.status.goodCredentials;
  const isOver = draft.status.errorType === registrationError;
  const next = wasInError ? cleared(isOver ? forgiven(validated) : validated) : validated;
  const open = !isRegistering(next.status) && isOperationOpen(next.status, 'register');
  const closed = open ? endOperation(next, 'register', observed.now) : next;
  return closed.status === before.status ? closed : updates(closed, 0);
}

function isRegistering(status: BareMetalHostStatus): boolean {
  return status.provisioning.state === 'registering';
}

function recordTried(draft: Draft, observed: Observed): Draft {
  if (credentialsMatch(draft.status.triedCredentials, observed.credentials)) return draft;
  const next = withStatus(draft, { triedCredentials: observed.credentials });
  return counted(next, 'metal3_credentials_updated_total', 'saved');
}

/** Back ends keep the time by the second, some with a fraction that they round later. Milliseconds. */
const sameMomentMs = 1000;

/**
 * Whether the back end manages another node than the one that the host, which is being prepared, was last known by. It may well
 * have the ID of the one before, and then its age tells: what the status has on that is as old as the rest of it, so that a lost
 * write of the status loses nothing.
 */
export function isMadeAnew({ status }: Draft, outcome: RegistrationOutcome): boolean {
  if (status.provisioning.state !== 'preparing') return false;
  const { provisionerID: ID, isNew = false, createdAt } = outcome;
  const isOther = ID !== '' && ID !== status.provisioning.ID;
  return isOther || isNew || isOfOtherAge(status.lifecycle?.nodeCreatedAt, createdAt);
}

function isOfOtherAge(known: string | undefined, createdAt: string | undefined): boolean {
  return Math.abs(Date.parse(known ?? '') - Date.parse(createdAt ?? '')) > sameMomentMs;
}

/** Never before what its being another one means. Saved with whatever is saved next: by itself it is no reason for a write. */
function noteNode(draft: Draft, { kind, createdAt }: RegistrationOutcome): Draft {
  const { lifecycle } = draft.status;
  if (kind === 'failed' || kind === 'needsImage') return draft;
  const isKnown = createdAt === undefined || lifecycle?.nodeCreatedAt !== undefined;
  if (isKnown && !isOfOtherAge(lifecycle?.nodeCreatedAt, createdAt)) return draft;
  return withMarks(draft, { nodeCreatedAt: createdAt });
}

/** A node made anew while the host is prepared has none of the settings yet. */
function recordProvisionerID(draft: Draft, outcome: RegistrationOutcome): Draft {
  const { provisionerID: ID } = outcome;
  const isOther = ID !== '' && ID !== draft.status.provisioning.ID;
  const next = isOther ? withProvisioning(draft, { ID }) : draft;
  if (!isMadeAnew(draft, outcome)) return next;
  const forgotten = forgetFirmware({ ...next, status: withoutSettings(next.status) });
  return isSame(forgotten.status, next.status) ? next : forgotten;
}

/** The profile is sticky; the hints follow spec and profile. */
function recordProfile(draft: Draft, observed: Observed): Draft {
  const { name } = observed.profile;
  const named =
    draft.status.hardwareProfile === name
      ? draft
      : withEvent(withStatus(draft, { hardwareProfile: name }), 'ProfileSet', `Hardware profile in effect: ${name}`);
  const rootDeviceHints = targetRootDeviceHints(observed);
  if (isSame(rootDeviceHints, named.status.provisioning.rootDeviceHints)) return named;
  return withProvisioning(named, { rootDeviceHints });
}

function recordGoodCredentials(draft: Draft, observed: Observed): Draft {
  if (credentialsMatch(draft.status.goodCredentials, observed.credentials)) return draft;
  const next = withStatus(draft, { goodCredentials: observed.credentials });
  return withEvent(next, 'BMCAccessValidated', 'The BMC takes the credentials');
}
