/** The whole operator on a real Ironic: hosts of Redfish BMCs with virtual media, through everything that a good life has. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hardwareDataKind } from '../../../src/controllers/host/index.js';
import { Bed } from './bed.js';
import { BedPlant } from './bed-plant.js';

const bed = await Bed.start('lifecycle');
afterAll(() => bed.stop());
const machines = { plain: 33, reimaged: 34, rebooted: 35, stripped: 36, detached: 37, offline: 38 } as const;
const names = Object.keys(machines) as (keyof typeof machines)[];

/** What the machine's agent was told to do, without the questions. */
async function stepsOf(number: number): Promise<string[]> {
  const { history } = await bed.agent(number);
  return history.flatMap(({ step }) => (step === undefined ? [] : [step]));
}

describe('the whole operator on a real Ironic', () => {
  let plant: BedPlant;
  beforeAll(async () => {
    plant = await BedPlant.start(bed);
    await plant.putSecret('plain-user-data', { userData: '#cloud-config\nhostname: plain\n' });
    await plant.add('plain', machines.plain, { userData: { name: 'plain-user-data' } });
    for (const name of names.slice(1)) await plant.add(name, machines[name]);
    await Promise.all(names.map((name) => plant.settled(name)));
  }, 180_000);
  afterAll(() => plant.stop());

  it('takes each host through registration, inspection, cleaning and deployment, without an error', () => {
    for (const name of names) {
      expect([name, ...plant.states(name)]).toEqual([
        name,
        ...['', 'registering', 'inspecting', 'preparing', 'available', 'provisioning', 'provisioned'],
      ]);
      expect(plant.versions(name).filter(({ status }) => status?.errorType !== undefined)).toEqual([]);
    }
  });

  it('cleans each machine once and writes its image once, with the checksum that was asked for', async () => {
    const { url, checksum } = bed.image();
    for (const name of names) {
      expect([name, ...(await stepsOf(machines[name]))]).toEqual([name, 'erase_devices_metadata', 'write_image']);
      const { writes, running, power } = await bed.agent(machines[name]);
      expect({ writes, running, power }).toMatchObject({
        writes: [{ image: url, checksum }],
        running: 'disk',
        power: 'On',
      });
    }
  });

  it('hands the user data to the machine, and none where there is none', async () => {
    const drive = async (name: keyof typeof machines) => JSON.stringify((await bed.agent(machines[name])).disk);
    expect(await drive('plain')).toContain('"configDrive":"');
    expect(JSON.stringify(await plant.node('plain'))).not.toContain('hostname: plain');
    expect(JSON.parse(await drive('plain')).configDrive).not.toBe(JSON.parse(await drive('reimaged')).configDrive);
  });

  it('shows the hardware that the agent found', async () => {
    const hardware = plant.host('plain').status?.hardware;
    expect(hardware).toMatchObject({
      hostname: 'machine-33',
      ramMebibytes: 32_768,
      cpu: { arch: 'x86_64', count: 8, clockMegahertz: 2400 },
      systemVendor: { manufacturer: 'Test Machines', productName: 'Model T' },
      firmware: { bios: { vendor: 'Test BIOS', version: '1.2.3', date: '01/02/2026' } },
    });
    expect(hardware?.storage?.map(({ name, sizeBytes, type }) => [name, sizeBytes, type])).toEqual([
      ['/dev/disk/by-path/pci-0000:00:06.0-scsi-0:0:0:0', 100 * 2 ** 30, 'SSD'],
      ['/dev/disk/by-path/pci-0000:00:06.0-scsi-0:0:1:0', 2048 * 2 ** 30, 'HDD'],
    ]);
    expect(hardware?.nics?.map(({ mac, ip }) => [mac, ip])).toEqual([
      ['52:54:00:00:21:00', '192.0.2.34'],
      ['52:54:00:00:21:01', ''],
    ]);
    const data = await plant.api.get(hardwareDataKind, { namespace: plant.namespace, name: 'plain' });
    expect(data).toMatchObject({ spec: { hardware } });
  });

  it('tells the events of that life once each', async () => {
    expect(await plant.reasons('plain', 'ProvisioningComplete')).toEqual([
      'Registered',
      'ProfileSet',
      'BMCAccessValidated',
      'InspectionStarted',
      'InspectionComplete',
      'ProvisioningStarted',
      'ProvisioningComplete',
    ]);
  });

  describe('then', () => {
    const other = bed.image('other.raw');
    const changes = {
      reimaged: async () => {
        await plant.change('reimaged', { spec: { image: other } });
        await plant.has('reimaged', other);
      },
      rebooted: async () => {
        await plant.annotate('rebooted', { 'reboot.metal3.io': '' });
        await plant.until('rebooted', 'off', ({ status }) => status?.poweredOn === false);
        await plant.settled('rebooted');
      },
      offline: async () => {
        await plant.change('offline', { spec: { online: false } });
        await plant.until('offline', 'off', ({ status }) => status?.poweredOn === false);
      },
      stripped: async () => {
        await plant.change('stripped', { spec: { image: null } });
        await plant.until(
          'stripped',
          'deprovisioning',
          ({ status }) => status?.provisioning.state === 'deprovisioning',
        );
        await plant.reaches('stripped', 'available');
      },
      detached: async () => {
        await plant.annotate('detached', { 'baremetalhost.metal3.io/detached': '' });
        await plant.until('detached', 'detached', ({ status }) => status?.operationalStatus === 'detached');
        expect(await plant.node('detached')).toBeUndefined();
        await plant.annotate('detached', { 'baremetalhost.metal3.io/detached': null });
        await plant.settled('detached');
        await plant.nodeReaches('detached', 'active');
      },
    };
    beforeAll(() => Promise.all(Object.values(changes).map((change) => change())), 180_000);

    it('a new image is written over a disk that was cleaned', async () => {
      const { writes, running } = await bed.agent(machines.reimaged);
      expect(writes.map(({ image, checksum }) => [image, checksum])).toEqual([
        [bed.image().url, bed.image().checksum],
        [other.url, other.checksum],
      ]);
      expect(running).toBe('disk');
      const once = ['erase_devices_metadata', 'write_image'];
      expect(await stepsOf(machines.reimaged)).toEqual([...once, ...once]);
    });

    it('a reboot is one more boot from the disk, and nothing else', async () => {
      const { boots, writes } = await bed.agent(machines.rebooted);
      expect(boots.slice(-2)).toEqual(['disk', 'disk']);
      expect(writes).toHaveLength(1);
      expect(plant.host('rebooted').metadata.annotations ?? {}).not.toHaveProperty(['reboot.metal3.io']);
    });

    it('a host that is to be offline is switched off', async () => {
      expect(await bed.agent(machines.offline)).toMatchObject({
        power: 'Off',
        running: 'nothing',
        disk: { image: bed.image().url },
      });
    });

    it('a host without an image any more is cleaned and available', async () => {
      expect(await bed.agent(machines.stripped)).toMatchObject({ disk: null, writes: [{}] });
      expect(await plant.node('stripped')).toMatchObject({ provision_state: 'available', instance_info: {} });
    });

    it('a detached host is let go and adopted again, without a boot', async () => {
      const { boots, writes, power } = await bed.agent(machines.detached);
      expect({ boots, writes, power }).toMatchObject({
        boots: ['agent', 'agent', 'agent', 'disk'],
        writes: [{}],
        power: 'On',
      });
    });

    it('none of it was an error', () => {
      for (const name of names) {
        expect(plant.versions(name).filter(({ status }) => status?.errorType !== undefined)).toEqual([]);
      }
    });
  });

  describe('in the end', () => {
    beforeAll(() => plant.clear(...names), 180_000);

    it('deleted hosts are cleaned, switched off, and unknown to Ironic', async () => {
      for (const name of names) {
        expect([name, await bed.agent(machines[name])]).toMatchObject([name, { disk: null, power: 'Off' }]);
        expect(await plant.node(name)).toBeUndefined();
      }
      expect((await bed.request('GET', '/v1/ports')).body.ports).toEqual([]);
    });
  });
});
