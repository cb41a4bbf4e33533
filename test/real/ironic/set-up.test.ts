/** RAID, firmware, virtual media, servicing and giving up through the back end alone, on a real Ironic. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemClock, SystemRandom } from '../../../src/clock.js';
import { defaultDrivers, type DriverEntry } from '../../../src/hardware/index.js';
import type { FirmwareWish, OperationResult, PrepareResult, Provisioner } from '../../../src/provisioner/index.js';
import { NodeIsBusy } from '../../../src/provisioner/index.js';
import { IronicProvisionerFactory } from '../../../src/provisioner/ironic/index.js';
import {
  DONE,
  hostAccess,
  inspectData,
  ironicConfig,
  prepareData,
  provisionData,
  registerData,
  serviceData,
} from '../../support/ironic-host.js';
import { eventually } from '../../support/eventually.js';
import { Bed } from './bed.js';
import { sideBySide } from './side-by-side.js';

const bed = await Bed.start('set-up');
afterAll(() => bed.stop());
const clock = new SystemClock();
const { kernel, ramdisk } = bed.agentImage;

/** Hosts whose address begins with `plain` have no RAID; `crossed` has the RAID interface of another driver. */
const usual = defaultDrivers().get('redfish-virtualmedia+http')!;
const withRAID = (raid: string): DriverEntry => ({ ...usual, interfaces: { ...usual.interfaces, raid } });
const drivers = defaultDrivers()
  .register('plain+http', withRAID('no-raid'))
  .register('crossed+http', withRAID('idrac-redfish'));

const factory = new IronicProvisionerFactory({
  config: ironicConfig(`${bed.url}/v1/`, {
    ...{ authDirectory: bed.authDirectory, timeoutMs: 30_000 },
    ...{ deployKernelURL: kernel, deployRamdiskURL: ramdisk, deployISOURL: '' },
  }),
  ...{ clock, drivers },
  random: new SystemRandom(),
});
afterAll(() => factory.close());

/** One machine as the operator would lead it, operation by operation. */
class Led {
  id = '';
  readonly #uid = randomUUID();

  constructor(
    readonly number: number,
    readonly name: string,
    readonly type = 'redfish-virtualmedia',
  ) {}

  provisioner(): Promise<Provisioner> {
    const { address, mac } = bed.machine(this.number);
    return factory.forHost(
      hostAccess({
        ...{ name: this.name, uid: this.#uid, provisionerID: this.id },
        ...{ bmcAddress: address.replace('redfish-virtualmedia', this.type), bootMACAddress: mac },
        credentials: () => Promise.resolve(bed.bmcCredentials),
      }),
      () => undefined,
    );
  }

  async run(operation: (provisioner: Provisioner) => Promise<OperationResult>): Promise<OperationResult> {
    for (let pass = 0; pass < 100; pass++) {
      const result = await operation(await this.provisioner());
      if (result.kind !== 'inProgress') return result;
      await this.#rest(Math.max(result.requeueAfterMs, 100));
    }
    throw new Error('no end of it');
  }

  settle(operation: (p: Provisioner, unprepared: boolean) => Promise<PrepareResult>): Promise<OperationResult> {
    let unprepared = true;
    return this.run(async (p) => {
      const { result, started } = await operation(p, unprepared);
      if (started) unprepared = false;
      return result;
    });
  }

  /** Carries on with an operation that is not to end, until the node is in a state. */
  async leadTo(
    state: string,
    operation: (p: Provisioner, unprepared: boolean) => Promise<PrepareResult>,
  ): Promise<void> {
    let unprepared = true;
    for (let pass = 0; pass < 100; pass++) {
      const { result, started } = await operation(await this.provisioner(), unprepared);
      if (started) unprepared = false;
      const seen = (await this.node())?.provision_state;
      if (seen === state) return;
      if (result.kind !== 'inProgress') throw new Error(`${this.name} is ${seen}: ${JSON.stringify(result)}`);
      await this.#rest(500);
    }
    throw new Error(`${this.name} never comes to ${state}`);
  }

  register(state = 'registering'): Promise<OperationResult> {
    return this.run(async (p) => {
      const data = registerData({ bootMode: 'UEFI', automatedCleaningMode: 'disabled', state });
      const answer = await p.register(data);
      this.id = answer.provisionerID || this.id;
      return answer.result;
    });
  }

  node() {
    return bed.node(this.id);
  }

  async #rest(ms: number): Promise<void> {
    const alive = clock.hold();
    await clock.sleep(ms);
    alive.cancel();
  }
}

