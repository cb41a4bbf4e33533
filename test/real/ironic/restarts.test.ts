/** Ironic that ends in the middle of its work, and one that has forgotten everything. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Bed } from './bed.js';
import { BedPlant } from './bed-plant.js';

const bed = await Bed.start('restarts');
afterAll(() => bed.stop());
const machines = { calm: 51, writing: 52, starting: 53 } as const;
type Name = keyof typeof machines;
const names = Object.keys(machines) as Name[];

describe('Ironic that goes', () => {
  let plant: BedPlant;
  beforeAll(async () => {
    plant = await BedPlant.start(bed);
    await plant.add('calm', machines.calm);
    for (const name of ['writing', 'starting'] as const) await plant.add(name, machines[name], { image: undefined });
    await plant.settled('calm');
    for (const name of ['writing', 'starting']) await plant.reaches(name, 'available');
  }, 180_000);
  afterAll(async () => {
    try {
      await plant.clear(...names);
    } finally {
      await plant.stop();
    }
  }, 150_000);

  const failuresOf = (name: Name) =>
    plant.versions(name).flatMap(({ status }) => (status?.errorType === undefined ? [] : [status.errorMessage]));

  describe('and comes back in the middle of deployments', () => {
    beforeAll(async () => {
      await bed.steer(machines.writing, { stepDelays: { write_image: 20 } });
      await plant.change('writing', { spec: { image: bed.image() } });
      await bed.agentIs(machines.writing, 'at write_image', ({ history }) => history.at(-1)?.step === 'write_image');
      await plant.nodeReaches('writing', 'wait call-back');
      await plant.change('starting', { spec: { image: bed.image() } });
      await plant.nodeReaches('starting', 'deploying');
      await bed.halt('ironic');
      await plant.until('writing', 'that it waits', ({ status }) => /Ironic/.test(status?.lifecycle?.waitsFor ?? ''));
      await bed.resumeIronic();
      await plant.settled('writing');
      await plant.until('starting', 'a failure', ({ status }) => status?.errorType === 'provisioning error');
      await plant.annotate('starting', { 'ironchart.io/retry': '' });
      await plant.settled('starting');
    }, 240_000);

    it('an image that is being written is written on, once, and no failure is shown', async () => {
      const { writes, history } = await bed.agent(machines.writing);
      expect(writes).toHaveLength(1);
      expect(history.filter(({ step }) => step === 'write_image')).toHaveLength(1);
      expect(failuresOf('writing')).toEqual([]);
    });

    it('a deployment that had hardly begun is given up by Ironic, and done anew', async () => {
      const { writes, running } = await bed.agent(machines.starting);
      expect([writes.length, running]).toEqual([1, 'disk']);
      expect(plant.host('starting').status).toMatchObject({ errorCount: 0, operationalStatus: 'OK' });
    });

    it('what was at rest has not noticed', async () => {
      expect(plant.states('calm').at(-1)).toBe('provisioned');
      expect(failuresOf('calm')).toEqual([]);
      expect(await bed.agent(machines.calm)).toMatchObject({ writes: [{}], power: 'On' });
    });
  });

  describe('and comes back with an empty database', () => {
    const before = new Map<Name, object>();
    beforeAll(async () => {
      for (const name of names) before.set(name, await pastOf(name));
      await bed.halt('ironic');
      bed.emptyDatabase();
      await bed.resumeIronic();
      await Promise.all(names.map((name) => plant.nodeReaches(name, 'active')));
      await Promise.all(names.map((name) => plant.settled(name)));
    }, 240_000);

    async function pastOf(name: Name): Promise<object> {
      const { writes, boots, power, running } = await bed.agent(machines[name]);
      return { id: plant.host(name).status?.provisioning.ID, writes, boots, power, running };
    }

    it('learns again of provisioned hosts, which are adopted by the same identity, and not booted nor written', async () => {
      for (const name of names) expect([name, await pastOf(name)]).toEqual([name, before.get(name)]);
    });

    it('hosts stay provisioned throughout, without a failure', () => {
      for (const name of names) {
        const states = plant.states(name);
        expect([name, states.slice(states.lastIndexOf('provisioned'))]).toEqual([name, ['provisioned']]);
      }
      expect(failuresOf('calm')).toEqual([]);
    });

    it('deploys another image to an adopted host', async () => {
      const other = bed.image('other.raw');
      await plant.change('calm', { spec: { image: other } });
      await plant.has('calm', other);
      const { writes, running } = await bed.agent(machines.calm);
      expect([writes.map(({ image }) => image), running]).toEqual([[bed.image().url, other.url], 'disk']);
    });
  });
});
