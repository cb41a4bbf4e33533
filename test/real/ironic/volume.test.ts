/** A hundred hosts at once, of hardware that only Ironic makes believe: none is deployed twice, and the limit holds. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Bed } from './bed.js';
import { BedPlant } from './bed-plant.js';

const hosts = 100;
const limit = 12;
/** As Ironic shows them when it has a machine's disks or its agent under way. */
const busyStates = ['cleaning', 'clean wait', 'inspecting', 'inspect wait', 'deploying', 'wait call-back', 'deleting'];
const names = Array.from({ length: hosts }, (_, index) => `fake-${String(index).padStart(3, '0')}`);

describe('a hundred hosts on a real Ironic', () => {
  let bed: Bed;
  let plant: BedPlant;
  let peak = 0;
  let samples = 0;
  let isOver = false;
  let watching: Promise<void>;

  /** What Ironic itself says of how much it has under way. */
  async function sample(): Promise<void> {
    while (!isOver) {
      const { body } = await bed.request('GET', '/v1/nodes?fields=provision_state&limit=1000');
      const busy = body.nodes.filter((node: { provision_state: string }) => busyStates.includes(node.provision_state));
      peak = Math.max(peak, busy.length);
      samples += 1;
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
  }

  beforeAll(async () => {
    // Long enough in each state to be seen there.
    bed = await Bed.start('volume', { fakeDelay: '1', systems: 1 });
    plant = await BedPlant.start(bed, { limit, patienceMs: 840_000 });
    watching = sample();
    watching.catch(() => undefined);
    const startedAt = performance.now();
    for (const [index, name] of names.entries()) await plant.addFake(name, index);
    await Promise.all(names.map((name) => plant.settled(name)));
    console.log(`${hosts} hosts, at most ${limit} at once: ${Math.round((performance.now() - startedAt) / 1000)} s`);
    isOver = true;
    await watching;
  }, 900_000);
  afterAll(async () => {
    isOver = true;
    await plant.stop();
    await bed.stop();
  }, 60_000);

  it('are all provisioned, without a failure', () => {
    for (const name of names) {
      expect([name, plant.host(name).status?.provisioning.state]).toEqual([name, 'provisioned']);
      expect(plant.versions(name).filter(({ status }) => status?.errorType !== undefined)).toEqual([]);
    }
  });

  it('are never more at once than the limit, and as many where they can be', () => {
    expect(samples).toBeGreaterThan(50);
    expect(peak).toBeLessThanOrEqual(limit);
    expect(peak).toBeGreaterThan(limit / 2);
  });

  it('are registered, made available and deployed once each', () => {
    expect(plant.asked('POST nodes 201')).toBe(hosts);
    // manage, provide, active
    expect(plant.asked('PUT nodes/{id}/states/provision 202')).toBe(3 * hosts);
  });
});
