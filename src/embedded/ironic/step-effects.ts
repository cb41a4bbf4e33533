import { applySettings, refusedSettings, resetSettings } from './bios-settings.js';
import { isObject, plainText, pythonText, type Json, type JsonObject } from './json.js';
import type { NodeRecord, Step } from './node-record.js';

/** Steps that a machine can do, by interface; whether an abort may cut them short. */
const knownSteps: Readonly<Record<string, Readonly<Record<string, { abortable: boolean }>>>> = {
  deploy: {
    erase_devices: { abortable: true },
    erase_devices_metadata: { abortable: true },
    erase_devices_express: { abortable: true },
    burnin_cpu: { abortable: true },
    burnin_disk: { abortable: true },
    burnin_memory: { abortable: true },
    burnin_network: { abortable: true },
  },
  raid: {
    apply_configuration: { abortable: false },
    create_configuration: { abortable: true },
    delete_configuration: { abortable: true },
  },
  bios: { apply_configuration: { abortable: false }, factory_reset: { abortable: false } },
  firmware: { update: { abortable: false } },
  management: {
    clear_job_queue: { abortable: false },
    known_good_state: { abortable: false },
    reset_idrac: { abortable: false },
    update_firmware: { abortable: false },
    set_bmc_clock: { abortable: false },
  },
  power: { reboot: { abortable: false }, power_on: { abortable: false }, power_off: { abortable: false } },
  vendor: { send_raw: { abortable: false } },
};

function stepModel(step: Step): { abortable: boolean } | undefined {
  const steps = knownSteps[step.interface] ?? {};
  return Object.hasOwn(steps, step.step) ? steps[step.step] : undefined;
}

/** A manual or service step as the node shows it while it runs. */
export function shownStep(step: Step): JsonObject {
  return { ...step, abortable: stepModel(step)?.abortable ?? false, priority: 0 };
}

/** What automated cleaning shows. */
export const automatedCleanStep: JsonObject = {
  step: 'erase_devices_metadata',
  priority: 10,
  interface: 'deploy',
  reboot_requested: false,
  abortable: true,
  requires_ramdisk: true,
};

export const deployStep: JsonObject = {
  step: 'deploy',
  priority: 100,
  abortable: true,
  argsinfo: null,
  interface: 'deploy',
};

/** The first step that this machine does not have, or null. */
export function unknownStep(node: NodeRecord, steps: readonly Step[]): Step | null {
  return steps.find((step) => !stepModel(step) || lacksInterface(node, step)) ?? null;
}

function lacksInterface(node: NodeRecord, step: Step): boolean {
  return node.fields[`${step.interface}_interface`] === `no-${step.interface}`;
}

/** Why a step cannot be done with its arguments, or null. */
export function refusedStep(node: NodeRecord, steps: readonly Step[]): string | null {
  for (const step of steps) {
    const refusal = refusalOf(node, step);
    if (refusal !== null) return refusal;
  }
  return null;
}

function refusalOf(node: NodeRecord, step: Step): string | null {
  switch (`${step.interface}.${step.step}`) {
    case 'bios.apply_configuration':
      return refusedSettings(node, step);
    case 'raid.apply_configuration':
      return refusedRaid(step);
    case 'firmware.update':
      return refusedFirmware(node, step);
    default:
      return null;
  }
}

function refusedRaid(step: Step): string | null {
  const args = step['args'] as { raid_config?: { logical_disks?: Json } } | undefined;
  const disks = args?.raid_config?.logical_disks;
  if (Array.isArray(disks) && disks.length > 0) return null;
  return `RAID config validation error: ${pythonText(disks)} should be non-empty`;
}

/** Does what the steps say to the machine behind the node. */
export function applySteps(node: NodeRecord, steps: readonly Step[], now: string): void {
  for (const step of steps) effects[`${step.interface}.${step.step}`]?.(node, step, now);
}

const effects: Readonly<Record<string, (node: NodeRecord, step: Step, now: string) => void>> = {
  'bios.apply_configuration': applySettings,
  'bios.factory_reset': (node, _step, now) => resetSettings(node, now),
  'firmware.update': updateFirmware,
  'raid.delete_configuration': (node, _step, now) => {
    node.fields.raid_config = { logical_disks: [], last_updated: raidTime(now) };
  },
  'raid.create_configuration': (node, _step, now) => {
    const disks = node.fields.target_raid_config['logical_disks'] ?? [];
    node.fields.raid_config = { logical_disks: structuredClone(disks), last_updated: raidTime(now) };
  },
  'raid.apply_configuration': (node, step, now) => {
    const args = step['args'] as { raid_config: JsonObject };
    const disks = args.raid_config['logical_disks'] ?? [];
    node.fields.target_raid_config = { logical_disks: structuredClone(disks) };
    node.fields.raid_config = { logical_disks: structuredClone(disks), last_updated: raidTime(now) };
  },
};

const raidTime = (stamp: string) => stamp.replace('T', ' ').replace('+00:00', '');

/** What firmware a machine has, read once. */
export function discoverFirmware(node: NodeRecord, versions: { bios: string; bmc: string }, now: string): void {
  const how = node.fields.firmware_interface;
  if (how === 'no-firmware' || how === 'fake' || node.firmware.length > 0) return;
  const component = (name: string, version: string) => ({
    created_at: now,
    updated_at: null,
    component: name,
    initial_version: version,
    current_version: version,
    last_version_flashed: null,
  });
  node.firmware = [component('bios', versions.bios), component('bmc', versions.bmc), component('nic:slot1', '22.31.6')];
}

function wantedFirmware(step: Step): { component: string; url: string }[] {
  const args = step['args'] as { settings?: { component?: Json; url?: Json }[] } | undefined;
  const list = Array.isArray(args?.settings) ? args.settings.filter(isObject) : [];
  return list.map(({ component, url }) => ({ component: plainText(component), url: plainText(url) }));
}

function refusedFirmware(node: NodeRecord, step: Step): string | null {
  const unknown = wantedFirmware(step).find(
    ({ component }) => !node.firmware.some((present) => present.component === component),
  );
  return unknown ? `Unable to find the firmware component ${unknown.component} on node ${node.fields.uuid}` : null;
}

function updateFirmware(node: NodeRecord, step: Step, now: string): void {
  for (const { component, url } of wantedFirmware(step)) {
    const present = node.firmware.find((candidate) => candidate.component === component);
    if (!present) continue;
    const version = versionIn(url, present.current_version);
    present.current_version = version;
    present.last_version_flashed = version;
    present.updated_at = now;
  }
}

/** The version that a file's name tells; without one, the next patch level. */
function versionIn(url: string, current: string): string {
  const file = url.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  const named = file.match(/\d+(?:\.\d+)+/)?.[0];
  return named ?? current.replace(/\d+$/, (digits) => String(Number(digits) + 1).padStart(digits.length, '0'));
}
