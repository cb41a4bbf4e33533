import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { KubeObject } from '../../../src/kube/index.js';
import { kinds } from '../../../src/apis/index.js';
import { eventually } from '../../support/eventually.js';
import { image, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

const spec = { url: 'http://images.example.com/data.iso' };

describe('a data image', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start({ speed: 80 });
  });
  afterAll(() => plant.stop());

  const of = (name: string) => plant.companionOf('dataImages', name);
  const remove = (name: string) => plant.api.delete(kinds.dataImage, { namespace: 'default', name });
  const isGone = (name: string) =>
    eventually(`${name} is gone`, async () => ((await of(name)) === undefined ? true : undefined));
  const isHeld = (name: string) =>
    eventually(`${name} is held`, async () => {
      const object: KubeObject | undefined = await of(name);
      return object?.metadata.finalizers?.includes('dataimage.metal3.io') === true ? object : undefined;
    });

  async function drives(name: string): Promise<number> {
    const answer = await fetch(`${plant.ironicUrl}nodes/${plant.node(name)!.uuid}/vmedia`, {
      headers: { 'X-OpenStack-Ironic-API-Version': '1.93' },
    });
    return ((await answer.json()) as { inserted: boolean }[]).filter(({ inserted }) => inserted).length;
  }

  async function reboot(name: string): Promise<void> {
    await plant.annotate(name, { 'reboot.metal3.io': '' });
    await plant.until(name, 'off', ({ status }) => status?.poweredOn === false);
    await plant.settled(name);
  }

  it('that is deleted while it is in the drive goes with the reboot that takes it out', async () => {
    await plant.add('data', { spec: { image } });
    await plant.settled('data');
    await plant.companion('dataImages', 'data', { spec });
    const held = await isHeld('data');
    expect(held.metadata.ownerReferences).toMatchObject([{ kind: 'BareMetalHost', name: 'data' }]);
    await reboot('data');
    expect(await drives('data')).toBe(1);
    await remove('data');
    // Many looks: it waits for the reboot.
    await plant.clock.sleep(200_000);
    expect((await of('data'))?.metadata.deletionTimestamp).toBeDefined();
    await reboot('data');
    await isGone('data');
    expect(await drives('data')).toBe(0);
    expect(plant.count('data', 'active')).toBe(1);
  });

  it('that was there before its host is taken up with it, and goes with it', async () => {
    await plant.companion('dataImages', 'early', { spec });
    await plant.add('early', { spec: { image: undefined } });
    await isHeld('early');
    await plant.reaches('early', 'available');
    await plant.remove('early');
    await plant.gone('early');
    await isGone('early');
  });

  it('of a paused host is taken up when the host is let go on', async () => {
    await plant.add('paused', { spec: { image: undefined } });
    await plant.reaches('paused', 'available');
    await plant.annotate('paused', { 'baremetalhost.metal3.io/paused': '' });
    await plant.companion('dataImages', 'paused', { spec });
    await plant.clock.sleep(60_000);
    expect((await of('paused'))?.metadata.finalizers).toBeUndefined();
    await plant.annotate('paused', { 'baremetalhost.metal3.io/paused': null });
    await isHeld('paused');
  });

  it('of a detached host goes without a reboot', async () => {
    await plant.add('away', { spec: { image } });
    await plant.settled('away');
    await plant.companion('dataImages', 'away', { spec });
    await isHeld('away');
    await reboot('away');
    await plant.annotate('away', { 'baremetalhost.metal3.io/detached': '' });
    await plant.until('away', 'detached', ({ status }) => status?.operationalStatus === 'detached');
    await remove('away');
    await isGone('away');
  });

  it('and its host do not wait for each other when both are deleted after a detachment', async () => {
    await plant.add('both', { spec: { image } });
    await plant.settled('both');
    await plant.companion('dataImages', 'both', { spec });
    await isHeld('both');
    await plant.annotate('both', { 'baremetalhost.metal3.io/detached': '' });
    await plant.until('both', 'detached', ({ status }) => status?.operationalStatus === 'detached');
    await plant.remove('both');
    await plant.gone('both');
    await isGone('both');
  });
});