const number = 31;
const led = new Led(number, 'set-up');
const run = led.run.bind(led);
const settle = led.settle.bind(led);
const provisioner = led.provisioner.bind(led);

const settings = async () => (await (await provisioner()).firmwareSettings(true)).settings;
/** undefined: the drive is just being changed. */
async function attached(): Promise<boolean | undefined> {
  try {
    return await (await provisioner()).dataImageAttached();
  } catch (error) {
    if (error instanceof NodeIsBusy) return undefined;
    throw error;
  }
}

const wish = (
  targetSettings: FirmwareWish['targetSettings'],
  actualSettings: Record<string, string>,
): FirmwareWish => ({
  ...{ targetSettings, actualSettings, targetComponents: [] },
});

const mirrored = { hardwareRAIDVolumes: [{ level: '1' as const, sizeGibibytes: 10 }] };
const preparing = (changes: Parameters<typeof prepareData>[0]) => (p: Provisioner, unprepared: boolean) =>
  p.prepare(prepareData({ ...changes, unprepared }));

const machines = {
  cleaned: new Led(35, 'cleaned'),
  deployed: new Led(36, 'deployed'),
  serviced: new Led(37, 'serviced'),
  repaired: new Led(38, 'repaired'),
  bare: new Led(34, 'bare'),
};
const silent = async (one: Led) => bed.steer(one.number, { noHeartbeat: true });
const refusals: OperationResult[] = [];
const softwareRAIDVolumes = [{ level: '1' as const, sizeGibibytes: 10 }];

/** As a host is whose image Ironic has not written. */
async function inUse(one: Led): Promise<void> {
  await silent(one);
  expect(await one.register('externally provisioned')).toEqual(DONE);
  const data = { state: 'externally provisioned', restartOnFailure: false };
  expect(await one.run((p) => p.adopt(data))).toEqual(DONE);
}

/** Led beside the others, for Ironic takes its time: to where it waits for an agent, or to what it refuses and beyond. */
const stories = {
  cleaned: async () => {
    await silent(machines.cleaned);
    expect(await machines.cleaned.register()).toEqual(DONE);
    await machines.cleaned.leadTo('clean wait', preparing({ targetRAID: { softwareRAIDVolumes } }));
  },
  deployed: async () => {
    await silent(machines.deployed);
    expect(await machines.deployed.register()).toEqual(DONE);
    const image = bed.image();
    const deploying = async (p: Provisioner) => ({
      ...{ result: await p.provision(provisionData({ image })), started: false },
    });
    await machines.deployed.leadTo('wait call-back', deploying);
  },
  serviced: async () => {
    await inUse(machines.serviced);
    // Setting up a BIOS needs no agent; this does.
    const asked = await bed.request('PUT', `/v1/nodes/${machines.serviced.id}/states/provision`, {
      ...{ target: 'service', service_steps: [{ interface: 'deploy', step: 'erase_devices_metadata' }] },
    });
    expect(asked.status).toBe(202);
    await bed.reaches(machines.serviced.id, 'service wait');
  },
  repaired: async () => {
    const { repaired } = machines;
    await inUse(repaired);
    const { settings: actual } = await (await repaired.provisioner()).firmwareSettings(false);
    const firmware = wish({ EmbeddedSata: 'Ahci' }, { ...actual });
    await repaired.leadTo('service wait', (p, unprepared) => p.service(serviceData({ firmware, unprepared })));
    expect(await repaired.node()).toMatchObject({ service_step: { step: 'apply_configuration', abortable: false } });
    expect(await repaired.run((p) => p.detach(true))).toEqual(DONE);
  },
  bare: async () => {
    const { bare } = machines;
    expect(await bare.register()).toEqual(DONE);
    refusals.push(await bare.settle(preparing({ targetRAID: mirrored })));
    expect(await bare.node()).toMatchObject({ provision_state: 'clean failed', raid_interface: 'redfish' });
    expect(await bare.settle(preparing({ restartOnFailure: true }))).toEqual(DONE);
  },
};
type Name = keyof typeof machines;
let told: (name: Name) => Promise<void>;
beforeAll(() => {
  told = sideBySide(stories);
});

