import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FirmwareWish, PrepareData, ServiceData } from '../../../src/provisioner/index.js';
import { EmbeddedHost } from '../../support/embedded-host.js';
import { DONE, inspectData, prepareData, provisionData, serviceData } from '../../support/ironic-host.js';

let host: EmbeddedHost;

beforeEach(async () => {
  host = await new EmbeddedHost({
    bmcAddress: 'redfish-virtualmedia://192.0.2.1/redfish/v1/Systems/1',
    bootMACAddress: '02:00:00:00:00:01',
  }).start();
  expect(await host.register({ state: 'registering' })).toEqual(DONE);
});
afterEach(() => host.stop());

const prepare = (data: Partial<PrepareData>) =>
  host.settle((provisioner, unprepared) => provisioner.prepare(prepareData({ ...data, unprepared })));
const service = (data: Partial<ServiceData>) =>
  host.settle((provisioner, unprepared) => provisioner.service(serviceData({ ...data, unprepared })));
const settings = async () => (await (await host.provisioner()).firmwareSettings(false)).settings;
const node = () => host.ironic.node(host.provisionerID)! as unknown as Record<string, unknown>;

const cleanings = () => host.ironic.history().filter(({ action, by }) => action === 'clean' && by === 'request').length;

const image = { url: 'http://images.example/disk.qcow2', checksum: 'ab'.repeat(32), checksumType: 'sha256' } as const;
const wish = (changes: Partial<FirmwareWish>): FirmwareWish => ({
  targetSettings: {},
  actualSettings: {},
  targetComponents: [],
  ...changes,
});

async function inspect(): Promise<void> {
  const result = await host.run(async (provisioner) => (await provisioner.inspectHardware(inspectData())).result);
  expect(result).toEqual(DONE);
}

describe('preparing a host on an Ironic', () => {
  it('makes hardware volumes, and takes them away again', async () => {
    const targetRAID = { hardwareRAIDVolumes: [{ name: 'root', level: '1' as const, sizeGibibytes: 100 }] };
    expect(await prepare({ targetRAID })).toEqual(DONE);
    expect(host.state).toBe('manageable');
    expect(node()).toMatchObject({
      raid_interface: 'redfish',
      raid_config: { logical_disks: [{ volume_name: 'root', raid_level: '1', size_gb: 100, is_root_volume: true }] },
    });
    expect(await prepare({ targetRAID: { hardwareRAIDVolumes: [] }, actualRAID: targetRAID })).toEqual(DONE);
    expect(node()).toMatchObject({ raid_config: { logical_disks: [] } });
  });

  it('makes software volumes by the agent, then hardware ones by the BMC', async () => {
    const software = { softwareRAIDVolumes: [{ level: '1' as const, rootVolume: true }] };
    expect(await prepare({ targetRAID: software })).toEqual(DONE);
    expect(node()).toMatchObject({
      raid_interface: 'agent',
      raid_config: { logical_disks: [{ controller: 'software' }] },
    });
    const both = { softwareRAIDVolumes: [], hardwareRAIDVolumes: [{ level: '0' as const }] };
    expect(await prepare({ targetRAID: both, actualRAID: software })).toMatchObject({ kind: 'failed' });
    const none = { softwareRAIDVolumes: [] };
    expect(await prepare({ targetRAID: none, actualRAID: software })).toEqual(DONE);
    expect(await prepare({ targetRAID: both, actualRAID: none })).toEqual(DONE);
    expect(node()).toMatchObject({ raid_interface: 'redfish', raid_config: { logical_disks: [{ raid_level: '0' }] } });
  });

  it('changes firmware settings and components, of an available node too, in one cleaning', async () => {
    await inspect();
    const actualSettings = await settings();
    const before = await (await host.provisioner()).firmwareComponents();
    expect(before.map(({ component }) => component)).toEqual(['bios', 'bmc', 'nic:slot1']);
    expect(
      await host.run((p) => p.deprovision({ restartOnFailure: false, automatedCleaningMode: 'metadata' })),
    ).toEqual(DONE);
    expect(host.state).toBe('available');
    const firmware = wish({
      targetSettings: { NumLock: 'Off', PowerOnDelay: 42 },
      actualSettings,
      targetComponents: [{ component: 'bmc', url: 'http://fw.example/bmc-9.9.9.bin' }],
    });
    expect(await prepare({ firmware })).toEqual(DONE);
    expect(await settings()).toMatchObject({ NumLock: 'Off', PowerOnDelay: '42' });
    const after = await (await host.provisioner()).firmwareComponents();
    expect(after.find(({ component }) => component === 'bmc')).toMatchObject({
      currentVersion: '9.9.9',
      lastVersionFlashed: '9.9.9',
      updatedAt: expect.any(String),
    });
    // Twenty passes later there is still only the one cleaning.
    for (let pass = 0; pass < 20; pass++) {
      await host.run(async (p) => (await p.prepare(prepareData({ firmware, unprepared: false }))).result);
      await host.clock.advanceAsync(10_000);
    }
    expect(cleanings()).toBe(1);
  });

  it('that a BMC refuses shows why, and passes once it is corrected', async () => {
    const firmware = wish({ targetSettings: { NumLock: 'Sometimes' }, actualSettings: await settings() });
    expect(await prepare({ firmware })).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining('Sometimes is not an allowed value'),
    });
    const corrected = wish({ targetSettings: { NumLock: 'Off' }, actualSettings: await settings() });
    expect(await prepare({ firmware: corrected, restartOnFailure: true })).toEqual(DONE);
    expect(await settings()).toMatchObject({ NumLock: 'Off' });
  });
});

