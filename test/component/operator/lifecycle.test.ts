import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { finalizers } from '../../../src/apis/index.js';
import { hardwareDataKind } from '../../../src/controllers/host/index.js';
import { eventually } from '../../support/eventually.js';
import { image, otherImage, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

const isoImage = { url: 'http://images.example.com/rescue.iso', format: 'live-iso' } as const;
const virtualMedia = (name: string) => ({
  bmc: { address: 'redfish-virtualmedia://192.0.2.200/redfish/v1/Systems/1', credentialsName: `${name}-bmc` },
});

describe('a fleet at rest', () => {
  let plant: TestPlant;
  const fleet = ['reimaged', 'rebooted', 'hard', 'stubborn', 'offline', 'detached', 'paused', 'removed', 'emptied'];

  beforeAll(async () => {
    plant = await TestPlant.start({
      faults: {
        rules: [
          { match: { name: 'stubborn' }, softPowerOff: 'unsupported' },
          { match: { name: 'wrong' }, credentials: { username: 'admin', password: 'correct' } },
        ],
      },
    });
    for (const name of fleet) await plant.add(name);
    for (const name of fleet) await plant.settled(name);
  });
  afterAll(() => plant.stop());

  /** What clients ask of the node while `change` takes its effect. */
  async function asked(name: string, change: () => Promise<unknown>): Promise<string[]> {
    const before = plant.requests(name).length;
    await change();
    return plant.requests(name).slice(before);
  }

  it('is deployed once each, and nothing else', () => {
    for (const name of fleet) {
      expect(plant.requests(name)).toEqual(['create', 'manage', 'inspect', 'provide', 'active']);
    }
  });

  it('images a host anew when its image changes: one undeployment and one deployment more', async () => {
    const requests = await asked('reimaged', async () => {
      await plant.change('reimaged', { spec: { image: otherImage } });
      await plant.until(
        'reimaged',
        'the other image',
        ({ status }) => status?.provisioning.image?.url === otherImage.url,
      );
      await plant.settled('reimaged');
    });
    expect(requests).toEqual(['deleted', 'active']);
    expect(plant.states('reimaged').slice(-4)).toEqual(['deprovisioning', 'available', 'provisioning', 'provisioned']);
    expect(plant.node('reimaged')?.instance_info).toMatchObject({ image_source: otherImage.url });
  });

  it('leaves a host alone whose image keeps its address', async () => {
    const requests = await asked('reimaged', async () => {
      await plant.change('reimaged', { spec: { image: { checksum: 'a'.repeat(64) } } });
      const { generation } = plant.host('reimaged').metadata;
      await plant.until('reimaged', 'seen', ({ status }) =>
        (status?.conditions ?? []).every(({ observedGeneration }) => observedGeneration === generation),
      );
    });
    expect(requests).toEqual([]);
  });

  it('reboots softly for an annotation, and removes it', async () => {
    const requests = await asked('rebooted', async () => {
      await plant.annotate('rebooted', { 'reboot.metal3.io': '' });
      await plant.until('rebooted', 'off', ({ status }) => status?.poweredOn === false);
      await plant.settled('rebooted');
    });
    expect(requests).toEqual(['soft power off', 'power on']);
    expect(plant.host('rebooted').metadata.annotations ?? {}).not.toHaveProperty(['reboot.metal3.io']);
  });

  it('reboots hard when it is asked to', async () => {
    const requests = await asked('hard', async () => {
      await plant.annotate('hard', { 'reboot.metal3.io': '{"mode":"hard"}' });
      await plant.until('hard', 'off', ({ status }) => status?.poweredOn === false);
      await plant.settled('hard');
    });
    expect(requests).toEqual(['power off', 'power on']);
  });

  it('reboots hard when the BMC knows no soft power-off', async () => {
    const requests = await asked('stubborn', async () => {
      await plant.annotate('stubborn', { 'reboot.metal3.io': '' });
      await plant.until('stubborn', 'off', ({ status }) => status?.poweredOn === false);
      await plant.settled('stubborn');
    });
    expect(requests).toEqual(['power off', 'power on']);
    expect(plant.versions('stubborn').some(({ status }) => status?.errorType !== undefined)).toBe(false);
  });

  it('keeps a host off for as long as a client of its own asks', async () => {
    await plant.annotate('rebooted', { 'reboot.metal3.io/maintenance': '' });
    await plant.until('rebooted', 'off', ({ status }) => status?.poweredOn === false);
    await plant.annotate('rebooted', { 'reboot.metal3.io/maintenance': null });
    await plant.settled('rebooted');
  });

  it('powers a host off that is to be offline, and on again', async () => {
    const requests = await asked('offline', async () => {
      await plant.change('offline', { spec: { online: false } });
      await plant.until('offline', 'off', ({ status }) => status?.poweredOn === false);
      await plant.change('offline', { spec: { online: true } });
      await plant.settled('offline');
    });
    expect(requests).toEqual(['soft power off', 'power on']);
    const told = (await plant.events('offline', 'PowerOff')).find(({ reason }) => reason === 'PowerOff');
    expect(told?.message).toMatch(/: spec\.online is false, set by a-person at 20\S+Z \(the host is provisioned\)$/);
  });

  it('lets a detached host go from Ironic, and adopts it without a deployment when it comes back', async () => {
    const requests = await asked('detached', async () => {
      await plant.annotate('detached', { 'baremetalhost.metal3.io/detached': '' });
      await plant.until('detached', 'detached', ({ status }) => status?.operationalStatus === 'detached');
      expect(plant.node('detached')).toBeUndefined();
      await plant.annotate('detached', { 'baremetalhost.metal3.io/detached': null });
      await plant.settled('detached');
      await eventually('adopted', () => plant.node('detached')?.provision_state === 'active');
    });
    expect(requests).toEqual(['delete', 'create', 'manage', 'adopt']);
    expect(plant.states('detached').at(-1)).toBe('provisioned');
  });

  it('does not touch a paused host while others come and go', async () => {
    await plant.annotate('paused', { 'baremetalhost.metal3.io/paused': '' });
    const requests = await asked('paused', async () => {
      await plant.change('paused', { spec: { online: false, image: otherImage } });
      const { resourceVersion } = plant.host('paused').metadata;
      await plant.add('witness');
      await plant.settled('witness');
      expect(plant.host('paused').metadata.resourceVersion).toBe(resourceVersion);
    });
    expect(requests).toEqual([]);
    await plant.change('paused', { spec: { online: true, image } });
    await plant.annotate('paused', { 'baremetalhost.metal3.io/paused': null });
    await plant.settled('paused');
    expect(plant.count('paused', 'active')).toBe(1);
  });

  it('adopts a provisioned host that Ironic has lost: no deployment, no cleaning', async () => {
    const uuid = plant.node('emptied')?.uuid;
    const requests = await asked('emptied', async () => {
      plant.ironic.emptyDatabase();
      await eventually('adopted', () => plant.node('emptied')?.provision_state === 'active');
    });
    expect(requests).toEqual(['create', 'manage', 'adopt']);
    expect(plant.node('emptied')?.uuid).toBe(uuid);
    expect(plant.versions('emptied').some(({ status }) => status?.errorType !== undefined)).toBe(false);
    expect(plant.states('emptied').at(-1)).toBe('provisioned');
  });

  it('takes a deleted host apart in order and leaves nothing behind', async () => {
    await plant.settled('removed');
    await eventually('adopted', () => plant.node('removed')?.provision_state === 'active');
    expect((await plant.secret('removed-bmc'))?.metadata.finalizers).toEqual([finalizers.secret]);
    const uid = plant.node('removed')?.uuid ?? '';
    await plant.remove('removed');
    await plant.gone('removed');
    expect(plant.states('removed').slice(-3)).toEqual(['deprovisioning', 'powering off before delete', 'deleting']);
    expect(plant.ironic.node(uid)).toBeUndefined();
    expect(plant.history('removed').slice(-2)).toMatchObject([
      { action: expect.stringMatching(/.*/) },
      { action: 'delete', from: 'available' },
    ]);
    // The Secret is owned by the host and goes with it: only its finalizer could have held it.
    await eventually('the Secret is gone', async () => (await plant.secret('removed-bmc')) === undefined);
    const hardware = await plant.api.get(hardwareDataKind, { namespace: 'default', name: 'removed' });
    expect(hardware).toBeUndefined();
    await eventually(
      'its series are gone',
      async () => !(await plant.metrics.registry.metrics()).includes('host="removed"'),
    );
  });

  it('shows a wrong password as a registration error, and recovers at once when the Secret is mended', async () => {
    await plant.add('wrong', { password: 'guess' });
    const failed = await plant.fails('wrong', 'registration error');
    expect(failed.status?.errorMessage).toMatch(/credentials|authenticat|denied|401/i);
    expect(failed.status?.errorMessage).not.toContain('guess');
    expect(failed.status?.errorCount).toBe(1);
    await plant.putSecret('wrong-bmc', { username: 'admin', password: 'correct' });
    await plant.until('wrong', 'inspecting', ({ status }) => status?.provisioning.state === 'inspecting');
    // Long before the next try was due.
    expect(plant.clock.now()).toBeLessThan(Date.parse(failed.status?.lifecycle?.nextRetryAt ?? ''));
    await plant.settled('wrong');
    expect(plant.host('wrong').status).toMatchObject({ errorCount: 0, errorMessage: '' });
    expect(plant.count('wrong', 'create')).toBe(1);
  });
});

describe('kinds of deployment', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start();
  });
  afterAll(() => plant.stop());

  it('takes over a host that others have provisioned: never deployed, cleaned or inspected', async () => {
    await plant.add('foreign', { spec: { externallyProvisioned: true } });
    await plant.until(
      'foreign',
      'on',
      ({ status }) => status?.provisioning.state === 'externally provisioned' && status.poweredOn === true,
    );
    expect(plant.states('foreign')).toEqual(['', 'registering', 'externally provisioned']);
    expect(plant.requests('foreign').filter((each) => each !== 'power on')).toEqual(['create', 'manage', 'adopt']);
    await plant.remove('foreign');
    await plant.gone('foreign');
    expect(plant.requests('foreign')).not.toContain('deleted');
    expect(plant.requests('foreign').slice(-2)).toEqual(['power off', 'delete']);
    expect(plant.node('foreign')).toBeUndefined();
  });

  it('tells Ironic of a host that others provision after it had an image of ours: adopted, not deployed', async () => {
    await plant.add('handed', { spec: { image } });
    await plant.settled('handed');
    await plant.change('handed', { spec: { image: null } });
    await plant.reaches('handed', 'available');
    await plant.change('handed', { spec: { externallyProvisioned: true } });
    await eventually('the adoption', () => plant.node('handed')?.provision_state === 'active');
    const asked = plant.requests('handed').filter((each) => !each.startsWith('power '));
    expect(asked).toEqual(['create', 'manage', 'inspect', 'provide', 'active', 'deleted', 'manage', 'adopt']);
    const host = await plant.until('handed', 'at rest', ({ status }) => status?.lifecycle?.waitsFor === undefined);
    expect(host.status?.provisioning.state).toBe('externally provisioned');
    expect(await plant.reasons('handed')).not.toContain('StateContradicted');
  });

  it('boots a live ISO, without a disk image', async () => {
    await plant.add('live', { spec: { image: isoImage, ...virtualMedia('live') } });
    await plant.settled('live');
    const node = plant.node('live');
    expect(node).toMatchObject({ deploy_interface: 'ramdisk', instance_info: { boot_iso: isoImage.url } });
    expect(node?.instance_info).not.toHaveProperty('image_source');
  });

  it('runs a custom deployment instead of writing an image', async () => {
    await plant.add('custom', { spec: { image: undefined, customDeploy: { method: 'install_it' } } });
    await plant.settled('custom');
    expect(plant.node('custom')).toMatchObject({ deploy_interface: 'custom-agent' });
    expect(plant.host('custom').status?.provisioning.customDeploy).toEqual({ method: 'install_it' });
    expect(plant.count('custom', 'active')).toBe(1);
  });

  it('stays available without an image, and powers on', async () => {
    await plant.add('spare', { spec: { image: undefined } });
    await plant.until(
      'spare',
      'on',
      ({ status }) => status?.provisioning.state === 'available' && status.poweredOn === true,
    );
    expect(plant.requests('spare')).not.toContain('active');
  });

  it('stays unmanaged without a BMC, and is registered once it has one', async () => {
    await plant.add('bare', { spec: { bmc: undefined } });
    await plant.until('bare', 'discovered', ({ status }) => status?.operationalStatus === 'discovered');
    expect(plant.node('bare')).toBeUndefined();
    await plant.change('bare', {
      spec: { bmc: { address: 'ipmi://192.0.2.240', credentialsName: 'bare-bmc' }, image },
    });
    await plant.settled('bare');
    expect(plant.states('bare').slice(0, 3)).toEqual(['', 'unmanaged', 'registering']);
  });
});