describe('a machine', () => {
  beforeAll(async () => {
    const registered = await run(async (p) => {
      const answer = await p.register(registerData({ bootMode: 'UEFI' }));
      led.id = answer.provisionerID || led.id;
      return answer.result;
    });
    expect(registered).toEqual(DONE);
    const inspected = await run(async (p) => (await p.inspectHardware(inspectData())).result);
    expect(inspected).toEqual(DONE);
  });
  afterAll(() => run((p) => p.delete()));

  it('tells the versions of its BIOS and its BMC, as Ironic has read them', async () => {
    const components = await (await provisioner()).firmwareComponents();
    const { body } = await bed.request('GET', `/v1/nodes/${led.id}/firmware`);
    const listed = body.firmware as { component: string; initial_version: string; current_version: string }[];
    const shown = components.map(({ component, initialVersion, currentVersion }) => ({
      ...{ component, initial_version: initialVersion, current_version: currentVersion },
    }));
    expect(shown).toEqual(
      listed.map(({ component, initial_version, current_version }) => ({
        component,
        initial_version,
        current_version,
      })),
    );
    expect(components.map(({ component }) => component)).toEqual(expect.arrayContaining(['bios', 'bmc']));
    for (const { initialVersion } of components) expect(initialVersion).toMatch(/\d/);
  });

  it('gets software RAID and firmware settings in one cleaning', async () => {
    const softwareRAIDVolumes = [{ level: '1' as const, rootVolume: true, sizeGibibytes: 10 }];
    const before = await settings();
    expect(before).toMatchObject({ EmbeddedSata: 'Raid' });
    const firmware = wish({ EmbeddedSata: 'Ahci' }, before);
    const targetRAID = { softwareRAIDVolumes };
    expect(await settle((p, unprepared) => p.prepare(prepareData({ targetRAID, firmware, unprepared })))).toEqual(DONE);
    expect(await settings()).toMatchObject({ EmbeddedSata: 'Ahci' });
    const node = await led.node();
    expect(node).toMatchObject({
      provision_state: 'manageable',
      raid_interface: 'agent',
      target_raid_config: { logical_disks: [{ size_gb: 10, controller: 'software', is_root_volume: true }] },
    });
    const steps = (await bed.agent(number)).history.map(({ step }) => step).filter((step) => step !== undefined);
    expect(steps).toEqual(['delete_configuration', 'erase_devices_metadata', 'create_configuration']);
  });

  it('shows why a cleaning failed, and gets over it', async () => {
    const softwareRAIDVolumes = [{ level: '1' as const, sizeGibibytes: 20 }];
    await bed.steer(number, { failSteps: { create_configuration: 'no such disk' } });
    const prepare = (restartOnFailure: boolean) =>
      settle((p, unprepared) =>
        p.prepare(prepareData({ targetRAID: { softwareRAIDVolumes }, unprepared, restartOnFailure })),
      );
    expect(await prepare(false)).toMatchObject({ kind: 'failed', message: expect.stringContaining('no such disk') });
    await bed.restore(number);
    expect(await prepare(true)).toEqual(DONE);
  });

  it('takes an image into its drive and gives it back, and is serviced in use', async () => {
    const image = bed.image();
    const begun = { imageURL: image.url };
    expect(await run((p) => p.provision(provisionData({ image })))).toEqual({ ...DONE, begun });
    expect(await attached()).toBe(false);
    await (await provisioner()).attachDataImage(bed.image('other.raw').url);
    await eventually('the image is in the drive', attached);
    await (await provisioner()).detachDataImage();
    await eventually('the drive is empty', async () => (await attached()) === false);

    const firmware = wish({ EmbeddedSata: 'Raid' }, await settings());
    expect(await settle((p, unprepared) => p.service(serviceData({ firmware, unprepared })))).toEqual(DONE);
    expect(await settings()).toMatchObject({ EmbeddedSata: 'Raid' });
    expect(await led.node()).toMatchObject({ provision_state: 'active', maintenance: false });
  });

  it('gets over a servicing that its BMC refuses, by giving up', async () => {
    const firmware = wish({ NoSuchSetting: 1 }, {});
    const refused = await settle((p, unprepared) => p.service(serviceData({ firmware, unprepared })));
    expect(refused.kind).toBe('failed');
    const given = await settle((p, unprepared) => p.service(serviceData({ hasFirmwareSpec: false, unprepared })));
    expect(given).toEqual(DONE);
    expect(await led.node()).toMatchObject({ provision_state: 'active', maintenance: false });
  });
});

