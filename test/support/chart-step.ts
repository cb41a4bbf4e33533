/** One pass of the host chart as the controller makes it: restore, run, commit, status patch; nothing of it touches a server. */
import {
  type BareMetalHost,
  type BareMetalHostStatus,
  bareMetalHostSchema,
  bareMetalHostStatusSchema,
  type PreprovisioningImage,
} from '../../src/apis/index.js';
import { chooseHardwareProfile, hardwareProfile } from '../../src/hardware/index.js';
import { HostChartRunner, type Inspector } from '../../src/controllers/host/pass.js';
import { settle, statusPatch } from '../../src/controllers/host/status.js';
import {
  type DataImageObserved,
  type Draft,
  type FirmwareObjects,
  type HostSnapshot,
  lifecycleOf,
  mayNeedSlot,
  newDraft,
  type Observed,
} from '../../machines/index.js';
import type { HostBuilder } from './host-builder.js';
import { type ActorScript, scriptedHostMachine } from './scripted-chart.js';

export interface StepFacts {
  readonly host: BareMetalHost;
  readonly status: BareMetalHostStatus;
  readonly haveCredentials: boolean;
  readonly secretVersion: string;
  readonly isSlotFree: boolean;
  readonly maxProvisioningRetries: number;
  /** Default: none that is missing, none that asks for anything. */
  readonly firmware?: FirmwareObjects;
  readonly dataImage?: DataImageObserved;
  readonly preprovisioningImage?: PreprovisioningImage;
}

export interface Step {
  readonly observed: Observed;
  readonly draft: Draft;
  readonly snapshot: HostSnapshot;
  readonly restoredFrom: string;
  /** As it would be read back from the API server; the one before when nothing is saved. */
  readonly status: BareMetalHostStatus;
  /** The host's object is gone with this pass. */
  readonly isGone: boolean;
}

export const now = Date.UTC(2026, 0, 1);

/** Frozen through and through: whoever changes it in place throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
}

/** RFC 7396. */
export function mergePatched(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const isObject = typeof target === 'object' && target !== null && !Array.isArray(target);
  const merged: Record<string, unknown> = isObject ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else if (value !== undefined) merged[key] = mergePatched(merged[key], value);
  }
  return merged;
}

export function hostFrom(builder: HostBuilder): BareMetalHost {
  const object = builder.object();
  const deletion = builder.isDeleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
  const metadata = { ...object.metadata, uid: 'uid-1', generation: 1, ...deletion };
  return bareMetalHostSchema.parse({ ...object, metadata }) as BareMetalHost;
}

export function credentialsAt(version: string) {
  return { credentials: { name: 'bmc', namespace: 'default' }, credentialsVersion: version };
}

/** The builder's status, registered with the Secret as it is. */
export function statusFrom(builder: HostBuilder, secretVersion = '1'): BareMetalHostStatus {
  const known = credentialsAt(secretVersion);
  const raw =
    builder.status === undefined ? {} : { goodCredentials: known, triedCredentials: known, ...builder.status };
  return bareMetalHostStatusSchema.parse(raw) as BareMetalHostStatus;
}

export function stepFacts(builder: HostBuilder, change: Partial<StepFacts> = {}): StepFacts {
  return {
    host: hostFrom(builder),
    status: statusFrom(builder),
    haveCredentials: true,
    secretVersion: '1',
    isSlotFree: true,
    maxProvisioningRetries: 5,
    ...change,
  };
}

export function observe(facts: StepFacts): Observed {
  const { host, status, haveCredentials, secretVersion, isSlotFree, maxProvisioningRetries } = facts;
  const name = chooseHardwareProfile({
    chosen: status.hardwareProfile,
    wanted: host.spec.hardwareProfile,
    bmcAddress: host.spec.bmc?.address,
  });
  const observed: Observed = {
    host,
    haveCredentials,
    credentials: haveCredentials ? credentialsAt(secretVersion) : {},
    profile: { name, hints: hardwareProfile(name) },
    slot: { kind: 'notNeeded' },
    architecture: 'x86_64',
    firmware: facts.firmware ?? { isIncomplete: false },
    dataImage: facts.dataImage,
    preprovisioningImage: facts.preprovisioningImage,
    now,
    maxProvisioningRetries,
  };
  if (!mayNeedSlot({ observed, draft: newDraft(status) })) return observed;
  return { ...observed, slot: isSlotFree ? { kind: 'granted' } : { kind: 'waiting', rank: 1, limit: 20 } };
}

/** Rejects when an actor throws. All that goes in is frozen. */
export async function step(
  facts: StepFacts,
  script: ActorScript,
  options: { readonly inspector?: Inspector; readonly machine?: typeof scriptedHostMachine } = {},
): Promise<Step> {
  const observed = deepFreeze(observe(facts));
  const before = deepFreeze(facts.status);
  const runner = new HostChartRunner(options.machine ?? scriptedHostMachine, options.inspector);
  const outcome = await runner.run(before, observed, script, new AbortController().signal);
  const draft = settle(outcome.draft, outcome.from, outcome.snapshot, observed);
  const patch = statusPatch({
    ...{ before, draft, snapshot: outcome.snapshot, generation: 1, now: '2026-01-01T00:00:00Z' },
    ...{ powerFailure: false, health: '', waitsFor: '', nextRetryAt: undefined, isOwed: false },
  });
  const saved = JSON.parse(JSON.stringify(mergePatched(before, patch ?? {}))) as unknown;
  return {
    ...{ observed, draft, snapshot: outcome.snapshot, restoredFrom: outcome.restoredFrom },
    status: bareMetalHostStatusSchema.parse(saved) as BareMetalHostStatus,
    isGone: lifecycleOf(outcome.snapshot) === 'deleted',
  };
}
