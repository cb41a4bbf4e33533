/**
 * What is asked of a host and has no effect where the host is, or an unwanted one. Each of it is kept until it can act, and said
 * on the host meanwhile: whoever asked would otherwise wait without a word. Pure.
 */
import type { BareMetalHost, BareMetalHostStatus } from '../src/apis/index.js';
import { asksForChange } from './data-image.outcomes.js';
import { isSame } from './equality.js';
import {
  detachRequest,
  inspectAnnotation,
  isInspectionRequested,
  rebootAnnotation,
  rebootRequest,
} from './host.annotations.js';
import type { Observed } from './host.context.js';
import { type FirmwareScope, firmwareDemand, policyScope } from './host.firmware.js';
import type { PassFacts } from './host.guards.js';
import { settingsDiffer, targetRootDeviceHints } from './host.settings.js';
import { busyStates, detachableStates } from './host.states.js';

const inUse: ReadonlySet<string> = new Set(['provisioned', 'externally provisioned']);

type Told = readonly (string | undefined)[];

/** Of a host at rest whose power is as wished: what each of it waits for, in words. */
export function unheeded(facts: PassFacts): readonly string[] {
  const { observed, draft } = facts;
  const isInUse = inUse.has(draft.status.provisioning.state);
  const told: Told = isInUse ? heldByUse(facts) : [unforcedReboot(facts)];
  return [...told, otherProfile(observed.host, draft.status)].filter((text) => text !== undefined);
}

function heldByUse(facts: PassFacts): Told {
  const changes = firmwareChanges(facts);
  const allowed = policyScope(facts.observed.firmware);
  return [
    until('the host to be available again', untilAvailable(facts)),
    until('the host to be available again, or a HostUpdatePolicy with onReboot', named(changes, allowed, false)),
    until(nextStart(facts), [...named(changes, allowed, true), ...dataImage(facts)]),
  ];
}

function until(event: string, what: readonly string[]): string | undefined {
  return what.length === 0 ? undefined : `${event}, before which ${what.join(', ')} cannot act`;
}

/** What a host is prepared, inspected or deployed with, if that is not what is wished for by now. */
function untilAvailable({ observed, draft: { status } }: PassFacts): string[] {
  const { host } = observed;
  const wishes: readonly (readonly [string, boolean])[] = [
    [`the annotation ${inspectAnnotation}`, isInspectionRequested(host)],
    ['spec.raid', isOtherRAIDWished(observed, status)],
    ['spec.bootMode', isOtherBootMode(host, status)],
    [
      'spec.externallyProvisioned',
      host.spec?.externallyProvisioned === true && status.provisioning.state === 'provisioned',
    ],
    ['what of spec.image was changed beside its url', isImageEdited(host, status)],
  ];
  return wishes.flatMap(([name, isHeld]) => (isHeld ? [name] : []));
}

function isOtherRAIDWished(observed: Observed, status: BareMetalHostStatus): boolean {
  const { hardwareRAIDVolumes, softwareRAIDVolumes } = observed.host.spec?.raid ?? {};
  if ((hardwareRAIDVolumes ?? softwareRAIDVolumes ?? undefined) === undefined) return false;
  // Root device hints are taken over wherever the host is.
  const rootDeviceHints = targetRootDeviceHints(observed);
  return settingsDiffer(observed, { ...status, provisioning: { ...status.provisioning, rootDeviceHints } });
}

function isOtherBootMode({ spec }: BareMetalHost, { provisioning: { bootMode } }: BareMetalHostStatus): boolean {
  return bootMode !== undefined && (spec?.bootMode ?? 'UEFI') !== bootMode;
}

/** By its URL it is the one that is deployed. */
function isImageEdited({ spec }: BareMetalHost, { provisioning: { image } }: BareMetalHostStatus): boolean {
  const url = spec?.image?.url ?? '';
  return url !== '' && image?.url === url && !isSame(spec?.image, image);
}

const kinds = { settings: 'HostFirmwareSettings', components: 'HostFirmwareComponents' } as const;

function firmwareChanges({ observed, draft }: PassFacts): FirmwareScope {
  const demand = firmwareDemand(observed.firmware, draft.status);
  return demand.kind === 'known' ? demand : { settings: false, components: false };
}

