import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

describe('a node in Ironic whose host is gone', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    // Ten minutes in three seconds.
    plant = await TestPlant.start({ speed: 200 });
  });
  afterAll(() => plant.stop());

  const ask = async (method: string, path: string, body?: object) => {
    const headers = { 'content-type': 'application/json', 'x-openstack-ironic-api-version': '1.95' };
    const response = await fetch(plant.ironicUrl + path, { method, headers, body: JSON.stringify(body) });
    expect(response.ok).toBe(true);
  };
  const gauge = async () => /^ironchart_orphan_nodes (\d+)$/m.exec(await plant.metrics.registry.metrics())?.[1];
  const warnings = () => plant.log.map((line) => JSON.parse(line)).filter(({ msg }) => /hosts that are gone/.test(msg));

  it('is counted and told of once, and left as it is', async () => {
    await plant.add('kept', { spec: { image: undefined } });
    await plant.reaches('kept', 'available');
    expect(await gauge()).toBe('0');
    await ask('POST', 'nodes', { name: 'default~gone', driver: 'redfish' });
    await ask('POST', 'nodes', { name: 'somebody-elses', driver: 'redfish' });
    await plant.restartOperator();
    await eventually('the node is counted', async () => (await gauge()) === '1');
    expect(warnings()).toEqual([expect.objectContaining({ level: 'warn', count: 1, hosts: ['default/gone'] })]);

    // Until the looks of more than ten minutes are over.
    await plant.clock.sleep(15 * 60_000);
    expect(await gauge()).toBe('1');
    expect(warnings()).toHaveLength(1);
    expect(plant.requests('gone')).toEqual(['create']);
    expect(plant.node('gone')).toMatchObject({ provision_state: 'enroll' });
  });

  it('is forgotten when somebody deletes it', async () => {
    await ask('DELETE', 'nodes/default~gone');
    await eventually('none is counted', async () => (await gauge()) === '0');
    expect(warnings()).toHaveLength(1);
  });
});