describe('the way of a host, as a client sees it', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start({ speed: 80 });
    await plant.add('host');
    await plant.settled('host');
  });
  afterAll(() => plant.stop());

  it('leads through the states in order', () => {
    expect(plant.states('host')).toEqual([
      '',
      'registering',
      'inspecting',
      'preparing',
      'available',
      'provisioning',
      'provisioned',
    ]);
  });

  it('is told by events in order', async () => {
    expect(await plant.reasons('host', 'ProvisioningComplete')).toEqual([
      'Registered',
      'ProfileSet',
      'BMCAccessValidated',
      'InspectionStarted',
      'InspectionComplete',
      'ProvisioningStarted',
      'ProvisioningComplete',
    ]);
  });

  it('is told by conditions, each of which changes only with the state', () => {
    const rows = plant.versions('host').map(({ status }) => {
      const truths = (status?.conditions ?? []).map((each) => `${each.type}=${each.status}/${each.reason}`);
      return `${status?.provisioning.state ?? ''}: ${truths.join(' ')}`;
    });
    const told = rows.filter((row, index) => index === 0 || row !== rows[index - 1]);
    const row = (state: string, ready: string, available: string, healthy: string, others: string) =>
      `${state}: Ready=${ready} AvailableForProvisioning=${available} Healthy=${healthy} ${others}`;
    const [not, none] = ['False/NotProvisioned', 'False/NotAvailable'];
    expect(told).toEqual([
      ': ',
      row(
        'registering',
        not,
        none,
        'Unknown/Unknown',
        'Manageable=False/Registering Progressing=True/Registering Provisioned=False/NotProvisioned',
      ),
      row(
        'inspecting',
        not,
        none,
        'True/Healthy',
        'Manageable=True/Manageable Progressing=True/Inspecting Provisioned=False/NotProvisioned',
      ),
      row(
        'preparing',
        not,
        none,
        'True/Healthy',
        'Manageable=True/Manageable Progressing=True/Preparing Provisioned=False/NotProvisioned',
      ),
      row(
        'available',
        not,
        'True/Available',
        'True/Healthy',
        'Manageable=True/Manageable Progressing=False/NotProgressing Provisioned=False/NotProvisioned',
      ),
      row(
        'provisioning',
        not,
        none,
        'True/Healthy',
        'Manageable=True/Manageable Progressing=True/Provisioning Provisioned=False/NotProvisioned',
      ),
      row(
        'provisioned',
        'True/Provisioned',
        none,
        'True/Healthy',
        'Manageable=True/Manageable Progressing=False/NotProgressing Provisioned=True/Provisioned',
      ),
    ]);
  });

  it('leaves a record: history, hardware, a hardware object, a small snapshot of the chart', async () => {
    const { status } = plant.host('host');
    for (const operation of ['register', 'inspect', 'provision'] as const) {
      expect(status?.operationHistory?.[operation]?.end).toEqual(expect.any(String));
    }
    const data = await plant.api.get(hardwareDataKind, { namespace: 'default', name: 'host' });
    expect(data).toMatchObject({
      spec: { hardware: status?.hardware },
      metadata: { finalizers: [finalizers.hardwareData] },
    });
    expect(status?.lifecycle).toMatchObject({ chart: 'host/1', state: 'provisioned' });
    expect(JSON.stringify(status?.lifecycle).length).toBeLessThan(1024);
  });

  it('is quiet once it is at its end: no write at all in the next minutes', async () => {
    const { resourceVersion } = plant.host('host').metadata;
    const passes = plant.reports.length;
    await eventually('three more looks', () => plant.reports.length >= passes + 3);
    expect(plant.host('host').metadata.resourceVersion).toBe(resourceVersion);
  });
});

