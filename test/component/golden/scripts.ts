/** Lives of hosts, each a script of what persons do; what a client sees of it stands in `sequences`. */
import { annotations } from '../../../src/apis/index.js';
import type { FaultsInput } from '../../../src/embedded/ironic/index.js';
import { eventually } from '../../support/eventually.js';
import type { HostWish, TestPlant } from '../../support/plant.js';

export interface Script {
  readonly wish?: HostWish;
  readonly act: (plant: TestPlant, name: string) => Promise<unknown>;
  /** An event, and how often it is there at the end: they are written in the background. */
  readonly last: readonly [reason: string, times?: number];
}

const settled = (plant: TestPlant, name: string) => plant.settled(name);
const off = (plant: TestPlant, name: string) => plant.until(name, 'off', ({ status }) => status?.poweredOn === false);
const reaches = (state: string) => (plant: TestPlant, name: string) =>
  plant.until(name, state, ({ status }) => status?.provisioning.state === state);
const on = (state: string) => (plant: TestPlant, name: string) =>
  plant.until(name, `${state}, on`, ({ status }) => status?.provisioning.state === state && status.poweredOn === true);

/** Deleted in a state, once `isThere` too: what comes next must be long in coming, so that every run sees the same. */
const deletedIn = (
  state: string,
  { wish = {}, last, isThere = () => true, before }: Partial<Deletion> & Pick<Deletion, 'last'>,
): Script => ({
  wish,
  last,
  act: async (plant, name) => {
    await before?.(plant, name);
    await reaches(state)(plant, name);
    await eventually(`${name} is there`, () => isThere(plant, name));
    await plant.remove(name);
    await plant.gone(name);
  },
});

interface Deletion {
  readonly wish: HostWish;
  readonly last: Script['last'];
  readonly isThere: (plant: TestPlant, name: string) => boolean;
  /** What brings the host there. */
  readonly before: (plant: TestPlant, name: string) => Promise<unknown>;
}

const nodeIs = (state: string) => (plant: TestPlant, name: string) => plant.node(name)?.provision_state === state;
const isOn = (plant: TestPlant, name: string) => plant.host(name).status?.poweredOn === true;

const reboot = (value: string): Script => ({
  last: ['PowerOn'],
  act: async (plant, name) => {
    await settled(plant, name);
    await plant.annotate(name, { [annotations.reboot]: value });
    await off(plant, name);
    await settled(plant, name);
  },
});

export const faults: FaultsInput = {
  rules: [
    { match: { name: 'failing-image' }, fail: { step: 'deploy', times: 1, text: 'the disk is slow' } },
    { match: { name: 'failing-inspection' }, fail: { step: 'inspect', times: 1, text: 'no disks found' } },
    { match: { name: 'dead-image' }, fail: { step: 'deploy', always: true, text: 'the disk is dead' } },
    { match: { name: 'credentials-mended' }, credentials: { username: 'admin', password: 'second' } },
    // Deleted in a state that would pass by itself: a busy machine may take its time to get to the deletion. Where Ironic lets
    // itself be interrupted, that is the end of the state; the others have to end.
    { match: { name: 'deleted-registering' }, slow: { state: 'verifying', factor: 60 } },
    { match: { name: 'deleted-inspecting' }, slow: { state: 'inspect wait', factor: 10_000 } },
    { match: { name: 'deleted-preparing' }, slow: { state: 'clean wait', factor: 10_000 } },
    { match: { name: 'deleted-provisioning' }, slow: { state: 'wait call-back', factor: 10_000 } },
    { match: { name: 'deleted-deprovisioning' }, slow: { state: 'clean wait', factor: 60 } },
  ],
};

const withoutImage = { spec: { image: undefined } };

