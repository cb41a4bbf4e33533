/** Every state of a host, every state of its node, in every condition, and what somebody may want of the host just then. */
import { accessDetails, defaultDrivers } from '../../src/hardware/index.js';
import { provisionStates } from '../../src/embedded/ironic/state-table.js';
import { stepFacts, type StepFacts } from '../support/chart-step.js';
import { aHost, type HostBuilder, image } from '../support/host-builder.js';
import type { NodeFields } from '../support/still-ironic.js';
import { firmwares } from './surroundings.js';

/** Before there is a node to be looked after; the last one was written by versions of long ago. */
const early = ['', 'unmanaged', 'match profile'] as const;

export const hostStates = [
  ...early,
  ...['registering', 'inspecting', 'preparing', 'available', 'ready', 'provisioning', 'provisioned'],
  ...['externally provisioned', 'deprovisioning', 'powering off before delete', 'deleting'],
] as const;

/** Those that a real Ironic may show beside the ones that the operator ever brings about. */
const foreign = [
  ...['rescue', 'rescuing', 'rescue wait', 'rescue failed', 'unrescuing', 'unrescue failed'],
  ...['deploy hold', 'clean hold', 'service hold', 'rebuild', ''],
];
export const nodeStates: readonly string[] = [...provisionStates, ...foreign];

/** What may be the matter with a node in any state. */
export const conditions: Readonly<Record<string, Partial<NodeFields>>> = {
  plain: {},
  'in maintenance': { maintenance: true },
  'at fault': { maintenance: true, fault: 'power failure' },
  locked: { reservation: 'conductor-1' },
  'with a failed step': { last_error: 'Deploy step deploy.write_image failed: no space' },
  'with a failed power action': { last_error: 'Failed to change power state to power off: time-out' },
  'after an abort': { last_error: 'The operation was aborted by the client' },
  'on its way': { target_provision_state: 'available' },
  off: { power_state: 'power off' },
  'of unknown power': { power_state: null },
};

type Wish = (host: HostBuilder) => HostBuilder;
const detached = 'baremetalhost.metal3.io/detached';

export const wishes: Readonly<Record<string, Wish>> = {
  nothing: (host) => host,
  'its deletion': (host) => host.deleted(),
  'to be detached': (host) => host.annotated({ [detached]: '' }),
  'to be detached by force': (host) => host.annotated({ [detached]: '{"force":true}' }),
  'another image': (host) => host.spec({ image: { ...image, url: 'http://images/other.qcow2' } }),
  'no image': (host) => host.withoutImage(),
  'to be offline': (host) => host.spec({ online: false }),
  'other credentials': (host) => host,
};

const reboot = 'reboot.metal3.io';

/** Not tried in `ready`, which is `available` by another name. */
export const stimuli: Readonly<Record<string, Wish>> = {
  'to be switched on': (host) => host,
  'to be inspected again': (host) => host.annotated({ 'inspect.metal3.io': '' }),
  'never to be off': (host) => host.spec({ disablePowerOff: true }),
  'to be offline, though never to be off': (host) => host.spec({ online: false, disablePowerOff: true }),
  'to be inspected again, though never to be': (host) =>
    host.spec({ inspectionMode: 'disabled' }).annotated({ 'inspect.metal3.io': '' }),
  'to be rebooted': (host) => host.annotated({ [reboot]: '' }),
  'to be rebooted by force': (host) => host.annotated({ [reboot]: '{"force":true}' }),
  'to be rebooted, and never to be off': (host) => host.spec({ disablePowerOff: true }).annotated({ [reboot]: '' }),
};

/** What can be the matter with a node of which the host knows nothing yet. */
const fewConditions = ['plain', 'in maintenance', 'locked'];
/** What matters besides to somebody who wants the power or the inspection of a host changed. */
const stimulatedConditions = [...fewConditions, 'off', 'with a failed power action', 'on its way'];

export interface Cell {
  readonly name: string;
  readonly state: string;
  readonly wish: string;
  readonly facts: StepFacts;
  /** Undefined: Ironic has lost it. */
  readonly node: NodeFields | undefined;
}

const hasImage = new Set(['provisioning', 'provisioned', 'deprovisioning']);

function hostIn(state: string, status: object = {}): HostBuilder {
  const host = hasImage.has(state) ? aHost() : aHost().withoutImage();
  const externally = state === 'externally provisioned' ? host.spec({ externallyProvisioned: true }) : host;
  return externally.spec({ architecture: 'x86_64' }).in(state, { ...status, provisioning: { bootMode: 'UEFI' } });
}

