/**
 * When one reconcile may run the next pass without a write in between: what the pass found out is kept in memory, and saved
 * with what the next one finds. Every state still comes to be seen by those who watch, and a crash in between only makes the
 * same finding out happen again. Pure.
 */
import type { Draft, Measurement } from '../../../machines/index.js';
import type { BareMetalHostStatus } from '../../apis/index.js';
import type { PassReport } from './report.js';

/** Passes in one reconcile; the last one always saves. */
export const maxRounds = 4;

/** What earlier passes of this reconcile have left to be saved. */
export interface Carried {
  /** As it is on the API server. */
  readonly saved: BareMetalHostStatus;
  readonly measurements: readonly Measurement[];
  /** Something was carried over: the next save is owed, whatever the result. */
  readonly isOwed: boolean;
  /** What is told of it, should it be saved before the next pass ends. */
  readonly report?: PassReport;
}

export function nothingCarried(saved: BareMetalHostStatus): Carried {
  return { saved, measurements: [], isOwed: false };
}

/**
 * Where a host comes to rest when its work is done. The pass that follows looks at its power, and mostly finds something to be
 * written of that: both are one write. A machine is told to do something only once the new state is saved (saving-first.ts).
 */
const resting: ReadonlySet<string> = new Set(['available', 'provisioned']);

interface Folding {
  readonly status: BareMetalHostStatus;
  readonly carried: Carried;
}

export function mayFold({ status, carried }: Folding, draft: Draft, hasWritten: boolean): boolean {
  if (hasWritten || !isImmediate(draft)) return false;
  const { saved } = carried;
  const { state, ID } = draft.status.provisioning;
  if (ID !== saved.provisioning.ID) return false;
  if (bringsUnseenState({ status, carried })) return !leavesUnseenState({ status, carried }, draft);
  // A state that nobody has seen yet is written before it is left; that there was none before is nothing to be seen.
  return state === saved.provisioning.state || saved.provisioning.state === '' || resting.has(state);
}

function isImmediate({ result }: Draft): boolean {
  return result?.kind === 'complete' || (result?.kind === 'update' && result.afterMs === 0);
}

/** The pass begins in a state that the API server does not know of yet, though it knows of one. */
export function bringsUnseenState({ status, carried }: Folding): boolean {
  const { state } = carried.saved.provisioning;
  return state !== '' && state !== status.provisioning.state;
}

/** A state must be seen before it is left, and as it was entered: not only with the error that is found in it. */
export function leavesUnseenState(folding: Folding, { status }: Draft): boolean {
  const { provisioning, operationalStatus } = folding.status;
  const stays = status.provisioning.state === provisioning.state && status.operationalStatus === operationalStatus;
  return bringsUnseenState(folding) && !stays;
}

export function carry(before: Carried, draft: Draft, report: PassReport): Carried {
  const later = draft.measurements.filter(({ when }) => when === 'saved');
  return { saved: before.saved, measurements: [...before.measurements, ...later], isOwed: true, report };
}
