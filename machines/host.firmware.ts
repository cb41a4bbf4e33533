/**
 * What the firmware objects of a host ask for (host-lifecycle spec §5.2, §6.5). Their own controllers say whether something
 * differs, and whether that is in order; the host goes by those verdicts, once for each change. Pure.
 */
import type {
  BareMetalHostStatus,
  Condition,
  FirmwareUpdate,
  HostFirmwareComponents,
  HostFirmwareSettings,
  HostUpdatePolicy,
} from '../src/apis/index.js';
import type { Draft } from './host.context.js';
import { isSame } from './equality.js';
import { withMarks } from './host.draft.js';

/** The objects of the host's own name; each may be missing. */
export interface FirmwareObjects {
  readonly settings?: HostFirmwareSettings | undefined;
  readonly components?: HostFirmwareComponents | undefined;
  readonly policy?: HostUpdatePolicy | undefined;
  /** One of them is missing, or does not belong to the host yet. */
  readonly isIncomplete: boolean;
}

/** Which of the two kinds of change count. */
export interface FirmwareScope {
  readonly settings: boolean;
  readonly components: boolean;
}

export const everyChange: FirmwareScope = { settings: true, components: true };

/** `unknown`: the verdict on the object's present generation is not there yet. */
export type FirmwareDemand =
  | (FirmwareScope & { readonly kind: 'known' })
  | { readonly kind: 'unknown'; readonly object: 'HostFirmwareSettings' | 'HostFirmwareComponents' };

/** As the back end takes it: a component is named only while it is still to be updated. */
export interface FirmwareChange {
  readonly targetSettings: Readonly<Record<string, string | number>>;
  readonly actualSettings: Readonly<Record<string, string>> | undefined;
  readonly targetComponents: readonly FirmwareUpdate[];
}

type Reading = 'clean' | 'changed' | 'unknown';

interface Judged {
  readonly metadata: { readonly generation?: number | undefined };
  readonly status?: { readonly conditions?: readonly Condition[] | undefined } | undefined;
}

function conditionOf({ status }: Judged, type: string): Condition | undefined {
  return (status?.conditions ?? []).find((condition) => condition.type === type);
}

function readingOf(object: Judged | undefined): Reading {
  const changed = object && conditionOf(object, 'ChangeDetected');
  if (object === undefined || changed === undefined) return 'clean';
  if (changed.observedGeneration !== object.metadata.generation) return 'unknown';
  if (conditionOf(object, 'Valid')?.status !== 'True') return 'clean';
  return changed.status === 'True' ? 'changed' : 'clean';
}

/** Names one change: another wish, or the same one that is found unfulfilled anew, has another name. */
function changeOf(object: Judged): string {
  const { lastTransitionTime = '' } = conditionOf(object, 'ChangeDetected') ?? {};
  return `${object.metadata.generation ?? 0}@${lastTransitionTime}`;
}

/** A change that was begun is done with, although its object goes on saying so until the host is looked at anew. */
function settingsReading(settings: HostFirmwareSettings | undefined, status: BareMetalHostStatus): Reading {
  const reading = readingOf(settings);
  if (settings === undefined || reading !== 'changed') return reading;
  if (status.lifecycle?.begunSettings === changeOf(settings)) return 'clean';
  return Object.keys(settings.status?.settings ?? {}).length === 0 ? 'unknown' : 'changed';
}

/** The updates that were begun stand in the object's own status. */
function componentsReading(components: HostFirmwareComponents | undefined): Reading {
  const reading = readingOf(components);
  if (components === undefined || reading !== 'changed') return reading;
  return isSame(components.spec.updates, components.status?.updates ?? []) ? 'clean' : 'changed';
}

/** The settings come first: while they are unknown, the components are not asked about. */
export function firmwareDemand(
  { settings, components }: FirmwareObjects,
  status: BareMetalHostStatus,
  scope: FirmwareScope = everyChange,
): FirmwareDemand {
  const ofSettings = scope.settings ? settingsReading(settings, status) : 'clean';
  if (ofSettings === 'unknown') return { kind: 'unknown', object: 'HostFirmwareSettings' };
  const ofComponents = scope.components ? componentsReading(components) : 'clean';
  if (ofComponents === 'unknown') return { kind: 'unknown', object: 'HostFirmwareComponents' };
  return { kind: 'known', settings: ofSettings === 'changed', components: ofComponents === 'changed' };
}

export function isDemanded(demand: FirmwareDemand): boolean {
  return demand.kind === 'known' && (demand.settings || demand.components);
}

/** Undefined: nothing is to be changed. */
export function firmwareChange(objects: FirmwareObjects, demand: FirmwareDemand): FirmwareChange | undefined {
  if (demand.kind === 'unknown' || !isDemanded(demand)) return undefined;
  const settings = demand.settings ? objects.settings : undefined;
  const components = demand.components ? objects.components : undefined;
  return {
    targetSettings: settings?.spec.settings ?? {},
    actualSettings: settings?.status?.settings,
    targetComponents: components === undefined ? [] : pendingUpdates(components),
  };
}

function pendingUpdates({ spec, status }: HostFirmwareComponents): FirmwareUpdate[] {
  const begun = status?.updates ?? [];
  return spec.updates.filter((update) => !begun.some((each) => isSame(each, update)));
}

/** What of a host in use may be changed at all. */
export function policyScope({ policy }: FirmwareObjects): FirmwareScope {
  const { firmwareSettings, firmwareUpdates } = policy?.spec ?? {};
  return { settings: firmwareSettings === 'onReboot', components: firmwareUpdates === 'onReboot' };
}

/** Some firmware is wished for, changed or not. */
export function hasFirmwareSpec({ settings, components }: FirmwareObjects, scope: FirmwareScope): boolean {
  const hasSettings = Object.keys(settings?.spec.settings ?? {}).length > 0;
  const hasUpdates = (components?.spec.updates ?? []).length > 0;
  return (scope.settings && hasSettings) || (scope.components && hasUpdates);
}

/** Whether a failure has to be noted in the object, so that the updates are begun again. Those of old are not in question. */
export function mustForgetUpdates({ components }: FirmwareObjects, status: BareMetalHostStatus): boolean {
  if ((components?.status?.updates ?? []).length === 0) return false;
  return status.lifecycle?.begunUpdates !== undefined || readingOf(components) === 'changed';
}

/** Whether the object has to be told that its updates have begun. */
export function mustRecordUpdates(objects: FirmwareObjects, demand: FirmwareDemand): boolean {
  return objects.components !== undefined && demand.kind === 'known' && demand.components;
}

// --- what is kept of it in the host's status

/** The change has begun: it is not to be begun again, unless it fails. */
export function beginFirmware(draft: Draft, { settings, components }: FirmwareObjects, demand: FirmwareDemand): Draft {
  if (demand.kind === 'unknown' || !isDemanded(demand)) return draft;
  return withMarks(draft, {
    ...(demand.settings && settings ? { begunSettings: changeOf(settings) } : {}),
    ...(demand.components && components ? { begunUpdates: changeOf(components) } : {}),
  });
}

/** A change that failed is to be begun anew. */
export function forgetFirmware(draft: Draft): Draft {
  return withMarks(draft, { begunSettings: undefined, begunUpdates: undefined });
}

/** What may still fail later has nothing to do with these updates. */
export function finishFirmware(draft: Draft): Draft {
  return withMarks(draft, { begunUpdates: undefined });
}
