import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { verdict } from '../../support/firmware-objects.js';
import { image, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

type Row = { name: string; value: string | null };

describe('the firmware of a host', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start({
      faults: {
        rules: [
          { match: { name: 'broken' }, fail: { step: 'service', times: 1, text: 'the BMC is on fire' } },
          { match: { name: 'abandoned' }, slow: 10 },
        ],
      },
    });
  });
  afterAll(() => plant.stop());

  const setting = { NumLock: 'Off' };
  const bios = async (name: string): Promise<Row[]> => {
    const { uuid } = plant.node(name)!;
    const answer = await fetch(`${plant.ironicUrl}nodes/${uuid}/bios`, {
      headers: { 'X-OpenStack-Ironic-API-Version': '1.81' },
    });
    return ((await answer.json()) as { bios: Row[] }).bios;
  };

  const valueOf = async (name: string) => (await bios(name)).find((row) => row.name === 'NumLock')?.value;

  /** What its own controller would find: a wish that differs from what the machine has. */
  async function wish(name: string, change: Record<string, string>): Promise<void> {
    const actual = Object.fromEntries((await bios(name)).map((row) => [row.name, row.value ?? '']));
    await plant.companion('settings', name, {
      spec: { settings: change },
      status: { settings: actual, conditions: verdict() },
    });
  }

  it('has its objects once it is registered, and goes with them', async () => {
    await plant.add('objects', { spec: { image: undefined } });
    await plant.reaches('objects', 'available');
    const settings = (await plant.companionOf('settings', 'objects'))!;
    const components = (await plant.companionOf('components', 'objects'))!;
    for (const { metadata } of [settings, components]) {
      expect(metadata.ownerReferences).toMatchObject([{ kind: 'BareMetalHost', name: 'objects' }]);
    }
    await plant.remove('objects');
    await plant.gone('objects');
  });

  it('is changed while the host is prepared: settings and components, each once', async () => {
    await plant.add('prepared', { spec: { image: undefined } });
    await plant.reaches('prepared', 'available');
    expect(await valueOf('prepared')).toBe('On');
    const updates = [{ component: 'bios', url: 'http://images.example.com/bios-2.bin' }];
    await plant.companion('components', 'prepared', {
      spec: { updates },
      status: { components: [], conditions: verdict() },
    });
    await plant.until('prepared', 'preparing', ({ status }) => status?.provisioning.state === 'preparing');
    await plant.reaches('prepared', 'available');
    expect((await plant.companionOf('components', 'prepared'))?.status).toMatchObject({ updates });
    expect(plant.count('prepared', 'clean')).toBe(1);
    await wish('prepared', setting);
    await plant.until('prepared', 'preparing again', () => plant.count('prepared', 'clean') === 2);
    await plant.reaches('prepared', 'available');
    expect(await valueOf('prepared')).toBe('Off');
    // Nobody has looked at the machine since: the verdict still says that it differs.
    await plant.annotate('prepared', { 'example.com/poke': '1' });
    await plant.clock.sleep(5_000);
    expect(plant.count('prepared', 'clean')).toBe(2);
    expect(plant.host('prepared').status?.provisioning.state).toBe('available');
  });

  it('of a host in use is changed at its next reboot, with the host off, and the host comes up again', async () => {
    await plant.add('serviced', { spec: { image } });
    await plant.settled('serviced');
    await plant.companion('policies', 'serviced', { spec: { firmwareSettings: 'onReboot' } });
    await wish('serviced', setting);
    await plant.clock.sleep(3_000);
    expect(plant.count('serviced', 'service')).toBe(0);
    await plant.annotate('serviced', { 'reboot.metal3.io': '' });
    await plant.until('serviced', 'servicing', ({ status }) => status?.operationalStatus === 'servicing');
    await plant.settled('serviced');
    expect(plant.count('serviced', 'service')).toBe(1);
    expect(plant.count('serviced', 'active')).toBe(1);
    expect(await valueOf('serviced')).toBe('Off');
    expect(plant.host('serviced').status).toMatchObject({ provisioning: { state: 'provisioned' }, errorCount: 0 });
  });

  it('that is no longer wished for while it is changed is given up: the host goes on, rebooted once', async () => {
    await plant.add('abandoned', { spec: { image } });
    await plant.settled('abandoned');
    await plant.companion('policies', 'abandoned', { spec: { firmwareUpdates: 'onReboot' } });
    const updates = [{ component: 'bios', url: 'http://images.example.com/bios/2' }];
    await plant.companion('components', 'abandoned', {
      spec: { updates },
      status: { components: [], conditions: verdict() },
    });
    await plant.annotate('abandoned', { 'reboot.metal3.io': '' });
    await eventually('the wait', () => plant.node('abandoned')?.provision_state === 'service wait');
    await plant.companion('components', 'abandoned', {
      spec: { updates: [] },
      status: { conditions: verdict({ changed: false }) },
    });
    await plant.settled('abandoned');
    await plant.clock.sleep(120_000);
    expect(plant.node('abandoned')?.provision_state).toBe('active');
    expect(plant.host('abandoned').status).toMatchObject({ operationalStatus: 'OK', errorCount: 0, poweredOn: true });
    const asked = plant.requests('abandoned').slice(plant.requests('abandoned').indexOf('active') + 1);
    expect(asked.filter((request) => request.endsWith('power off'))).toHaveLength(1);
    expect(asked.filter((request) => ['service', 'abort', 'active', 'deleted'].includes(request))).toEqual([
      'service',
      'abort',
    ]);
  });

  it('that could not be changed is an error that says why, and is changed with the next try', async () => {
    await plant.add('broken', { spec: { image } });
    await plant.settled('broken');
    await plant.companion('policies', 'broken', { spec: { firmwareSettings: 'onReboot' } });
    await wish('broken', setting);
    await plant.annotate('broken', { 'reboot.metal3.io': '' });
    const failed = await plant.fails('broken', 'servicing error');
    expect(failed.status?.errorMessage).toContain('the BMC is on fire');
    await plant.annotate('broken', { 'ironchart.io/retry': '' });
    await plant.settled('broken');
    expect(await valueOf('broken')).toBe('Off');
    expect(plant.count('broken', 'service')).toBe(2);
    expect(plant.host('broken').status?.errorType).toBeUndefined();
  });
});
