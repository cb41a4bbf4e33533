/** Decisions and effects on the draft while the firmware of a host in use is changed (host-lifecycle spec §5.2). */
import type { Draft, ServicingOutcome } from './host.context.js';
import { cleared, fails, forgiven, goesOn, updates, withProvisioning, withStatus } from './host.draft.js';
import {
  beginFirmware,
  type FirmwareDemand,
  finishFirmware,
  firmwareDemand,
  forgetFirmware,
  isDemanded,
  policyScope,
} from './host.firmware.js';
import type { PassFacts } from './host.guards.js';
import { intervals } from './host.outcomes.js';

const servicingError = 'servicing error';

/** What a host in use may have changed now, by its policy. */
export function servicingDemand({ observed, draft }: PassFacts): FirmwareDemand {
  return firmwareDemand(observed.firmware, draft.status, policyScope(observed.firmware));
}

export function isServicing({ status }: Draft): boolean {
  return status.operationalStatus === 'servicing';
}

/** Begun, or failed and not yet tried again. */
export function isServicingUnfinished(draft: Draft): boolean {
  return isServicing(draft) || draft.status.errorType === servicingError;
}

/** A change of firmware starts while the host is off and about to be powered on; what has begun is seen to its end. */
export function mayService({ draft, observed }: PassFacts): boolean {
  const isAboutToStart = draft.status.poweredOn !== true && observed.host.spec?.online === true;
  return isAboutToStart || isServicingUnfinished(draft);
}

export function mustService(facts: PassFacts): boolean {
  if (!mayService(facts)) return false;
  return isServicingUnfinished(facts.draft) || isDemanded(servicingDemand(facts));
}

/** The next registration sees it, and has the agent image ready by the time that the servicing needs one. */
export function beginServicing(draft: Draft): Draft {
  return updates(withStatus(draft, { operationalStatus: 'servicing' }), 0);
}

export function recordServicing(draft: Draft, facts: PassFacts, outcome: ServicingOutcome): Draft {
  if (outcome.kind === 'failed') {
    const forgotten = forgetFirmware(withProvisioning(draft, { firmware: undefined }));
    return fails(forgotten, servicingError, outcome.message);
  }
  const demand = servicingDemand(facts);
  const begun = outcome.started ? beginFirmware(draft, facts.observed.firmware, demand) : draft;
  if (outcome.kind === 'complete') return updates(finishFirmware(forgiven(cleared(begun))), intervals.steady);
  // Until it has begun the next call has to say the same, and that it is a retry is part of that.
  const next = outcome.started ? cleared(begun, 'servicing') : begun;
  return goesOn(next, draft, outcome);
}
