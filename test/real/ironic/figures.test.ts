/** What a whole life costs on a real Ironic, one host and eight at once: requests and writes are held, seconds are shown. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Bed } from './bed.js';
import { BedPlant } from './bed-plant.js';
import { IdleTime } from './idle-time.js';

interface Range {
  readonly hosts: number;
  readonly figure: 'ironicRequests' | 'apiWrites';
  readonly max: number;
}

const { ranges } = JSON.parse(readFileSync(new URL('figures.ranges.json', import.meta.url), 'utf8')) as {
  ranges: Range[];
};

describe('a whole life on a real Ironic', () => {
  let bed: Bed;
  let plant: BedPlant;
  beforeAll(async () => {
    bed = await Bed.start('figures', { systems: 16 });
    plant = await BedPlant.start(bed, { patienceMs: 180_000 });
  }, 60_000);
  afterAll(async () => {
    await plant.stop();
    await bed.stop();
  }, 60_000);

  /** The operator's writes: those of the test are known, and taken away. */
  const writes = (hosts: number) =>
    Object.entries(plant.kube.requestCounts()).reduce(
      (sum, [what, count]) => (/^(?:create|update|patch|delete) /.test(what) ? sum + count : sum),
      0,
    ) -
    ownWrites * hosts;
  /** Secret, host, image set, image taken away, deletion. */
  const ownWrites = 5;

  async function live(names: readonly string[], first: number) {
    const idle = new IdleTime(bed);
    const phases: Record<string, { seconds: number; late: number }> = {};
    const phase = async (name: string, act: (name: string, index: number) => Promise<void>, state: string) => {
      idle.take();
      const begun = performance.now();
      await Promise.all(names.map(act));
      await Promise.all(names.map((host) => (state === 'gone' ? plant.gone(host) : plant.reaches(host, state))));
      const late = [...idle.take().values()].reduce((sum, ms) => sum + ms, 0) / names.length;
      phases[name] = { seconds: round((performance.now() - begun) / 1000), late: round(late / 1000) };
    };
    plant.kube.resetRequestCounts();
    const asked = plant.requests.length;
    await phase('available', (name, index) => plant.add(name, first + index, { image: undefined }), 'available');
    await phase('provisioned', (name) => plant.change(name, { spec: { image: bed.image() } }), 'provisioned');
    await phase('deprovisioned', (name) => plant.change(name, { spec: { image: null } }), 'available');
    await phase('deleted', (name) => plant.remove(name), 'gone');
    await idle.stop();
    const all = Object.values(phases);
    return {
      hosts: names.length,
      seconds: round(all.reduce((sum, { seconds }) => sum + seconds, 0)),
      late: round(all.reduce((sum, { late }) => sum + late, 0)),
      ironicRequests: round((plant.requests.length - asked) / names.length),
      apiWrites: round(writes(names.length) / names.length),
      phases,
    };
  }

  it.each([
    [1, 1],
    [8, 2],
  ])(
    'of %i at once costs no more requests and writes a host than its range says',
    async (count, first) => {
      const figures = await live(
        Array.from({ length: count }, (_, index) => `life-${count}-${index}`),
        first,
      );
      console.log(JSON.stringify(figures));
      const excesses = ranges.filter(({ hosts, figure, max }) => hosts === count && !(figures[figure] <= max));
      expect(excesses).toEqual([]);
    },
    240_000,
  );
});

const round = (value: number) => Math.round(value * 10) / 10;
