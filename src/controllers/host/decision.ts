/** What the queue is to do after a pass (host-lifecycle spec §0.5). */
import type { PassResult, Slot } from '../../../machines/index.js';
import type { Random } from '../../clock.js';
import type { Decision } from '../../kube/index.js';
import { backoffMs, silenceMs } from './backoff.js';

/** Longest gap, milliseconds, between tries at something that is nobody's fault. */
export const transientMaxMs = 30_000;

/** Milliseconds after which the first in line asks again, should the word that a slot is free have been lost. */
const nextInLineMs = 10_000;

export interface Stakes {
  /** Failures in a row. */
  readonly errorCount: number;
  readonly slot: Slot;
  /** It gives a step up after a few failures: they must not come within a minute. */
  readonly isLeaving: boolean;
}

export function decide(result: PassResult, stakes: Stakes, random: Random): Decision {
  switch (result.kind) {
    case 'continue':
    case 'update':
      return result.afterMs > 0 ? { kind: 'after', ms: result.afterMs } : { kind: 'backoff' };
    case 'complete':
      return { kind: 'backoff' };
    case 'delayed':
      return { kind: 'after', ms: delayMs(stakes.slot, random) };
    case 'failed':
      return { kind: 'after', ms: pauseMs(result.isSilent === true, stakes, random) };
    case 'retry':
      return { kind: 'backoff', maxMs: transientMaxMs };
    case 'deleteComplete':
      return { kind: 'done' };
  }
}

/** A free slot wakes the host much sooner; this is for the case that the call is lost. */
function delayMs(slot: Slot, random: Random): number {
  return slot.kind === 'waiting' && slot.rank === 1 ? nextInLineMs : backoffMs(1, random);
}

function pauseMs(isSilent: boolean, { errorCount, isLeaving }: Stakes, random: Random): number {
  return isSilent && !isLeaving ? silenceMs(errorCount, random) : backoffMs(errorCount, random);
}