describe('failures of the machine', () => {
  let plant: TestPlant;
  const givenUp = (name: string) =>
    plant.until(name, 'given up', ({ status }) => {
      const { provisioning, errorType, provisioningFailCount } = status ?? {};
      return provisioning?.state === 'available' && errorType === 'provisioning error' && provisioningFailCount === 2;
    });

  // All of them fail side by side; each test waits for its own.
  beforeAll(async () => {
    plant = await TestPlant.start({
      speed: 120,
      maxRetries: 2,
      faults: {
        rules: [
          { match: { name: 'flaky' }, fail: { step: 'deploy', times: 1, text: 'the disk is slow' } },
          { match: { name: 'broken' }, fail: { step: 'deploy', always: true, text: 'the disk is dead' } },
          { match: { name: 'again' }, fail: { step: 'deploy', always: true } },
          { match: { name: 'blind' }, fail: { step: 'inspect', times: 1, text: 'no disks found' } },
          { match: { name: 'deaf' }, fail: { step: 'power', times: 1, text: 'power action refused' } },
          { match: { name: 'dirty' }, fail: { step: 'undeploy', always: true } },
        ],
      },
    });
    for (const name of ['dirty', 'flaky', 'broken', 'again', 'blind', 'deaf']) await plant.add(name);
    await plant.settled('dirty');
    await plant.remove('dirty');
  });
  afterAll(() => plant.stop());

  it('tries a failed deployment again after a wait, and forgives it then', async () => {
    await plant.settled('flaky');
    const failed = plant.versions('flaky').find(({ status }) => status?.errorType !== undefined);
    expect(failed?.status).toMatchObject({
      errorType: 'provisioning error',
      errorMessage: expect.stringContaining('the disk is slow'),
      lifecycle: { nextRetryAt: expect.any(String) },
    });
    expect(plant.count('flaky', 'active')).toBe(2);
    expect(plant.host('flaky').status).toMatchObject({ errorCount: 0, provisioningFailCount: 0, errorMessage: '' });
  });

  it('shows a failed inspection and repeats it', async () => {
    await plant.settled('blind');
    const failed = plant.versions('blind').find(({ status }) => status?.errorType === 'inspection error');
    expect(failed?.status).toMatchObject({ errorCount: 1, errorMessage: expect.stringContaining('no disks found') });
    expect(plant.count('blind', 'inspect')).toBe(2);
    expect(await plant.reasons('blind', 'InspectionComplete')).toEqual(
      expect.arrayContaining(['InspectionStarted', 'InspectionError', 'InspectionComplete']),
    );
  });

  it('powers off hard after a soft power-off that failed', async () => {
    await plant.settled('deaf');
    await plant.change('deaf', { spec: { online: false } });
    const failed = await plant.fails('deaf', 'power management error');
    expect(failed.status?.errorMessage).toContain('soft power off failed, the next one is hard');
    await plant.until('deaf', 'off', ({ status }) => status?.poweredOn === false && status.errorType === undefined);
    expect(plant.requests('deaf').at(-1)).toBe('power off');
    const told = await plant.events('deaf', 'PowerOff', 2);
    expect(
      told.filter(({ reason }) => reason === 'PowerOff').map(({ message }) => message.replace(/: spec.*/, '')),
    ).toEqual(['Asked the operating system to shut down', 'Switched off']);
  });

  it('gives an image up after as many failures as the limit says, and tries another one', async () => {
    const host = await givenUp('broken');
    expect(host.status?.errorMessage).toMatch(/failed 2 times and the limit is 2.*change the image/);
    expect(plant.count('broken', 'active')).toBe(2);
    await givenUp('again');
    plant.ironic.setFaults({ rules: [{ match: { name: 'dirty' }, fail: { step: 'undeploy', always: true } }] });
    await plant.change('broken', { spec: { image: otherImage } });
    await plant.settled('broken');
    expect(plant.count('broken', 'active')).toBe(3);
  });

  it('tries a given-up image again at the word of a person', async () => {
    await plant.annotate('again', { 'ironchart.io/retry': '' });
    await plant.settled('again');
    expect(plant.count('again', 'active')).toBe(3);
    expect(plant.host('again').metadata.annotations ?? {}).not.toHaveProperty(['ironchart.io/retry']);
  });

  it('deletes a host in the end whose disks cannot be cleaned', async () => {
    await plant.gone('dirty');
    expect(plant.node('dirty')).toBeUndefined();
    expect(plant.versions('dirty').at(-1)?.status?.provisioning.state).toBe('deleting');
    expect(plant.versions('dirty').some(({ status }) => status?.errorType === 'provisioning error')).toBe(true);
  });
});
