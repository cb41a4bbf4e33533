/** What a claim's status says of how it stands, and whether that is news. Pure. */
import type { ClaimStanding } from '../../../machines/index.js';
import type { Condition, HostClaimStatus } from '../../apis/index.js';
import { parseKey } from '../../kube/index.js';
import { clipped, conditionOf, type Finding, withFindings } from '../conditions.js';

/** Standings that are told. The others pass within moments, and what was told before stands. */
export type ToldStanding = Exclude<ClaimStanding, { kind: 'contending' | 'settling' | 'leaving' | 'gone' }>;

export function associationOf(standing: ToldStanding): Finding {
  const not = (reason: string, message: string): Finding => ({
    ...{ type: 'Associated', status: 'False', reason, message: clipped(message) },
  });
  switch (standing.kind) {
    case 'associated':
      return { type: 'Associated', status: 'True', reason: 'BareMetalHostAssociated' };
    case 'waiting':
      return not('NoBareMetalHost', standing.message);
    case 'refused':
      return not('BareMetalHostNotSynchronized', `the host ${standing.host} cannot be taken: ${standing.message}`);
    case 'hostMissing':
      return not(
        'MissingBareMetalHost',
        `the host ${standing.host} is gone; no other is taken in its place: bring it back with this claim as its consumer, or delete the claim and make another`,
      );
    case 'hostEstranged':
      return not('BadBareMetalHostStatus', estrangement(standing));
    case 'stuck':
      return not('HostClaimDeletionFailed', standing.message);
  }
}

function estrangement({ host, hasOther }: Extract<ToldStanding, { kind: 'hostEstranged' }>): string {
  const what = hasOther ? 'has another consumer now' : 'names no consumer any more';
  return `the host ${host} ${what}; it is not taken again: set its spec.consumerRef back to this claim, or delete the claim`;
}

/** @param now RFC 3339 */
export function statusAfter(
  status: HostClaimStatus,
  standing: ToldStanding,
  generation: number | undefined,
  now: string,
): HostClaimStatus {
  const conditions = judged(status.conditions, [associationOf(standing)], generation, now);
  if (standing.kind === 'associated') return { ...status, bareMetalHost: parseKey(standing.host), conditions };
  if (standing.kind === 'waiting' || standing.kind === 'refused') {
    return { ...status, bareMetalHost: undefined, conditions };
  }
  return { ...status, conditions };
}

/** For whoever else holds on to the claim. */
export function statusReleased(status: HostClaimStatus, generation: number | undefined, now: string): HostClaimStatus {
  const released: Finding = { type: 'Associated', status: 'False', reason: 'HostClaimDeleting' };
  const conditions = judged(status.conditions, [released], generation, now);
  return { ...status, bareMetalHost: undefined, conditions };
}

function judged(
  known: readonly Condition[] | undefined,
  findings: readonly Finding[],
  generation: number | undefined,
  now: string,
): Condition[] {
  const conditions = withFindings(known, findings, generation, now);
  return withFindings(conditions, [summary(conditions)], generation, now);
}

const summed = ['Associated', 'Synchronized', 'Provisioned'] as const;

interface Part {
  readonly type: string;
  readonly status: string;
  readonly text: string;
}

/** `Ready`: of what has not been told yet nothing is known, and what is known to be amiss counts more. */
function summary(conditions: readonly Condition[]): Finding {
  const parts = summed.map((type): Part => {
    const { status, reason, message } = conditionOf(conditions, type) ?? notYet;
    return { type, status, text: message === '' ? reason : message };
  });
  const message = parts
    .filter(({ status }) => status !== 'True')
    .map(({ type, text }) => `* ${type}: ${text}`)
    .join('\n');
  if (parts.some(({ status }) => status === 'False')) {
    return { type: 'Ready', status: 'False', reason: 'IssuesReported', message };
  }
  if (message !== '') return { type: 'Ready', status: 'Unknown', reason: 'UnknownReported', message };
  return { type: 'Ready', status: 'True', reason: 'InfoReported', message };
}

const notYet = { status: 'Unknown', reason: 'NotYetReported', message: '' };

/** The finding, if it has another reason than what was told last. */
export function newsIn(before: HostClaimStatus, after: HostClaimStatus): Condition | undefined {
  const [old, now] = [before, after].map(({ conditions }) => conditionOf(conditions, 'Associated'));
  return old?.status === now?.status && old?.reason === now?.reason ? undefined : now;
}