describe('an Ironic', () => {
  const steps = [{ interface: 'bios', step: 'factory_reset' }];

  it.each([
    ['cleaning', 'manageable', { target: 'clean', clean_steps: steps }],
    ['service', 'service failed', { target: 'service', service_steps: steps }],
  ] as const)('does no %s in maintenance', async (operation, provision_state, body) => {
    host.ironic.setNode(host.provisionerID, { provision_state, maintenance: true });
    const answer = await fetch(`${host.endpoint}nodes/${host.provisionerID}/states/provision`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-openstack-ironic-api-version': '1.95' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`The ${operation} operation can't be performed`);
    expect(host.state).toBe(provision_state);
  });
});

describe('a provisioned host on an Ironic', () => {
  beforeEach(async () => {
    await inspect();
    expect(await host.run((p) => p.provision(provisionData({ image })))).toEqual({
      ...DONE,
      begun: { imageURL: image.url },
    });
  });

  it('is serviced, and goes on', async () => {
    const firmware = wish({ targetSettings: { PowerOnDelay: 7 }, actualSettings: await settings() });
    expect(await service({ firmware })).toEqual(DONE);
    expect(host.state).toBe('active');
    expect(await settings()).toMatchObject({ PowerOnDelay: '7' });
  });

  it('whose servicing failed shows why; a retry or giving up brings it back', async () => {
    const refused = wish({ targetSettings: { NoSuch: 1 }, actualSettings: {} });
    const problem = { kind: 'failed', message: expect.stringContaining('NoSuch is not known') };
    expect(await service({ firmware: refused })).toMatchObject(problem);
    expect(host.state).toBe('service failed');
    const firmware = wish({ targetSettings: { PowerOnDelay: 7 }, actualSettings: await settings() });
    expect(await service({ firmware, restartOnFailure: true })).toEqual(DONE);
    expect(await settings()).toMatchObject({ PowerOnDelay: '7' });

    expect(await service({ firmware: refused })).toMatchObject(problem);
    expect(await service({ hasFirmwareSpec: false })).toEqual(DONE);
    expect(host.state).toBe('active');
  });

  it('takes a data image and gives it back, each in its time', async () => {
    const attached = async () => (await host.provisioner()).dataImageAttached();
    expect(await attached()).toBe(false);
    await (await host.provisioner()).attachDataImage('http://images.example/data.iso');
    await expect(attached()).rejects.toMatchObject({ code: 'NODE_IS_BUSY' });
    await host.clock.advanceAsync(2000);
    expect(await attached()).toBe(true);
    await (await host.provisioner()).detachDataImage();
    await host.clock.advanceAsync(2000);
    expect(await attached()).toBe(false);
  });

  it('is subscribed to, and unsubscribed from', async () => {
    const provisioner = await host.provisioner();
    const wished = { destination: 'https://events.example', context: 'c', headers: [{ 'X-Key': 'k' }] };
    const { result, subscriptionID } = await provisioner.addBMCEventSubscription(wished);
    expect(result).toEqual(DONE);
    expect(await provisioner.findBMCEventSubscriptions!(wished)).toEqual([subscriptionID]);
    expect(await provisioner.findBMCEventSubscriptions!({ ...wished, context: 'd' })).toEqual([]);
    expect(await provisioner.removeBMCEventSubscription(subscriptionID)).toEqual(DONE);
    await expect(provisioner.removeBMCEventSubscription(subscriptionID)).rejects.toThrow('could not unsubscribe');
  });

  it('tells what each firmware setting takes', async () => {
    const { schema } = await (await host.provisioner()).firmwareSettings(true);
    expect(schema).toMatchObject({
      NumLock: { attribute_type: 'Enumeration', allowable_values: ['On', 'Off'], read_only: false },
      PowerOnDelay: { attribute_type: 'Integer', lower_bound: 0, upper_bound: 240 },
      AssetTag: { attribute_type: 'String', min_length: 0, max_length: 63 },
      SystemModelName: { read_only: true },
    });
  });
});
