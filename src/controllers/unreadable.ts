/** What is said of a host whose firmware cannot be read: why, and nothing that is not known. Pure. */
import type { Condition } from '../apis/index.js';
import { clipped, conditionOf, withFindings } from './conditions.js';

/**
 * What was found before stands, for the generation that it was found for; only its message tells the trouble. Where nothing was
 * found yet, that is unknown, and the host is not held up by it.
 */
export function unreadable(
  known: readonly Condition[] | undefined,
  generation: number | undefined,
  why: string,
  now: string,
): Condition[] {
  const message = clipped(`the firmware of the host cannot be read: ${why}`);
  if (conditionOf(known, 'ChangeDetected') === undefined) {
    return withFindings(
      known,
      [{ type: 'ChangeDetected', status: 'Unknown', reason: 'ReadFailed', message }],
      generation,
      now,
    );
  }
  return (known ?? []).map((condition) =>
    condition.type === 'ChangeDetected' ? { ...condition, message } : condition,
  );
}
