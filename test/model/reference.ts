/**
 * The life of a host once more, as plainly as it can be said: from what is written of a host, which states it may be in after
 * the next pass, and what may be asked of the back end meanwhile. Written from the transition tables (host-lifecycle §2, §3
 * and §5) without a look at the chart, so that the two can only agree where both are right.
 */
import type { BareMetalHost, BareMetalHostStatus } from '../../src/apis/index.js';
import {
  type Beside,
  driveCalls,
  firmwareDiffers,
  imageCalls,
  servicingCalls,
  updateCalls,
} from './reference-firmware.js';

export interface Prospect {
  readonly states: readonly string[];
  readonly calls: readonly string[];
}

export interface Circumstances extends Beside {
  readonly host: BareMetalHost;
  readonly status: BareMetalHostStatus;
  readonly haveCredentials: boolean;
  readonly isSlotFree: boolean;
  readonly maxProvisioningRetries: number;
}

export const gone = 'gone';
/** Calls after which something on the machine is no longer as it was. */
export const destructive: ReadonlySet<string> = new Set([
  ...['inspectHardware', 'prepareHost', 'provisionHost', 'deprovisionHost', 'powerOffHost', 'powerOff', 'powerOn'],
  ...['serviceHost', 'attachDataImage', 'detachDataImage'],
]);

const busy = ['inspecting', 'provisioning', 'deprovisioning'];
const settled = ['provisioned', 'externally provisioned'];
const mayDetach = [...settled, 'ready', 'available'];

interface Known extends Circumstances {
  readonly state: string;
  readonly isDeleting: boolean;
}

function annotation({ host }: Known, name: string): string | undefined {
  return host.metadata.annotations?.[name];
}