function named(changes: FirmwareScope, allowed: FirmwareScope, isAllowed: boolean): string[] {
  const names = (['settings', 'components'] as const).filter((kind) => changes[kind] && allowed[kind] === isAllowed);
  return names.map((kind) => `its ${kinds[kind]}`);
}

function dataImage({ observed: { dataImage: image } }: PassFacts): string[] {
  return image !== undefined && asksForChange(image.object) ? ['its DataImage'] : [];
}

/** Firmware and the virtual drive are changed while a host is off and about to be switched on. */
function nextStart({ observed }: PassFacts): string {
  return observed.host.spec?.disablePowerOff === true
    ? 'the host to be off once, which spec.disablePowerOff keeps it from'
    : 'the host to be switched off and on again';
}

function unforcedReboot({ observed: { host }, draft }: PassFacts): string | undefined {
  const isIgnored = rebootRequest(host, false).requested && !rebootRequest(host, true).requested;
  // One that is off has been seen off: there is nothing to be rebooted.
  if (!isIgnored || draft.status.poweredOn !== true) return undefined;
  return `its ${rebootAnnotation} annotations to be removed, or to say "force": true: a host that is not in use is rebooted by force alone`;
}

function otherProfile({ spec }: BareMetalHost, { hardwareProfile = '' }: BareMetalHostStatus): string | undefined {
  const wished = spec?.hardwareProfile ?? '';
  if (wished === '' || hardwareProfile === '' || wished === hardwareProfile) return undefined;
  return `spec.hardwareProfile to be ${JSON.stringify(hardwareProfile)} again: the profile of a host is set once`;
}

// --- of a host at work

/** Why the work ends before it is done and begins anew, again and again; undefined: it does not. */
export function restartedBy({ metadata }: BareMetalHost, { provisioning }: BareMetalHostStatus): string | undefined {
  if (!busyStates.has(provisioning.state) || provisioning.state === 'deprovisioning') return undefined;
  // The one without a suffix is removed once it has acted.
  const { [rebootAnnotation]: _once, ...lasting } = metadata.annotations ?? {};
  if (!rebootRequest({ metadata: { ...metadata, annotations: lasting } }, true).requested) return undefined;
  return `its ${rebootAnnotation}/... annotations with "force": true to be removed: until then its work is begun anew again and again`;
}

/** What follows the work, or cannot act before it is over; "" for nothing. Begins with a comma or the like. */
export function afterWork({ metadata }: BareMetalHost, status: BareMetalHostStatus, finalizer: string): string {
  const { state } = status.provisioning;
  const isLeaving = metadata.deletionTimestamp !== undefined;
  if (state !== 'deleting') return isDetachedLater({ metadata }, status) ? detachment(isLeaving) : '';
  const others = heldByOthers({ metadata }, finalizer);
  return others === '' ? '' : `, and then for ${others}`;
}

/** What a host waits for that is let go, and stays nevertheless; "": nobody else holds it. */
export function heldByOthers({ metadata }: Pick<BareMetalHost, 'metadata'>, finalizer: string): string {
  const others = (metadata.finalizers ?? []).filter((name) => name !== finalizer);
  return others.length === 0 ? '' : `others to remove the finalizers ${others.join(', ')}`;
}

const ending: ReadonlySet<string> = new Set(['deprovisioning', 'powering off before delete']);
const unmanaged: ReadonlySet<string> = new Set(['', 'unmanaged']);

function isDetachedLater(host: Pick<BareMetalHost, 'metadata'>, status: BareMetalHostStatus): boolean {
  const { operationalStatus, provisioning } = status;
  const { present, force, delaysDeletion } = detachRequest(host, false);
  if (!present || force || operationalStatus === 'detached') return false;
  if (detachableStates.has(provisioning.state) || unmanaged.has(provisioning.state)) return false;
  // A deletion that has begun goes on to its end.
  return host.metadata.deletionTimestamp === undefined || (delaysDeletion && !ending.has(provisioning.state));
}

function detachment(isLeaving: boolean): string {
  const way = '; its detached annotation acts after that, or at once if it says "force": true';
  return isLeaving ? `${way}, and its deletion waits until that annotation is gone` : way;
}
