/** What goes wrong with a machine, as the real Ironic tells it, and how the operator gets over it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BareMetalHost } from '../../../src/apis/index.js';
import { Bed } from './bed.js';
import { BedPlant } from './bed-plant.js';
import { BmcLine } from './bmc-line.js';
import { sideBySide } from './side-by-side.js';

const bed = await Bed.start('failures');
afterAll(() => bed.stop());
const machines = {
  stranger: 41,
  away: 42,
  burning: 43,
  garbled: 44,
  blind: 45,
  dirty: 46,
  locked: 47,
  lost: 48,
} as const;
type Name = keyof typeof machines;
const names = Object.keys(machines) as Name[];
const patience = 300_000;

describe('failures on a real Ironic', () => {
  let plant: BedPlant;
  let line: BmcLine;
  let slow: BmcLine;
  let told: (name: Name) => Promise<void>;

  const retry = (name: Name) => plant.annotate(name, { 'ironchart.io/retry': '' });
  const noImage = { image: undefined };

  const stories: Record<Name, () => Promise<void>> = {
    stranger: async () => {
      await plant.add('stranger', machines.stranger, noImage, 'wrong');
      await plant.fails('stranger', 'registration error');
      await plant.putSecret('stranger-bmc', bed.bmcCredentials);
      await plant.reaches('stranger', 'available');
    },
    away: async () => {
      const address = line.addressOf(bed, machines.away);
      await line.cut();
      await plant.add('away', machines.away, { ...noImage, bmc: { address, credentialsName: 'away-bmc' } });
      await plant.fails('away', 'registration error');
      await line.mend();
      await retry('away');
      await plant.reaches('away', 'available');
    },
    burning: async () => {
      await bed.steer(machines.burning, { failSteps: { write_image: 'the disk is on fire' } });
      await plant.add('burning', machines.burning);
      await plant.fails('burning', 'provisioning error');
      await bed.restore(machines.burning);
      await plant.settled('burning');
    },
    garbled: async () => {
      const image = { ...bed.image(), checksum: '0'.repeat(64) };
      await plant.add('garbled', machines.garbled, { image });
      await plant.fails('garbled', 'provisioning error');
      await plant.change('garbled', { spec: { image: bed.image() } });
      await plant.settled('garbled');
    },
    blind: async () => {
      await bed.steer(machines.blind, { failInspection: 'no disk controller answers' });
      await plant.add('blind', machines.blind, noImage);
      await plant.fails('blind', 'inspection error');
      await bed.restore(machines.blind);
      await retry('blind');
      await plant.reaches('blind', 'available');
    },
    dirty: async () => {
      await plant.add('dirty', machines.dirty);
      await plant.settled('dirty');
      await bed.steer(machines.dirty, { failSteps: { erase_devices_metadata: 'a platter is stuck' } });
      await plant.change('dirty', { spec: { image: null } });
      await plant.until('dirty', 'an error', ({ status }) => (status?.errorType ?? '') !== '');
      await bed.restore(machines.dirty);
      await plant.reaches('dirty', 'available');
    },
    locked: async () => {
      const bmc = { address: slow.addressOf(bed, machines.locked), credentialsName: 'locked-bmc' };
      await plant.add('locked', machines.locked, { bmc });
      await plant.settled('locked');
      // Somebody else's command, which Ironic is at for as long as the BMC does not answer.
      slow.hold();
      const asked = await bed.request('PUT', '/v1/nodes/default~locked/states/power', { target: 'power on' });
      expect(asked.status).toBe(202);
      await plant.change('locked', { spec: { online: false } });
      await plant.refused();
      slow.release();
      await plant.until('locked', 'off', ({ status }) => status?.poweredOn === false);
    },
    lost: async () => {
      await bed.steer(machines.lost, { noBoot: true });
      await plant.add('lost', machines.lost, noImage);
      await plant.nodeReaches('lost', 'inspect wait');
      await plant.clear('lost');
    },
  };

  beforeAll(async () => {
    plant = await BedPlant.start(bed, { patienceMs: 180_000 });
    line = await BmcLine.open(bed);
    slow = await BmcLine.open(bed);
    told = sideBySide(stories);
  });
  afterAll(async () => {
    try {
      await plant.clear(...names.filter((name) => name !== 'lost'));
    } finally {
      await plant.stop();
      await line.cut();
      await slow.cut();
    }
  }, 200_000);

  /** Each failure that the host showed, in order: type and message. */
  function failuresOf(name: Name): string[] {
    const shown = plant.versions(name).map(({ status }) => `${status?.errorType ?? ''}: ${status?.errorMessage ?? ''}`);
    return shown.filter((one, index) => one !== ': ' && one !== shown[index - 1]);
  }

  const standing = ({ status }: BareMetalHost) => ({
    errorCount: status?.errorCount,
    errorType: status?.errorType,
    operationalStatus: status?.operationalStatus,
  });
  const well = { errorCount: 0, errorType: undefined, operationalStatus: 'OK' };

  it(
    'a wrong BMC password is told once, and forgiven when the Secret is put right',
    async () => {
      await told('stranger');
      expect(failuresOf('stranger')).toEqual([
        expect.stringMatching(/^registration error: [^]*(401|[Uu]nauthorized|access)/),
      ]);
      expect(standing(plant.host('stranger'))).toEqual(well);
    },
    patience,
  );

  it(
    'a BMC that is off the network is waited for until Ironic gives up, and found again when a person says so',
    async () => {
      await told('away');
      expect(failuresOf('away')).toEqual([expect.stringMatching(/^registration error: [^]*127\.0\.0\.1/)]);
      expect(standing(plant.host('away'))).toEqual(well);
    },
    patience,
  );

  it(
    'a deployment that fails is tried again by itself, and the image is written once',
    async () => {
      await told('burning');
      expect(failuresOf('burning')).toEqual([
        expect.stringMatching(/^provisioning error: [^]*Ironic has kept no reason/),
      ]);
      const { history, writes } = await bed.agent(machines.burning);
      expect(history.filter(({ step }) => step === 'write_image')).toHaveLength(2);
      expect(writes).toHaveLength(1);
      expect(standing(plant.host('burning'))).toEqual(well);
    },
    patience,
  );

  it(
    'an image with another checksum is not booted, and deployed when the checksum is put right',
    async () => {
      await told('garbled');
      expect(failuresOf('garbled')).toEqual([
        expect.stringMatching(/^provisioning error: [^]*Ironic has kept no reason/),
      ]);
      const { writes, boots } = await bed.agent(machines.garbled);
      expect(writes).toHaveLength(1);
      expect(boots.filter((boot) => boot === 'disk')).toHaveLength(1);
    },
    patience,
  );

  it(
    'an inspection that fails is told in the words of the ramdisk, and repeated',
    async () => {
      await told('blind');
      expect(failuresOf('blind')).toEqual([expect.stringMatching(/^inspection error: [^]*no disk controller answers/)]);
      expect(plant.host('blind').status?.hardware?.ramMebibytes).toBe(32_768);
      expect(standing(plant.host('blind'))).toEqual(well);
    },
    patience,
  );

  it(
    'a cleaning that fails puts the node into maintenance, and out of it by the retry',
    async () => {
      await told('dirty');
      expect(failuresOf('dirty')).toEqual([expect.stringMatching(/^provisioning error: [^]*a platter is stuck/)]);
      expect(await plant.node('dirty')).toMatchObject({
        provision_state: 'available',
        maintenance: false,
        fault: null,
      });
      expect(await bed.agent(machines.dirty)).toMatchObject({ disk: null });
    },
    patience,
  );

  it(
    'a node that is locked by another command is asked again, and its host shows no failure',
    async () => {
      await told('locked');
      expect(failuresOf('locked')).toEqual([]);
      expect(await bed.agent(machines.locked)).toMatchObject({ power: 'Off', writes: [{}] });
    },
    patience,
  );

  it(
    'a host whose agent never comes up can be deleted at once',
    async () => {
      await told('lost');
      expect(await plant.node('lost')).toBeUndefined();
      expect(await bed.agent(machines.lost)).toMatchObject({ power: 'Off' });
    },
    patience,
  );
});
