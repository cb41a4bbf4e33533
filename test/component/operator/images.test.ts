import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { image, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

describe('a data image', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start({ speed: 80, isUnguarded: true });
  });
  afterAll(() => plant.stop());

  const url = 'http://images.example.com/data.iso';
  const drives = async (name: string): Promise<unknown[]> => {
    const answer = await fetch(`${plant.ironicUrl}nodes/${plant.node(name)!.uuid}/vmedia`, {
      headers: { 'X-OpenStack-Ironic-API-Version': '1.93' },
    });
    const all = (await answer.json()) as { inserted: boolean }[];
    return all.filter(({ inserted }) => inserted);
  };
  const attachedUrl = async (name: string) =>
    ((await plant.companionOf('dataImages', name))?.status as { attachedImage?: { url: string } })?.attachedImage?.url;

  it('is put into the drive at the next reboot, and the host comes up with it; taken back, it is out at the one after', async () => {
    await plant.add('data', { spec: { image } });
    await plant.settled('data');
    await plant.companion('dataImages', 'data', { spec: { url } });
    await plant.clock.sleep(5_000);
    expect(await drives('data')).toEqual([]);

    await plant.annotate('data', { 'reboot.metal3.io': '' });
    await plant.until('data', 'off', ({ status }) => status?.poweredOn === false);
    await plant.settled('data');
    expect(await drives('data')).toHaveLength(1);
    expect(await attachedUrl('data')).toBe(url);

    await plant.companion('dataImages', 'data', { spec: { url: '' } });
    await plant.annotate('data', { 'reboot.metal3.io': '' });
    await plant.until('data', 'off again', ({ status }) => status?.poweredOn === false);
    await plant.settled('data');
    expect(await drives('data')).toEqual([]);
    expect(await attachedUrl('data')).toBe('');
    expect(plant.count('data', 'active')).toBe(1);
  });
});

describe('agent images of their own', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start({ buildsImages: true });
  });
  afterAll(() => plant.stop());

  const built = (version: number) => ({
    ...{ architecture: 'x86_64', format: 'iso', imageUrl: `http://images.example.com/agent-${version}.iso` },
    conditions: [
      { type: 'Ready', status: 'True', reason: 'R', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' },
    ],
  });
  const address = (number: number) => `redfish-virtualmedia://192.0.2.${number}/redfish/v1/Systems/1`;
  const wish = (name: string, number: number) => ({
    spec: {
      image: undefined,
      architecture: 'x86_64',
      bmc: { address: address(number), credentialsName: `${name}-bmc` },
    },
  });

  it('are asked for, waited for, and booted as soon as they are built', async () => {
    await plant.add('built', wish('built', 210));
    const waiting = await plant.until('built', 'the wait', ({ status }) =>
      Boolean(status?.lifecycle?.waitsFor?.includes('preprovisioning image')),
    );
    expect(waiting.status).toMatchObject({ operationalStatus: 'OK', provisioning: { state: 'inspecting' } });
    expect(plant.count('built', 'inspect')).toBe(0);
    const asked = await eventually('the wish', () => plant.companionOf('images', 'built'));
    expect(asked.spec).toMatchObject({ architecture: 'x86_64', acceptFormats: expect.arrayContaining(['iso']) });
    await plant.companion('images', 'built', { status: built(1) });
    await plant.reaches('built', 'available');
    expect(plant.node('built')?.driver_info).toMatchObject({ deploy_iso: built(1).imageUrl });
    await plant.companion('images', 'built', { status: built(2) });
    await eventually('the new image', async () =>
      plant.node('built')?.driver_info?.deploy_iso === built(2).imageUrl ? true : undefined,
    );
    await plant.remove('built');
    await plant.gone('built');
    await eventually('the end of the image', async () =>
      (await plant.companionOf('images', 'built')) === undefined ? true : undefined,
    );
  });

  it('that cannot be built are an error of the host, which goes on once they are', async () => {
    await plant.add('unbuilt', wish('unbuilt', 211));
    await eventually('the wish', () => plant.companionOf('images', 'unbuilt'));
    const [condition] = built(1).conditions;
    await plant.companion('images', 'unbuilt', {
      status: { ...built(1), conditions: [{ ...condition, type: 'Error', message: 'no such release' }] },
    });
    const failed = await plant.fails('unbuilt', 'registration error');
    expect(failed.status?.errorMessage).toContain('no such release');
    await plant.companion('images', 'unbuilt', { status: built(1) });
    await plant.reaches('unbuilt', 'available');
  });
});