describe('RAID that a machine cannot have', () => {
  const plain = new Led(32, 'plain', 'plain');
  const crossed = new Led(33, 'crossed', 'crossed');
  afterAll(() => plain.run((p) => p.delete()));

  it('is refused where the driver has none, before anything is cleaned', async () => {
    expect(await plain.register()).toEqual(DONE);
    expect(await plain.settle(preparing({ targetRAID: mirrored }))).toEqual({
      kind: 'failed',
      message: 'the BMC driver does not support RAID',
    });
    expect(await plain.node()).toMatchObject({
      ...{ provision_state: 'manageable', raid_interface: 'no-raid', target_raid_config: {} },
    });
    expect((await bed.agent(plain.number)).boots).toEqual([]);
  });

  it('is refused by Ironic where its interface is of another driver, and no node is left', async () => {
    const refused = await crossed.register();
    expect(refused).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/DracRedfishRAID.* is not supported/),
    });
    expect(await bed.node('myns~crossed')).toBeUndefined();
  });

  it('fails in the words of Ironic where the BMC has no such controller, and is got over by another wish', async () => {
    const { bare } = machines;
    await told('bare');
    expect(refusals).toEqual([
      { kind: 'failed', message: expect.stringMatching(/delete_configuration[^]*Redfish exception/) },
    ]);
    expect(await bare.node()).toMatchObject({ provision_state: 'manageable', maintenance: false });
    expect(await bare.run((p) => p.delete())).toEqual(DONE);
  });
});

describe('a machine whose agent says nothing', () => {
  it.each<[string, Name]>([
    ['clean wait', 'cleaned'],
    ['wait call-back', 'deployed'],
    ['service wait', 'serviced'],
  ])('is let go of from %s by force, and waited for without', async (state, name) => {
    await told(name);
    const one = machines[name];
    expect(await (await one.provisioner()).detach(false)).toMatchObject({ kind: 'inProgress' });
    expect(await one.node()).toMatchObject({ provision_state: state });
    expect(await one.run((p) => p.detach(true))).toEqual(DONE);
    expect(await one.node()).toBeUndefined();
    expect(await bed.node(`myns~${one.name}`)).toBeUndefined();
  });

  it('is let go of by force from a servicing that Ironic does not break off, once its step is over', async () => {
    await told('repaired');
    expect(await bed.node('myns~repaired')).toBeUndefined();
  });
});
