/** RAID, firmware, virtual media and servicing through the back end alone, on a real Ironic. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemClock, SystemRandom } from '../../../src/clock.js';
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

const bed = await Bed.start('set-up');
afterAll(() => bed.stop());
const number = 31;
const clock = new SystemClock();
const { kernel, ramdisk } = bed.agentImage;
const factory = new IronicProvisionerFactory({
  config: ironicConfig(`${bed.url}/v1/`, {
    ...{ authDirectory: bed.authDirectory, timeoutMs: 30_000 },
    ...{ deployKernelURL: kernel, deployRamdiskURL: ramdisk, deployISOURL: '' },
  }),
  clock,
  random: new SystemRandom(),
});
const { address, mac } = bed.machine(number);
let provisionerID = '';

const provisioner = () =>
  factory.forHost(
    hostAccess({
      ...{ name: 'set-up', uid: '6f0d9f1e-2f0b-4d7e-8f53-0c1f4be0a9a7', provisionerID },
      ...{ bmcAddress: address, bootMACAddress: mac },
      credentials: () => Promise.resolve(bed.bmcCredentials),
    }),
    () => undefined,
  );

async function run(operation: (provisioner: Provisioner) => Promise<OperationResult>): Promise<OperationResult> {
  for (let pass = 0; pass < 100; pass++) {
    const result = await operation(await provisioner());
    if (result.kind !== 'inProgress') return result;
    const alive = clock.hold();
    await clock.sleep(Math.max(result.requeueAfterMs, 100));
    alive.cancel();
  }
  throw new Error('no end of it');
}

function settle(operation: (p: Provisioner, unprepared: boolean) => Promise<PrepareResult>): Promise<OperationResult> {
  let unprepared = true;
  return run(async (p) => {
    const { result, started } = await operation(p, unprepared);
    if (started) unprepared = false;
    return result;
  });
}

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

describe('a machine', () => {
  beforeAll(async () => {
    const registered = await run(async (p) => {
      const answer = await p.register(registerData({ bootMode: 'UEFI' }));
      provisionerID = answer.provisionerID || provisionerID;
      return answer.result;
    });
    expect(registered).toEqual(DONE);
    const inspected = await run(async (p) => (await p.inspectHardware(inspectData())).result);
    expect(inspected).toEqual(DONE);
  });
  afterAll(async () => {
    await run((p) => p.delete());
    await factory.close();
  });

  it('gets software RAID and firmware settings in one cleaning', async () => {
    const softwareRAIDVolumes = [{ level: '1' as const, rootVolume: true, sizeGibibytes: 10 }];
    const before = await settings();
    expect(before).toMatchObject({ EmbeddedSata: 'Raid' });
    const firmware = wish({ EmbeddedSata: 'Ahci' }, before);
    const targetRAID = { softwareRAIDVolumes };
    expect(await settle((p, unprepared) => p.prepare(prepareData({ targetRAID, firmware, unprepared })))).toEqual(DONE);
    expect(await settings()).toMatchObject({ EmbeddedSata: 'Ahci' });
    const node = await bed.node(provisionerID);
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
    expect(await run((p) => p.provision(provisionData({ image: bed.image() })))).toEqual(DONE);
    expect(await attached()).toBe(false);
    await (await provisioner()).attachDataImage(bed.image('other.raw').url);
    await eventually('the image is in the drive', attached);
    await (await provisioner()).detachDataImage();
    await eventually('the drive is empty', async () => (await attached()) === false);

    const firmware = wish({ EmbeddedSata: 'Raid' }, await settings());
    expect(await settle((p, unprepared) => p.service(serviceData({ firmware, unprepared })))).toEqual(DONE);
    expect(await settings()).toMatchObject({ EmbeddedSata: 'Raid' });
    expect(await bed.node(provisionerID)).toMatchObject({ provision_state: 'active', maintenance: false });
  });

  it('gets over a servicing that its BMC refuses, by giving up', async () => {
    const firmware = wish({ NoSuchSetting: 1 }, {});
    const refused = await settle((p, unprepared) => p.service(serviceData({ firmware, unprepared })));
    expect(refused.kind).toBe('failed');
    const given = await settle((p, unprepared) => p.service(serviceData({ hasFirmwareSpec: false, unprepared })));
    expect(given).toEqual(DONE);
    expect(await bed.node(provisionerID)).toMatchObject({ provision_state: 'active', maintenance: false });
  });
});