function json(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text === '' ? '{}' : text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const only = (state: string, ...calls: string[]): Prospect => ({ states: [state], calls });

/** What a pass may come to. Order and rows are those of the tables. */
export function prospectOf(circumstances: Circumstances): Prospect {
  const { host, status, isSlotFree } = circumstances;
  const { state } = status.provisioning;
  const known = { ...circumstances, state, isDeleting: host.metadata.deletionTimestamp !== undefined };
  if (status.operationalStatus === 'delayed') return only(state);
  // A difference from the tables, on purpose: a host that is let go without work on it need not wait for a free slot.
  if (busy.includes(state) && !isSlotFree && !isLetGo(known)) return only(state);
  return deletion(known) ?? detachment(known) ?? registration(known);
}

function deletion(known: Known): Prospect | undefined {
  const { isDeleting, state, status } = known;
  if (!isDeleting || state === 'deleting') return undefined;
  if (isLetGo(known)) return only('deleting');
  const isAside = status.operationalStatus === 'detached' || detachWish(known) !== undefined;
  return isAside ? undefined : onTheWayOut(known);
}

function detachWish(known: Known): Record<string, unknown> | undefined {
  const value = annotation(known, 'baremetalhost.metal3.io/detached');
  return value === undefined ? undefined : json(value);
}

/** Detached, or about to be, and nothing says that the deletion has to wait for it to come back. */
function isLetGo(known: Known): boolean {
  const wish = detachWish(known);
  return known.isDeleting && known.state !== 'deleting' && wish !== undefined && wish.deleteAction !== 'delay';
}

function onTheWayOut(known: Known): Prospect | undefined {
  const { state, status, isSlotFree } = known;
  if (['', 'unmanaged', 'registering'].includes(state)) return only('deleting');
  if (state === 'provisioning') return only('deprovisioning');
  if (state === 'provisioned') return only(isSlotFree ? 'deprovisioning' : state);
  if (!['deprovisioning', 'powering off before delete'].includes(state)) return only(wayOutOf(known));
  const isHopeless = status.errorType === 'registration error' && (status.errorCount ?? 0) > 3;
  return isHopeless ? only('deleting') : undefined;
}

/** A difference from the tables, on purpose: what the status says to be deployed is taken off in these states too. */
function wayOutOf(known: Known): string {
  const isIdle = ['inspecting', 'preparing', 'available', 'ready'].includes(known.state);
  if (!isIdle || !hasRecorded(known)) return 'powering off before delete';
  return known.isSlotFree ? 'deprovisioning' : known.state;
}

function detachment(known: Known): Prospect | undefined {
  const { state, status } = known;
  const wish = state === 'deleting' ? undefined : detachWish(known);
  if (wish !== undefined && (mayDetach.includes(state) || wish.force === true)) return only(state, 'detachHost');
  return status.operationalStatus === 'detached' ? only(state) : undefined;
}

function registration(known: Known): Prospect {
  const { state, haveCredentials } = known;
  const { states, calls } = handlers[state]!(known);
  if (!haveCredentials || ['', 'unmanaged', 'match profile', 'deleting'].includes(state)) return { states, calls };
  const claims = known.isDeleting ? [] : ['claimFirmwareObjects'];
  return { states: [state, ...states], calls: [...imageCalls(known), 'registerHost', ...claims, ...calls] };
}

function hasBMC({ host }: Known): boolean {
  return Boolean(host.spec.bmc?.address) || Boolean(host.spec.bmc?.credentialsName);
}

function isInspectionOff(known: Known): boolean {
  return known.host.spec.inspectionMode === 'disabled' || annotation(known, 'inspect.metal3.io') === 'disabled';
}

const handlers: Readonly<Record<string, (known: Known) => Prospect>> = {
  '': (known) => only(hasBMC(known) ? 'registering' : 'unmanaged'),
  unmanaged: (known) => only(hasBMC(known) ? 'registering' : 'unmanaged'),
  registering: (known) => {
    if (known.host.spec.externallyProvisioned) return only('externally provisioned');
    if (isInspectionOff(known)) return only('preparing');
    return only(known.isSlotFree ? 'inspecting' : 'registering');
  },
  'match profile': () => only('preparing'),
  inspecting: (known) => {
    if (isInspectionOff(known)) return only('preparing');
    const calls = ['inspectHardware', 'removeInspectionRequests', 'saveHardwareData'];
    return { states: ['inspecting', 'preparing'], calls };
  },
  preparing: (known) => {
    // Updates that were under way on a node which was lost are begun on the next one.
    if (firmwareDiffers(known) === 'unclear') return only('preparing', 'forgetFirmwareUpdates');
    return { states: ['preparing', 'available'], calls: ['prepareHost', ...updateCalls] };
  },
  available,
  ready: available,
  provisioning: (known) => {
    if (known.status.errorType !== undefined || isCancelled(known)) return only('deprovisioning');
    return { states: ['provisioning', 'provisioned'], calls: ['provisionHost', 'removeRebootRequest'] };
  },
  provisioned: (known) => {
    if (isCancelled(known)) return only(known.isSlotFree ? 'deprovisioning' : 'provisioned');
    return steady(known);
  },
  'externally provisioned': (known) => {
    return known.host.spec.externallyProvisioned ? steady(known) : only('provisioned');
  },
  deprovisioning: (known) => {
    const calls = ['deprovisionHost', 'removeRebootRequest', ...(hasRecorded(known) ? ['adoptHost'] : [])];
    // Also after failures without end: the fourth one is not waited for, be it of the adoption or of the cleaning.
    const next = known.isDeleting ? 'powering off before delete' : 'available';
    return { states: ['deprovisioning', next, ...lost(known)], calls };
  },
  'powering off before delete': (known) => {
    if (known.host.spec.disablePowerOff) return only('deleting');
    return { states: ['powering off before delete', 'deleting'], calls: ['powerOffHost'] };
  },
  deleting: () => ({ states: ['deleting', gone], calls: ['deleteHost', 'releaseHost'] }),
};

/** A node that is lost cannot be registered again without credentials: a deletion then goes on without it. */
function lost({ isDeleting, haveCredentials }: Known): string[] {
  return isDeleting && !haveCredentials ? ['deleting'] : [];
}

function askedToInspect(known: Known): Prospect | undefined {
  if ([undefined, 'disabled'].includes(annotation(known, 'inspect.metal3.io'))) return undefined;
  // A difference from the tables, on purpose: they go round for ever.
  if (isInspectionOff(known)) return only(known.state, 'removeInspectionRequest');
  return only(known.isSlotFree ? 'inspecting' : known.state);
}

function available(known: Known): Prospect {
  const { host, state, isSlotFree } = known;
  if (host.spec.externallyProvisioned) return only('externally provisioned');
  const inspection = askedToInspect(known);
  if (inspection !== undefined) return inspection;
  if (wantsOtherSettings(known)) return only('preparing');
  if (firmwareDiffers(known) === 'unclear') return only(state);
  if (firmwareDiffers(known) === 'yes') return only('preparing');
  if (!wantsProvisioning(known)) return power(known);
  return only(isOutOfTries(known) || !isSlotFree ? state : 'provisioning');
}

function steady(known: Known): Prospect {
  const { states, calls } = power(known);
  const others = [...driveCalls(known), ...servicingCalls(known)];
  return { states: [...states, ...lost(known)], calls: ['adoptHost', ...others, ...calls] };
}

function power(known: Known): Prospect {
  const { state, host } = known;
  const commands = isToBeOn(known) ? ['powerOn'] : ['powerOff'];
  // A difference from the tables, on purpose: what is never to be off is not switched off, whatever else is wished.
  const isTorn = host.spec.disablePowerOff === true && host.spec.online !== true && !isToBeRebooted(known);
  if (isTorn) return only(state, 'observePower', 'settleRebootRequests');
  // Which of two requests counts as answered already is remembered on the host; both commands may then be right.
  const both = host.spec.disablePowerOff === true ? ['powerOn', 'powerOff'] : commands;
  return only(state, 'observePower', 'settleRebootRequests', ...both);
}

function isToBeOn(known: Known): boolean {
  return known.host.spec.online === true && !isToBeRebooted(known);
}

function isToBeRebooted({ host, state }: Known): boolean {
  const requests = Object.entries(host.metadata.annotations ?? {}).filter(
    ([key]) => key === 'reboot.metal3.io' || key.startsWith('reboot.metal3.io/'),
  );
  const counting = settled.includes(state) ? requests : requests.filter(([, value]) => json(value).force === true);
  return counting.length > 0;
}

// --- images (§3.1, §3.2)

function wishes({ host, status }: Known) {
  return {
    url: host.spec.image?.url ?? '',
    method: host.spec.customDeploy?.method ?? '',
    recordedUrl: status.provisioning.image?.url ?? '',
    recordedMethod: status.provisioning.customDeploy?.method ?? '',
  };
}

function hasRecorded(known: Known): boolean {
  return wishes(known).recordedUrl !== '' || known.status.provisioning.customDeploy !== undefined;
}

function wantsProvisioning(known: Known): boolean {
  const { url, method, recordedUrl, recordedMethod } = wishes(known);
  if (!known.host.spec.online) return false;
  return (url !== '' && recordedUrl === '') || (method !== '' && method !== recordedMethod);
}

function isCancelled(known: Known): boolean {
  const { url, method, recordedUrl, recordedMethod } = wishes(known);
  const hasOtherImage = recordedUrl !== '' && url !== recordedUrl;
  if (method !== '') return (recordedMethod !== '' && recordedMethod !== method) || hasOtherImage;
  if (recordedMethod !== '') return true;
  return url === '' || hasOtherImage;
}

function isOutOfTries({ host, status, maxProvisioningRetries }: Known): boolean {
  const canonical = (image: unknown) => JSON.stringify(Object.entries(image ?? {}).sort());
  const isSameImage = canonical(host.spec.image) === canonical(status.lastAttemptedImage);
  const failures = isSameImage ? (status.provisioningFailCount ?? 0) : 0;
  return maxProvisioningRetries > 0 && failures >= maxProvisioningRetries;
}

// --- settings (§6.2, §6.4); the walks know the profile `unknown` alone

const text = (value: unknown) => JSON.stringify(value ?? null);
const both = (hardware: unknown, software: unknown) => text([hardware ?? null, software ?? null]);

function wantsOtherSettings(known: Known): boolean {
  return wantsOtherHints(known) || wantsOtherRAID(known);
}

function wantsOtherHints({ host, status }: Known): boolean {
  const isRootOnRAID = (host.spec.raid?.softwareRAIDVolumes ?? []).some(({ rootVolume }) => rootVolume);
  const hints = isRootOnRAID ? undefined : (host.spec.rootDeviceHints ?? { deviceName: '/dev/sda' });
  return text(hints) !== text(status.provisioning.rootDeviceHints);
}

function wantsOtherRAID({ host, status }: Known): boolean {
  const { raid: recorded } = status.provisioning;
  const { hardwareRAIDVolumes: hardware, softwareRAIDVolumes: software } = host.spec.raid ?? {};
  const have = both(recorded?.hardwareRAIDVolumes, recorded?.softwareRAIDVolumes);
  if (hardware || software) return both(hardware, software) !== have;
  if (recorded === undefined) return host.spec.raid !== undefined;
  const isKept = (recorded.hardwareRAIDVolumes ?? []).length > 0;
  return both(isKept ? recorded.hardwareRAIDVolumes : null, []) !== have;
}
