/** Conditions of objects other than hosts. Pure. */
import { shortened } from '../../machines/index.js';
import type { Condition } from '../apis/index.js';

export interface Finding {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message?: string;
}

/**
 * What was found goes in, each with the generation that it was found for; conditions of other types stay. The time of a
 * condition moves with its status alone.
 * @param now RFC 3339
 */
export function withFindings(
  known: readonly Condition[] | undefined,
  findings: readonly Finding[],
  generation: number | undefined,
  now: string,
): Condition[] {
  const found = findings.map(({ type, status, reason, message = '' }): Condition => {
    const before = known?.find((condition) => condition.type === type);
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
    return { type, status, reason, message, lastTransitionTime, observedGeneration: generation };
  });
  const types = new Set(findings.map(({ type }) => type));
  return [...found, ...(known ?? []).filter(({ type }) => !types.has(type))];
}

export function conditionOf(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function isTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return conditionOf(conditions, type)?.status === 'True';
}

const longestMessage = 500;

/** A sentence of somebody else's, as long as a condition may well hold. */
export function clipped(text: string): string {
  return shortened(text, longestMessage);
}
