/** `status.operationHistory`, and what a committed change of the lifecycle state leaves in the status (spec §2.5). */
import type { BareMetalHostStatus } from '../src/apis/index.js';
import type { Draft } from './host.context.js';
import { withProvisioning, withStatus } from './host.draft.js';
import { type LifecycleState, wireName } from './host.states.js';

export type Operation = 'register' | 'inspect' | 'provision' | 'deprovision';

const operations: Partial<Record<LifecycleState, Operation>> = {
  registering: 'register',
  inspecting: 'inspect',
  provisioning: 'provision',
  deprovisioning: 'deprovision',
};

const entersWithBootMode: ReadonlySet<LifecycleState> = new Set(['registering', 'inspecting', 'provisioning']);

function time(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

export function isOperationOpen(status: BareMetalHostStatus, operation: Operation): boolean {
  const metric = status.operationHistory?.[operation];
  return Boolean(metric?.start) && !metric?.end;
}

/** Opens the entry again if it is closed, or was never open; an open one goes on. */
export function beginOperation(draft: Draft, operation: Operation, now: number): Draft {
  if (isOperationOpen(draft.status, operation)) return draft;
  return withHistory(draft, operation, { start: time(now), end: null });
}

/** Closes an open entry; its duration is observed once the status is saved. */
export function endOperation(draft: Draft, operation: Operation, now: number): Draft {
  const start = draft.status.operationHistory?.[operation]?.start;
  if (!start || !isOperationOpen(draft.status, operation)) return draft;
  const closed = withHistory(draft, operation, { start, end: time(now) });
  const seconds = Math.max(0, (now - Date.parse(start)) / 1000);
  const metric = `metal3_operation_${operation}_duration_seconds`;
  return { ...closed, measurements: [...closed.measurements, { metric, labels: {}, value: seconds, when: 'saved' }] };
}

function withHistory(draft: Draft, operation: Operation, metric: { start: string; end: string | null }): Draft {
  return withStatus(draft, { operationHistory: { ...draft.status.operationHistory, [operation]: metric } });
}

/** Writes a change of the lifecycle state down: history, boot mode, the state itself, and the counter of changes. */
export function commitTransition(
  draft: Draft,
  change: {
    from: LifecycleState;
    to: LifecycleState;
    bootMode: BareMetalHostStatus['provisioning']['bootMode'];
    now: number;
  },
): Draft {
  const { from, to, bootMode, now } = change;
  const ended = operations[from] === undefined ? draft : endOperation(draft, operations[from], now);
  const begun = operations[to] === undefined ? ended : beginOperation(ended, operations[to], now);
  const labels = { prev_state: begun.status.provisioning.state, new_state: wireName(to) };
  const moved = withProvisioning(begun, {
    state: wireName(to),
    ...(entersWithBootMode.has(to) ? { bootMode: bootMode ?? 'UEFI' } : {}),
  });
  const measurement = { metric: 'metal3_provisioning_state_change_total', labels, when: 'saved' } as const;
  return { ...moved, measurements: [...moved.measurements, measurement] };
}
