import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { finalizers } from '../../../src/apis/index.js';
import { hardwareDataKind } from '../../../src/controllers/host/index.js';
import { eventually } from '../../support/eventually.js';
import { otherImage, type TestPlant } from '../../support/plant.js';
import { Cluster } from './cluster.js';
import { clear, startPlant } from './real-plant.js';

const namespace = 'lifecycle';
const cluster = Cluster.here();
const fleet = ['plain', 'reimaged', 'rebooted', 'offline', 'detached', 'removed'];
const deployed = ['create', 'manage', 'inspect', 'provide', 'active'];

describe('the whole operator on a real API server', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await startPlant(cluster, { namespace });
    for (const name of fleet) await plant.add(name);
    for (const name of fleet) await plant.settled(name);
  }, 300_000);
  afterAll(async () => {
    await plant.stop();
    await clear(cluster, namespace);
  });

  async function asked(name: string, change: () => Promise<unknown>): Promise<string[]> {
    const before = plant.requests(name).length;
    await change();
    return plant.requests(name).slice(before);
  }

  it('takes each host through registration, inspection and deployment once', () => {
    for (const name of fleet) {
      expect(plant.requests(name)).toEqual(deployed);
      expect(plant.states(name)).toEqual([
        '',
        'registering',
        'inspecting',
        'preparing',
        'available',
        'provisioning',
        'provisioned',
      ]);
      expect(plant.versions(name).some(({ status }) => status?.errorType !== undefined)).toBe(false);
    }
  });

  it('leaves what the server keeps: hardware, a snapshot, owned objects, finalizers', async () => {
    const { status, metadata } = plant.host('plain');
    expect(status?.lifecycle).toMatchObject({ chart: 'host/1', state: 'provisioned' });
    expect(metadata.finalizers).toEqual([finalizers.host]);
    const data = await plant.api.get(hardwareDataKind, { namespace, name: 'plain' });
    expect(data).toMatchObject({ spec: { hardware: status?.hardware } });
    expect(data?.metadata.ownerReferences).toMatchObject([{ kind: 'BareMetalHost', name: 'plain' }]);
    expect((await plant.secret('plain-bmc'))?.metadata).toMatchObject({
      finalizers: [finalizers.secret],
      ownerReferences: [{ kind: 'BareMetalHost', name: 'plain' }],
    });
    expect(await plant.reasons('plain', 'ProvisioningComplete')).toEqual([
      'Registered',
      'ProfileSet',
      'BMCAccessValidated',
      'InspectionStarted',
      'InspectionComplete',
      'ProvisioningStarted',
      'ProvisioningComplete',
    ]);
  });

  it('shows hosts in the columns of their definition', () => {
    const rows = cluster.kubectl('get', 'baremetalhosts', '-n', namespace).split('\n');
    expect(rows[0]?.trim().split(/\s+/)).toEqual(['NAME', 'STATE', 'CONSUMER', 'ONLINE', 'ERROR', 'AGE']);
    expect(rows.find((row) => row.startsWith('plain'))).toMatch(/^plain\s+provisioned\s+true\s+\d+/);
  });

  it('keeps status over a restart of the operator, and does nothing for it', async () => {
    const before = plant.host('plain');
    await plant.restartOperator();
    const passes = plant.reports.length;
    await eventually('each host was looked at', () => plant.reports.length >= passes + fleet.length);
    expect(plant.host('plain').status).toEqual(before.status);
    expect(plant.requests('plain')).toEqual(deployed);
  });

  it('is quiet at the end of the way: no write at all', async () => {
    const { resourceVersion } = plant.host('plain').metadata;
    const passes = plant.reports.length;
    await eventually('a look at each', () => plant.reports.length > passes + fleet.length);
    expect(plant.host('plain').metadata.resourceVersion).toBe(resourceVersion);
  });

  it('images a host anew when its image changes', async () => {
    const requests = await asked('reimaged', async () => {
      await plant.change('reimaged', { spec: { image: otherImage } });
      await plant.until('reimaged', 'anew', ({ status }) => status?.provisioning.image?.url === otherImage.url);
      await plant.settled('reimaged');
    });
    expect(requests).toEqual(['deleted', 'active']);
  });

  it('reboots for an annotation, and removes it', async () => {
    const requests = await asked('rebooted', async () => {
      await plant.annotate('rebooted', { 'reboot.metal3.io': '' });
      await plant.until('rebooted', 'off', ({ status }) => status?.poweredOn === false);
      await plant.settled('rebooted');
    });
    expect(requests).toEqual(['soft power off', 'power on']);
    expect(plant.host('rebooted').metadata.annotations ?? {}).not.toHaveProperty(['reboot.metal3.io']);
  });

  it('powers a host off and on', async () => {
    const requests = await asked('offline', async () => {
      await plant.change('offline', { spec: { online: false } });
      await plant.until('offline', 'off', ({ status }) => status?.poweredOn === false);
      await plant.change('offline', { spec: { online: true } });
      await plant.settled('offline');
    });
    expect(requests).toEqual(['soft power off', 'power on']);
  });

  it('lets a detached host go, and adopts it again', async () => {
    const requests = await asked('detached', async () => {
      await plant.annotate('detached', { 'baremetalhost.metal3.io/detached': '' });
      await plant.until('detached', 'detached', ({ status }) => status?.operationalStatus === 'detached');
      await plant.annotate('detached', { 'baremetalhost.metal3.io/detached': null });
      await plant.settled('detached');
      await eventually('adopted', () => plant.node('detached')?.provision_state === 'active');
    });
    expect(requests).toEqual(['delete', 'create', 'manage', 'adopt']);
  });

  it('takes a deleted host apart, and the collector takes what it owned', async () => {
    await plant.remove('removed');
    await plant.gone('removed');
    expect(plant.states('removed').slice(-3)).toEqual(['deprovisioning', 'powering off before delete', 'deleting']);
    expect(plant.node('removed')).toBeUndefined();
    await eventually('nothing is left', async () => {
      const data = await plant.api.get(hardwareDataKind, { namespace, name: 'removed' });
      return data === undefined && (await plant.secret('removed-bmc')) === undefined;
    });
  });
});