export const scripts: Readonly<Record<string, Script>> = {
  happy: { act: settled, last: ['ProvisioningComplete'] },
  'live-iso': {
    wish: {
      spec: {
        image: { url: 'http://images.example.com/rescue.iso', format: 'live-iso' },
        bmc: {
          address: 'redfish-virtualmedia://192.0.2.250/redfish/v1/Systems/1',
          credentialsName: 'live-iso-bmc',
        },
      },
    },
    act: settled,
    last: ['ProvisioningComplete'],
  },
  'custom-deploy': {
    wish: { spec: { image: undefined, customDeploy: { method: 'install_it' } } },
    act: settled,
    last: ['ProvisioningComplete'],
  },
  'failing-image': { act: settled, last: ['ProvisioningComplete'] },
  // As many tries as the limit says, and then it is left alone.
  'dead-image': {
    last: ['ProvisioningError', 3],
    act: (plant, name) =>
      plant.until(name, 'given up', ({ status }) => {
        const { provisioning, errorType, provisioningFailCount } = status ?? {};
        return provisioning?.state === 'available' && errorType === 'provisioning error' && provisioningFailCount === 2;
      }),
  },
  'failing-inspection': { act: settled, last: ['ProvisioningComplete'] },
  'inspection-again': {
    wish: withoutImage,
    last: ['PowerOn', 2],
    act: async (plant, name) => {
      await on('available')(plant, name);
      await plant.annotate(name, { [annotations.inspect]: '' });
      await reaches('inspecting')(plant, name);
      await off(plant, name);
      await on('available')(plant, name);
    },
  },
  'reboot-soft': reboot(''),
  'reboot-hard': reboot('{"mode":"hard"}'),
  'reboot-suffixed': {
    last: ['PowerOn'],
    act: async (plant, name) => {
      const mine = `${annotations.reboot}/me`;
      await settled(plant, name);
      await plant.annotate(name, { [mine]: '' });
      await off(plant, name);
      await plant.annotate(name, { [mine]: null });
      await settled(plant, name);
    },
  },
  'detach-and-attach': {
    last: ['Registered', 2],
    act: async (plant, name) => {
      await settled(plant, name);
      await plant.annotate(name, { [annotations.detached]: '' });
      await plant.until(name, 'detached', ({ status }) => status?.operationalStatus === 'detached');
      await plant.annotate(name, { [annotations.detached]: null });
      await settled(plant, name);
      await eventually('adopted', () => plant.node(name)?.provision_state === 'active');
    },
  },
  'externally-provisioned': {
    wish: { spec: { image: undefined, externallyProvisioned: true } },
    act: on('externally provisioned'),
    last: ['PowerOn'],
  },
  // What moves hosts to another cluster pauses them, and carries their status in an annotation.
  pivot: {
    last: ['Registered', 2],
    act: async (plant, name) => {
      await settled(plant, name);
      await eventually('at rest', () => plant.node(name)?.provision_state === 'active');
      await plant.annotate(name, { [annotations.paused]: '' });
      const { status } = plant.host(name);
      await plant.change(name, { metadata: { annotations: { [annotations.status]: JSON.stringify(status) } } });
      await plant.change(name, { status: null }, 'status');
      plant.ironic.emptyDatabase();
      await plant.annotate(name, { [annotations.paused]: null });
      await settled(plant, name);
      await eventually('adopted', () => plant.node(name)?.provision_state === 'active');
    },
  },
  'credentials-mended': {
    wish: { ...withoutImage, password: 'first' },
    last: ['PowerOn'],
    act: async (plant, name) => {
      await plant.fails(name, 'registration error');
      await plant.putSecret(`${name}-bmc`, { username: 'admin', password: 'second' });
      await on('available')(plant, name);
    },
  },
  'credentials-rotated': {
    last: ['BMCAccessValidated', 2],
    act: async (plant, name) => {
      await settled(plant, name);
      const before = plant.host(name).status?.goodCredentials?.credentialsVersion;
      await plant.putSecret(`${name}-bmc`, { username: 'admin', password: 'rotated' });
      await plant.until(name, 'rotated', ({ status }) => status?.goodCredentials?.credentialsVersion !== before);
      await settled(plant, name);
    },
  },
  'deleted-unmanaged': deletedIn('unmanaged', {
    wish: { spec: { image: undefined, bmc: undefined } },
    last: ['Discovered'],
  }),
  'deleted-registering': deletedIn('registering', { last: ['Registered'], isThere: nodeIs('verifying') }),
  'deleted-inspecting': deletedIn('inspecting', { last: ['InspectionStarted'], isThere: nodeIs('inspect wait') }),
  'deleted-preparing': deletedIn('preparing', {
    wish: { spec: { raid: { softwareRAIDVolumes: [{ level: '1' }] } } },
    last: ['InspectionComplete'],
    isThere: nodeIs('clean wait'),
  }),
  'deleted-available': deletedIn('available', { wish: withoutImage, last: ['PowerOff'], isThere: isOn }),
  'deleted-provisioning': deletedIn('provisioning', {
    last: ['DeprovisioningComplete'],
    isThere: nodeIs('wait call-back'),
  }),
  'deleted-provisioned': deletedIn('provisioned', { last: ['DeprovisioningComplete'], isThere: isOn }),
  'deleted-deprovisioning': deletedIn('deprovisioning', {
    last: ['DeprovisioningComplete'],
    isThere: nodeIs('clean wait'),
    before: async (plant, name) => {
      await settled(plant, name);
      await plant.change(name, { spec: { image: null } });
    },
  }),
  'deleted-externally-provisioned': deletedIn('externally provisioned', {
    wish: { spec: { image: undefined, externallyProvisioned: true } },
    last: ['PowerOff'],
    isThere: isOn,
  }),
  'deleted-detached': deletedIn('provisioned', {
    last: ['ProvisioningComplete'],
    isThere: (plant, name) => plant.host(name).status?.operationalStatus === 'detached',
    before: async (plant, name) => {
      await settled(plant, name);
      await plant.annotate(name, { [annotations.detached]: '' });
    },
  }),
  'deleted-at-once': { last: [''], act: (plant, name) => plant.remove(name).then(() => plant.gone(name)) },
};
