/**
 * When one reconcile may run the next pass without a write in between: what the pass found out is kept in memory, and saved
 * with what the next one finds. Every state still comes to be seen by those who watch, and a crash in between only makes the
 * same finding out happen again. Pure.
 */
import type { Draft, Measurement } from '../../../machines/index.js';
import type { BareMetalHostStatus } from '../../apis/index.js';

/** Passes in one reconcile; the last one always saves. */
export const maxRounds = 4;

/** What earlier passes of this reconcile have left to be saved. */
export interface Carried {
  /** As it is on the API server. */
  readonly saved: BareMetalHostStatus;
  readonly measurements: readonly Measurement[];
  /** Something was carried over: the next save is owed, whatever the result. */
  readonly isOwed: boolean;
}

export function nothingCarried(saved: BareMetalHostStatus): Carried {
  return { saved, measurements: [], isOwed: false };
}

export function mayFold({ saved }: Carried, draft: Draft, hasWritten: boolean): boolean {
  if (hasWritten || !isImmediate(draft)) return false;
  const { state, ID } = draft.status.provisioning;
  // A state that nobody has seen yet is written before it is left; that there was none before is nothing to be seen.
  const isSeen = state === saved.provisioning.state || saved.provisioning.state === '';
  return isSeen && ID === saved.provisioning.ID;
}

function isImmediate({ result }: Draft): boolean {
  return result?.kind === 'complete' || (result?.kind === 'update' && result.afterMs === 0);
}

export function carry(before: Carried, draft: Draft): Carried {
  const later = draft.measurements.filter(({ when }) => when === 'saved');
  return { saved: before.saved, measurements: [...before.measurements, ...later], isOwed: true };
}
