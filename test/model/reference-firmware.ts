/**
 * Firmware, data image and agent image once more, as plainly as they can be said (host-lifecycle §4-§7): what of them may be
 * asked of the back end in a pass. Written from the tables, without a look at the chart.
 */
import type { DataImageObserved, FirmwareObjects } from '../../machines/index.js';
import type { BareMetalHost, BareMetalHostStatus } from '../../src/apis/index.js';

export interface Beside {
  readonly host: BareMetalHost;
  readonly status: BareMetalHostStatus;
  readonly firmware?: FirmwareObjects;
  readonly dataImage?: DataImageObserved;
}

type Answer = 'no' | 'yes' | 'unclear';
type Condition = { type: string; status: string; observedGeneration?: number | undefined; lastTransitionTime?: string };

interface Judged {
  readonly metadata: { readonly generation?: number | undefined };
  readonly status?: { readonly conditions?: readonly Condition[] | undefined } | undefined;
}

function judged(object: Judged | undefined): Answer {
  const conditions = object?.status?.conditions ?? [];
  const [change] = conditions.filter(({ type }) => type === 'ChangeDetected');
  if (change === undefined) return 'no';
  if (change.observedGeneration !== object?.metadata.generation) return 'unclear';
  const isValid = conditions.some(({ type, status }) => type === 'Valid' && status === 'True');
  return isValid && change.status === 'True' ? 'yes' : 'no';
}

function settingsDiffer({ firmware, status }: Beside): Answer {
  const { settings } = firmware ?? {};
  const answer = judged(settings);
  if (answer !== 'yes') return answer;
  const change = settings?.status?.conditions?.find(({ type }) => type === 'ChangeDetected');
  // A change is begun once.
  return status.lifecycle?.begunSettings === `${settings?.metadata.generation}@${change?.lastTransitionTime}`
    ? 'no'
    : 'yes';
}

function componentsDiffer({ firmware }: Beside): Answer {
  const { components } = firmware ?? {};
  const answer = judged(components);
  if (answer !== 'yes' || components === undefined) return answer;
  const same = JSON.stringify(components.spec.updates) === JSON.stringify(components.status?.updates ?? []);
  return same ? 'no' : 'yes';
}

const onReboot = (policy: string | undefined, isInUse: boolean) => !isInUse || policy === 'onReboot';

/** Of a host that is not in use, both count; of one in use, what its policy allows. */
export function firmwareDiffers(beside: Beside, isInUse = false): Answer {
  const policy = beside.firmware?.policy?.spec;
  const answers = [
    ...(onReboot(policy?.firmwareSettings, isInUse) ? [settingsDiffer(beside)] : []),
    ...(onReboot(policy?.firmwareUpdates, isInUse) ? [componentsDiffer(beside)] : []),
  ];
  if (answers.includes('unclear')) return 'unclear';
  return answers.includes('yes') ? 'yes' : 'no';
}

export const updateCalls = ['forgetFirmwareUpdates', 'recordFirmwareUpdates'];

/** Row 5 of the power table. */
export function servicingCalls(beside: Beside): string[] {
  const { status, host } = beside;
  const isUnfinished = status.operationalStatus === 'servicing' || status.errorType === 'servicing error';
  const isStarting = !status.poweredOn && host.spec.online;
  if (!isUnfinished && !(isStarting && firmwareDiffers(beside, true) === 'yes')) return [];
  // The pass that says so on the host is not the one that begins.
  return status.operationalStatus === 'servicing' ? ['serviceHost', ...updateCalls] : [];
}

/** Row 3. */
export function driveCalls({ host, status, dataImage }: Beside): string[] {
  if (dataImage === undefined || !host.spec.online || status.poweredOn) return [];
  return ['observeDrive', 'attachDataImage', 'detachDataImage', 'recordDataImage'];
}

/** An agent image of its own is only asked for where an agent is going to be booted. */
export function imageCalls({ host, status }: Beside): string[] {
  const { state } = status.provisioning;
  const never =
    ['registering', 'deleting', 'powering off before delete'].includes(state) ||
    (/provisioned$/.test(state) && status.operationalStatus !== 'servicing') ||
    (state === 'deprovisioning' && host.spec.automatedCleaningMode === 'disabled') ||
    (state === 'inspecting' && host.spec.inspectionMode === 'fast');
  return never ? [] : ['askFormats', 'createImage', 'updateImage', 'readNetworkVersion'];
}
