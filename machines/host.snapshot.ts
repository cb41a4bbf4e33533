/**
 * The chart in the host's status, and back. `status.provisioning.state` and the other wire fields are the truth, since other
 * programs write them too; the snapshot only refines them. It is used when it is of this chart version, small, rests, and
 * agrees with them; in every other case the chart is restored from the wire fields alone, which leads to the same place.
 */
import type { SnapshotFrom } from 'xstate';
import type { BareMetalHostStatus } from '../src/apis/index.js';
import { isSame } from './equality.js';
import type { HostContext, Standing } from './host.context.js';
import type { hostMachine } from './host.machine.js';
import { type LifecycleState, stateFromWire, wireName } from './host.states.js';

/** Name and version of the chart in `status.lifecycle.chart`; the version grows when a resting value changes its meaning. */
export const chartVersion = 'host/1';

/** Characters of JSON; a larger snapshot was not written by this chart. */
const sizeLimit = 1024;

type HostMachine = typeof hostMachine;
export type HostSnapshot = SnapshotFrom<HostMachine>;

/** The part of `status.lifecycle` that the chart itself writes. */
export interface PersistedChart {
  readonly chart: string;
  readonly state: string;
  /** `step` comes back absent where it was null: a merge patch cannot write null. */
  readonly snapshot: { readonly value: unknown; readonly context: { readonly step?: string | null } };
}

/** Thrown for a `status.provisioning.state` that is no state of a host: such a host is not touched. */
export class UnknownHostState extends Error {
  override readonly name = 'UnknownHostState';
  constructor(readonly state: string) {
    super(`status.provisioning.state "${state.slice(0, 64)}" is not a state of a host`);
  }
}

const standings: Readonly<Record<string, Standing>> = {
  '': 'ok',
  OK: 'ok',
  discovered: 'discovered',
  error: 'error',
  delayed: 'delayed',
  detached: 'detached',
  servicing: 'servicing',
};

const compound: ReadonlySet<LifecycleState> = new Set([
  'inspecting',
  'preparing',
  'available',
  'provisioning',
  'provisioned',
  'externallyProvisioned',
  'deprovisioning',
  'poweringOffBeforeDelete',
  'deleting',
]);

/** The one value in which the chart rests in a lifecycle state. */
export function restingValue(state: LifecycleState, standing: Standing) {
  return { pass: 'rest', lifecycle: compound.has(state) ? { [state]: 'rest' } : state, standing };
}

/** Where the lifecycle region is. */
export function lifecycleOf(snapshot: { value: unknown }): LifecycleState {
  const { lifecycle } = snapshot.value as { lifecycle: string | Record<string, unknown> };
  return (typeof lifecycle === 'string' ? lifecycle : Object.keys(lifecycle)[0]) as LifecycleState;
}

export function persist(snapshot: HostSnapshot): PersistedChart {
  return {
    chart: chartVersion,
    state: wireName(lifecycleOf(snapshot)),
    snapshot: { value: snapshot.value, context: { step: snapshot.context.step } },
  };
}

export interface Restored {
  readonly snapshot: HostSnapshot;
  /** `snapshot`, or why the wire fields alone were used. */
  readonly source: 'snapshot' | 'absent' | 'too large' | 'garbled' | 'other chart version' | 'contradicts the wire';
}

/** @throws UnknownHostState when the wire names no state. */
export function restore(machine: HostMachine, status: BareMetalHostStatus): Restored {
  const wire = status.provisioning.state;
  const state = stateFromWire(wire);
  if (state === undefined) throw new UnknownHostState(wire);
  const value = restingValue(state, standings[status.operationalStatus] ?? 'ok');
  const { source, step } = refine(status, value);
  const context: HostContext = {
    ...{ observed: undefined, draft: undefined, image: { kind: 'unused' } as const, services: undefined, step },
  };
  return { snapshot: machine.resolveState({ value, context }), source };
}

function refine(status: BareMetalHostStatus, value: unknown): { source: Restored['source']; step: string | null } {
  const { lifecycle } = status;
  if (lifecycle === undefined || lifecycle === null) return { source: 'absent', step: null };
  if (JSON.stringify(lifecycle).length > sizeLimit) return { source: 'too large', step: null };
  if (!isPersisted(lifecycle)) return { source: 'garbled', step: null };
  if (lifecycle.chart !== chartVersion) return { source: 'other chart version', step: null };
  const agrees = lifecycle.state === status.provisioning.state && isSame(lifecycle.snapshot.value, value);
  return agrees
    ? { source: 'snapshot', step: lifecycle.snapshot.context.step ?? null }
    : { source: 'contradicts the wire', step: null };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPersisted(value: unknown): value is PersistedChart {
  if (!isObject(value) || typeof value.chart !== 'string' || typeof value.state !== 'string') return false;
  if (!isObject(value.snapshot) || !isObject(value.snapshot.context)) return false;
  const { step = null } = value.snapshot.context;
  return step === null || typeof step === 'string';
}
