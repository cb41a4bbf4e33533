import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { secretKind } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

let plant: TestPlant;
beforeAll(async () => {
  plant = await TestPlant.start();
});
afterAll(() => plant.stop());

it('a BMC Secret that is deleted in use is told of on its host, and goes when the host names another', async () => {
  await plant.add('held', { spec: { image: undefined } });
  await plant.reaches('held', 'available');
  const place = { namespace: plant.namespace, name: 'held-bmc' };
  await plant.api.delete(secretKind, place);
  const inUse = (await plant.events('held', 'SecretInUse')).filter(({ reason }) => reason === 'SecretInUse');
  expect(inUse.map(({ message }) => message)).toEqual([
    expect.stringContaining('held-bmc of spec.bmc.credentialsName'),
  ]);
  expect(await plant.api.get(secretKind, place)).toBeDefined();
  await plant.putSecret('held-new', { username: 'admin', password: 'right' });
  const { address } = plant.host('held').spec.bmc ?? {};
  await plant.change('held', { spec: { bmc: { address, credentialsName: 'held-new' } } });
  await eventually('the end of the Secret', async () => (await plant.api.get(secretKind, place)) === undefined);
  await plant.reaches('held', 'available');
  expect((await plant.reasons('held')).filter((reason) => reason === 'SecretInUse')).toHaveLength(1);
});