const { address = '' } = stepFacts(aHost()).host.spec.bmc ?? {};
export const bootMAC = '02:00:00:00:00:01';

const access = accessDetails(address, { disableCertificateVerification: false, drivers: defaultDrivers() });
const driverInfo = access.driverInfo({ username: 'admin', password: '***' });

/** As registration and provisioning have left it. */
function nodeIn(provision_state: string, condition: Partial<NodeFields>): NodeFields {
  return {
    ...{ uuid: 'node-1', name: 'default~host', driver: access.driver, automated_clean: true, disable_power_off: false },
    ...{ driver_info: driverInfo, network_data: {} },
    properties: { capabilities: 'boot_mode:uefi', cpu_arch: 'x86_64' },
    instance_info: { image_source: image.url, image_os_hash_algo: 'sha256', image_os_hash_value: image.checksum },
    ...{ instance_uuid: null, inspect_interface: 'agent', deploy_interface: 'direct', boot_interface: 'ipxe' },
    ...{ power_state: 'power on', target_power_state: null, target_provision_state: null, last_error: null },
    ...{ maintenance: false, fault: null, reservation: null },
    ...condition,
    provision_state,
  };
}

const serviced = 'servicing error';
const withFirmware = { firmware: firmwares['everything changed, also while in use']! };

/** Firmware to be changed, for the first time or once more, or no longer. */
const changes: readonly { state: string; wish: string; status: object; around: Partial<StepFacts> }[] = [
  { state: 'preparing', wish: 'other firmware', status: {}, around: withFirmware },
  {
    ...{ state: 'preparing', wish: 'other firmware, once more', around: withFirmware },
    status: { operationalStatus: 'error', errorType: 'preparation error', errorMessage: 'x', errorCount: 1 },
  },
  ...['provisioned', 'externally provisioned'].flatMap((state) => [
    { state, wish: 'other firmware', status: { operationalStatus: 'servicing' }, around: withFirmware },
    {
      ...{ state, wish: 'other firmware, once more', around: withFirmware },
      status: { operationalStatus: 'servicing', errorType: serviced, errorMessage: 'x', errorCount: 1 },
    },
    { state, wish: 'the old firmware', status: { operationalStatus: 'servicing' }, around: {} },
    {
      ...{ state, wish: 'the old firmware, once more', around: {} },
      status: { operationalStatus: 'servicing', errorType: serviced, errorMessage: 'x', errorCount: 1 },
    },
  ]),
];

function* stimulated(): Generator<Omit<Cell, 'name' | 'node'>> {
  for (const state of hostStates.filter((each) => each !== 'ready')) {
    for (const [wish, build] of Object.entries(stimuli)) {
      const status = wish === 'to be switched on' ? { poweredOn: false } : {};
      yield { state, wish, facts: stepFacts(build(hostIn(state, status))) };
    }
  }
}

function* situations(): Generator<Omit<Cell, 'name' | 'node'>> {
  yield* stimulated();
  for (const state of hostStates) {
    for (const [wish, build] of Object.entries(wishes)) {
      const secretVersion = wish === 'other credentials' ? '2' : '1';
      yield { state, wish, facts: stepFacts(build(hostIn(state)), { secretVersion }) };
    }
  }
  for (const { state, wish, status, around } of changes) {
    yield { state, wish, facts: stepFacts(hostIn(state, status), around) };
  }
}

const allConditions = Object.keys(conditions);

function conditionsOf({ state, wish }: Pick<Cell, 'state' | 'wish'>): readonly string[] {
  if ((early as readonly string[]).includes(state)) return fewConditions;
  return Object.hasOwn(stimuli, wish) ? stimulatedConditions : allConditions;
}

export function* cells(): Generator<Cell> {
  for (const known of situations()) {
    const about = `${known.state}; wanted: ${known.wish}`;
    yield { ...known, name: `${about}; node lost`, node: undefined };
    for (const nodeState of nodeStates) {
      for (const [condition, fields] of Object.entries(conditions)) {
        if (!conditionsOf(known).includes(condition)) continue;
        // As registration has left it.
        const setting = { disable_power_off: known.wish.includes('never to be off') };
        const node = nodeIn(nodeState, { ...setting, ...fields });
        yield { ...known, name: `${about}; node ${nodeState}, ${condition}`, node };
      }
    }
  }
}
