/** From the draft that the chart leaves to the status that is saved: the chart's snapshot, the conditions, and what is new. Pure. */
import {
  commitTransition,
  type Draft,
  type HostSnapshot,
  lifecycleOf,
  type LifecycleState,
  markNames,
  type Observed,
  persist,
} from '../../../machines/index.js';
import { busyStates, wireName } from '../../../machines/index.js';
import { type BareMetalHostStatus, type LifecycleStatus } from '../../apis/index.js';
import { IronchartError } from '../../errors.js';
import { computeConditions } from './conditions.js';
import { mergeDiff } from './merge-diff.js';

/** Results after which the status is saved (host-lifecycle spec §0.5). */
const savedKinds: ReadonlySet<string> = new Set(['update', 'complete', 'delayed', 'failed']);

/** Writes a change of the lifecycle state into the draft; a pass that ended without any result is a fault of the chart. */
export function settle(draft: Draft, from: LifecycleState, snapshot: HostSnapshot, observed: Observed): Draft {
  const to = lifecycleOf(snapshot);
  if (to === from) {
    if (draft.result === undefined)
      throw new IronchartError('PASS_WITHOUT_RESULT', `the pass in ${from} decided nothing`);
    return draft;
  }
  if (to === 'deleted') return draft;
  if (busyStates.has(wireName(to)) && observed.slot.kind !== 'granted') {
    throw new IronchartError('NO_SLOT_RESERVED', `${to} was entered without a slot`);
  }
  const bootMode = observed.host.spec.bootMode as BareMetalHostStatus['provisioning']['bootMode'];
  const committed = commitTransition(draft, { from, to, bootMode, now: observed.now });
  return committed.result === undefined ? { ...committed, result: { kind: 'complete' } } : committed;
}

export interface StatusFacts {
  readonly before: BareMetalHostStatus;
  /** An earlier pass has left something to be saved. */
  readonly isOwed: boolean;
  readonly draft: Draft;
  readonly snapshot: HostSnapshot;
  readonly generation: number;
  /** RFC 3339. */
  readonly now: string;
  readonly powerFailure: boolean;
  readonly health: string;
  /** "" when the host waits for nothing. */
  readonly waitsFor: string;
  /** RFC 3339; undefined unless the host waits after a failure. */
  readonly nextRetryAt: string | undefined;
}

/** What every status that is written holds, whether or not there is anything to say in it. */
export function complete(status: BareMetalHostStatus): BareMetalHostStatus {
  const { provisioning, ...rest } = status;
  return {
    goodCredentials: {},
    triedCredentials: {},
    operationHistory: { register: {}, inspect: {}, provision: {}, deprovision: {} },
    ...rest,
    provisioning: { ...provisioning, image: provisioning.image ?? { url: '' } },
  };
}

/** The status as this pass leaves it, but for its time. */
export function statusOf(facts: StatusFacts): BareMetalHostStatus {
  const { draft } = facts;
  const trouble = isTrouble(draft) ? facts.waitsFor : '';
  const wanted = {
    ...complete(draft.status),
    conditions: computeConditions({ ...facts, status: draft.status, trouble }),
  };
  return { ...wanted, lifecycle: lifecycleStatus(facts, wanted) };
}

/** The status patch of this pass, or undefined when nothing is to be saved. */
export function statusPatch(facts: StatusFacts): object | undefined {
  const { before, draft, now } = facts;
  if (draft.result?.kind === 'deleteComplete') return lastWords(facts);
  const wanted = statusOf(facts);
  const { conditions } = wanted;
  if (!isSaved(facts) && mergeDiff({ conditions: before.conditions }, { conditions }) === undefined) return undefined;
  const patch = mergeDiff(before, wanted);
  if (patch === undefined || isOnlyStep(patch)) return undefined;
  return { ...patch, lastUpdated: now };
}

/** A host that is let go is gone, unless others hold it: then it says so, and nothing else of it changes. */
function lastWords({ before, waitsFor, now }: StatusFacts): object | undefined {
  if (waitsFor === '') return undefined;
  const { state } = before.provisioning;
  const patch = mergeDiff(before, { ...before, lifecycle: { ...before.lifecycle, state, waitsFor } });
  return patch === undefined ? undefined : { ...patch, lastUpdated: now };
}

function isSaved(facts: StatusFacts): boolean {
  return facts.isOwed || savedKinds.has(facts.draft.result?.kind ?? '') || waitsForNews(facts);
}

function isTrouble({ result }: Draft): boolean {
  return result?.kind === 'retry' || (result !== undefined && 'isTrouble' in result);
}

/** A wait that was named by the pass itself, and that the host does not tell of yet; or one that it tells of, and that is over. */
function waitsForNews({ before, draft, waitsFor }: StatusFacts): boolean {
  const { result } = draft;
  const isNamed = result !== undefined && (result.kind === 'retry' || 'waitsFor' in result);
  const told = before.lifecycle?.waitsFor;
  return (isNamed || told !== undefined) && (told ?? '') !== waitsFor;
}

/** The last step alone is no reason to write. */
function isOnlyStep(patch: object): boolean {
  const { lifecycle, ...rest } = patch as { lifecycle?: object };
  return Object.keys(rest).length === 0 && Object.keys(lifecycle ?? {}).every((key) => key === 'snapshot');
}

function marksOf({ lifecycle = {} }: BareMetalHostStatus): Partial<LifecycleStatus> {
  return Object.fromEntries(
    markNames.flatMap((name) => (lifecycle[name] === undefined ? [] : [[name, lifecycle[name]]])),
  );
}

function lifecycleStatus(facts: StatusFacts, wanted: BareMetalHostStatus): LifecycleStatus {
  const { before, snapshot, now, waitsFor, nextRetryAt } = facts;
  const persisted = persist(snapshot);
  const hasMoved = before.lifecycle?.state !== wanted.provisioning.state || before.lifecycle.since === undefined;
  return {
    chart: persisted.chart,
    state: wanted.provisioning.state,
    snapshot: persisted.snapshot as LifecycleStatus['snapshot'],
    since: hasMoved ? now : before.lifecycle?.since,
    ...marksOf(facts.draft.status),
    ...(waitsFor === '' ? {} : { waitsFor }),
    ...(nextRetryAt === undefined ? {} : { nextRetryAt }),
  };
}
