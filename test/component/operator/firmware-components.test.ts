import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import type { KubeObject } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { conditionIn, verdictOf } from '../../support/object-bench.js';
import { TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

describe('the components of a host', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start();
  });
  afterAll(() => plant.stop());

  function components(name: string, what: string, accepts: (object: KubeObject) => boolean): Promise<KubeObject> {
    return eventually(`${name}: ${what}`, async () => {
      const object = await plant.companionOf('components', name);
      return object !== undefined && accepts(object) ? object : undefined;
    });
  }

  const updates = [{ component: 'bios', url: 'http://images.example.com/bios-2.bin' }];
  const isRead = ({ status }: KubeObject) => status !== undefined;
  const isBegun = ({ status }: KubeObject) => ((status as { updates?: object[] }).updates ?? []).length > 0;

  it('are shown once it is registered; an update is made once, and the host stays available then', async () => {
    await plant.add('updated', { spec: { image: undefined } });
    await plant.reaches('updated', 'available');
    const { status } = await components('updated', 'read', isRead);
    const names = (status as { components: { component: string }[] }).components.map(({ component }) => component);
    expect(names).toEqual(expect.arrayContaining(['bios', 'bmc']));

    await plant.companion('components', 'updated', { spec: { updates } });
    await components('updated', 'begun', isBegun);
    await plant.reaches('updated', 'available');
    await components('updated', 'found done', (object) => verdictOf(object, 'ChangeDetected').startsWith('F'));
    const [first] = ((await plant.companionOf('components', 'updated'))?.status as { components: object[] }).components;
    expect(first).toMatchObject({ component: 'bios', updatedAt: expect.stringMatching(/^\d{4}-/) });
    // Many looks later.
    await plant.clock.sleep(120_000);
    expect(plant.host('updated').status?.provisioning.state).toBe('available');
    expect(plant.count('updated', 'clean')).toBe(1);
  });

  it('that people name before the host are taken up with it', async () => {
    await plant.companion('components', 'early', { spec: { updates } });
    await plant.add('early', { spec: { image: undefined } });
    await components('early', 'begun', (object) => isRead(object) && isBegun(object));
    await plant.reaches('early', 'available');
    const object = await plant.api.get<KubeObject>(kinds.hostFirmwareComponents, {
      namespace: 'default',
      name: 'early',
    });
    expect(object?.metadata.ownerReferences).toMatchObject([{ kind: 'BareMetalHost', name: 'early' }]);
    expect(plant.count('early', 'clean')).toBe(1);
  });

  it('that it does not have are told on the object, and the host stays available', async () => {
    await plant.add('faulty', { spec: { image: undefined } });
    await plant.reaches('faulty', 'available');
    const psu = [{ component: 'psu', url: 'http://images.example.com/psu.bin' }];
    await plant.companion('components', 'faulty', { spec: { updates: psu } });
    const judged = await components('faulty', 'judged', (object) => verdictOf(object, 'Valid').startsWith('F'));
    expect(conditionIn(judged, 'Valid')).toMatchObject({ reason: 'InvalidComponent' });
    expect(await plant.reasons('faulty', 'ValidationFailed')).toContain('ValidationFailed');
    await plant.clock.sleep(70_000);
    expect(plant.count('faulty', 'clean')).toBe(0);
  });
});
