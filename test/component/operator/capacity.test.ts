import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

const patienceMs = 90_000;

let plant: TestPlant;
afterEach(() => plant.stop());

const names = (count: number, prefix = 'host') =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);

/** All of them at once. */
async function addAll(hosts: readonly string[]): Promise<void> {
  await Promise.all(hosts.map((name) => plant.add(name)));
}

/** Names in the order in which Ironic was asked to inspect them. */
function inspected(): string[] {
  const entries = plant.ironic.history().filter(({ action, by }) => action === 'inspect' && by === 'request');
  return entries.map(({ name }) => (name ?? '').replace('default~', ''));
}

/** A busy computer may not bring five to work at the same moment; never more than five is what must hold on any. */
function expectWithinLimit(): void {
  const { network } = plant.ironic.maxBusy();
  expect(network).toBeGreaterThan(1);
  expect(network).toBeLessThanOrEqual(5);
}

describe('a limit of five', () => {
  it('is never exceeded by fifty hosts that start at once, and each host has its turn', async () => {
    plant = await TestPlant.start({ limit: 5, speed: 60, workers: 16, patienceMs });
    const fleet = names(50);
    await addAll(fleet);
    await Promise.all(fleet.map((name) => plant.settled(name)));
    expectWithinLimit();
    expect(plant.ironic.maxBusy()['virtual-media']).toBe(0);
    for (const name of fleet) expect([name, plant.count(name, 'active')]).toEqual([name, 1]);
    expect(plant.reports.some(({ outcome }) => outcome === 'delayed')).toBe(true);
    await eventually('all slots free', () => plant.operator.ledger.taken === 0);
  });

  it('is shown to those who wait, who are served in the order in which they came', async () => {
    plant = await TestPlant.start({ limit: 1, speed: 40 });
    // Each is in line before the next one comes.
    for (const name of names(4)) {
      await plant.add(name);
      await plant.until(name, 'in line or at work', ({ status }) => {
        const { provisioning, operationalStatus } = status ?? {};
        return provisioning?.state === 'inspecting' || operationalStatus === 'delayed';
      });
    }
    const waiting = plant.operator.ledger.waiters();
    expect(waiting.length).toBeGreaterThan(0);
    const [first] = waiting;
    const { status } = plant.host((first ?? '').replace('default/', ''));
    expect(status?.lifecycle?.waitsFor).toBe('a free slot: at most 1 hosts are worked on at once');
    await Promise.all(names(4).map((name) => plant.settled(name)));
    expect(inspected()).toEqual(names(4));
  });

  it('holds over a restart of the operator in the middle', async () => {
    plant = await TestPlant.start({ limit: 5, speed: 60, workers: 16, patienceMs });
    const fleet = names(24);
    await addAll(fleet);
    await eventually('some at work', () => plant.ironic.maxBusy().network > 1);
    await plant.restartOperator();
    await eventually('some further on', () =>
      plant.watch.all().some(({ status }) => status?.provisioning.state === 'provisioning'),
    );
    await plant.restartOperator();
    await Promise.all(fleet.map((name) => plant.settled(name)));
    expectWithinLimit();
    for (const name of fleet) expect([name, plant.count(name, 'active')]).toEqual([name, 1]);
  });

  it('does not count hosts that boot from virtual media', async () => {
    plant = await TestPlant.start({ limit: 1, speed: 60, workers: 16, patienceMs });
    const [media, network] = [names(6, 'media'), names(3, 'network')];
    await Promise.all(
      media.map((name, index) =>
        plant.add(name, {
          spec: {
            bmc: {
              address: `redfish-virtualmedia://198.51.100.${index + 1}/redfish/v1/Systems/1`,
              credentialsName: `${name}-bmc`,
            },
          },
        }),
      ),
    );
    await addAll(network);
    await Promise.all([...media, ...network].map((name) => plant.settled(name)));
    const { network: peak, 'virtual-media': free } = plant.ironic.maxBusy();
    expect(peak).toBe(1);
    expect(free).toBeGreaterThan(1);
    for (const name of media) {
      expect(plant.versions(name).every(({ status }) => status?.operationalStatus !== 'delayed')).toBe(true);
    }
  });
});
