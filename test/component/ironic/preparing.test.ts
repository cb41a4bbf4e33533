import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FirmwareWish, PrepareData } from '../../../src/provisioner/index.js';
import { D, DONE, prepareData, testHost, type TestHostOptions } from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const node = `nodes/${nodeUUID}`;
const GET = `GET ${node}`;
const PATCH = `PATCH ${node}`;
const RAID = `PUT ${node}/states/raid`;
const PROV = `PUT ${node}/states/provision`;
const CLEAR = `DELETE ${node}/maintenance`;
const target = () => mock.last('PUT', `${node}/states/provision`).body;
const patch = () => mock.last('PATCH', node).body;
const redfish = { host: { bmcAddress: 'redfish://192.0.2.1' } };

const prepare = async (changes: Partial<PrepareData> = {}, options: TestHostOptions = {}) =>
  (await testHost(mock, options)).provisioner.prepare(prepareData(changes));

const hardware: PrepareData['targetRAID'] = {
  hardwareRAIDVolumes: [
    { name: 'root', level: '1' },
    { name: 'v1', level: '1' },
  ],
};
const firmware = (changes: Partial<FirmwareWish> = {}): FirmwareWish => ({
  targetSettings: {},
  actualSettings: {},
  targetComponents: [],
  ...changes,
});
const raidStep = (step: string) => ({ interface: 'raid', step });
const [wipe, create] = [raidStep('delete_configuration'), raidStep('create_configuration')];
const erase = { interface: 'deploy', step: 'erase_devices_metadata' };

describe('preparing', () => {
  beforeEach(() => void mock.on('PUT', `/v1/${node}/states/raid`, { status: 204 }));

  it.each(['available', 'manageable'])('has nothing to do in %s', async (state) => {
    mock.node({ provision_state: state });
    expect(await prepare()).toEqual({ result: DONE, started: true });
    expect(await prepare({ firmware: firmware() })).toEqual({ result: DONE, started: true });
    expect(await prepare({ unprepared: false, targetRAID: hardware }, redfish)).toEqual({
      result: DONE,
      started: false,
    });
    expect(mock.sequence()).toEqual([GET, GET, GET]);
  });

  it('of hardware volumes sets the interface and the volumes, then cleans', async () => {
    mock.node({ provision_state: 'manageable' });
    expect(await prepare({ targetRAID: hardware }, redfish)).toEqual({ result: D(3), started: true });
    expect(mock.sequence()).toEqual([GET, PATCH, RAID, PROV]);
    expect(patch()).toEqual([{ op: 'add', path: '/raid_interface', value: 'redfish' }]);
    expect(mock.last('PUT', `${node}/states/raid`).body).toEqual({
      logical_disks: [
        { size_gb: 'MAX', raid_level: '1', volume_name: 'root', is_root_volume: true },
        { size_gb: 'MAX', raid_level: '1', volume_name: 'v1' },
      ],
    });
    expect(target()).toEqual({ target: 'clean', clean_steps: [wipe, create] });
  });

  it('leaves an interface alone that fits', async () => {
    mock.node({ provision_state: 'manageable', raid_interface: 'redfish' });
    expect(await prepare({ targetRAID: hardware }, redfish)).toEqual({ result: D(3), started: true });
    expect(mock.sequence()).toEqual([GET, RAID, PROV]);
  });

  it('of an available node makes it manageable first', async () => {
    mock.node({ provision_state: 'available' });
    expect(await prepare({ targetRAID: hardware }, redfish)).toEqual({ result: D(3), started: false });
    expect(mock.sequence()).toEqual([GET, PROV]);
    expect(target()).toEqual({ target: 'manage' });
  });

  it.each(['available', 'manageable'])('in %s is refused where the BMC has no RAID', async (state) => {
    mock.node({ provision_state: state });
    const { result, started } = await prepare({ targetRAID: hardware }, { host: { bmcAddress: 'ipmi://192.0.2.1' } });
    expect(result).toMatchObject({ kind: 'failed', message: expect.stringContaining('does not support RAID') });
    expect(started).toBe(false);
    expect(mock.sequence()).toEqual([GET]);
  });

  it('shows what is wrong with a volume', async () => {
    mock.node({ provision_state: 'manageable' });
    const targetRAID = { hardwareRAIDVolumes: [{ level: '1' as const, physicalDisks: ['a'] }] };
    expect((await prepare({ targetRAID }, redfish)).result).toMatchObject({
      kind: 'failed',
      message: expect.stringContaining("'controller' must be specified"),
    });
    expect(mock.sequence()).toEqual([GET]);
  });

  it('of software volumes is done by the agent', async () => {
    mock.node({ provision_state: 'manageable', raid_interface: 'no-raid' });
    const targetRAID: PrepareData['targetRAID'] = {
      softwareRAIDVolumes: [
        {
          level: '1',
          rootVolume: true,
          sizeGibibytes: 100,
          physicalDisks: [{ serialNumber: 'a' }, { hctl: '0:0:0:1' }],
        },
        { level: '0' },
      ],
    };
    expect(await prepare({ targetRAID })).toEqual({ result: D(3), started: true });
    expect(patch()).toEqual([{ op: 'add', path: '/raid_interface', value: 'agent' }]);
    expect(mock.last('PUT', `${node}/states/raid`).body).toEqual({
      logical_disks: [
        {
          ...{ size_gb: 100, raid_level: '1', controller: 'software', is_root_volume: true },
          physical_disks: [{ serial: 's== a' }, { hctl: 's== 0:0:0:1' }],
        },
        { size_gb: 'MAX', raid_level: '0', controller: 'software', is_root_volume: false },
      ],
    });
    expect(target()).toEqual({ target: 'clean', clean_steps: [wipe, erase, create] });
  });

  it('wipes software volumes without a word about volumes', async () => {
    mock.node({ provision_state: 'manageable' });
    const wish = {
      targetRAID: { softwareRAIDVolumes: [] },
      actualRAID: { softwareRAIDVolumes: [{ level: '1' as const }] },
    };
    expect(await prepare(wish)).toEqual({ result: D(3), started: true });
    expect(mock.sequence()).toEqual([GET, PROV]);
    expect(target()).toEqual({ target: 'clean', clean_steps: [wipe, erase] });
  });

  it.each([
    ['software', { softwareRAIDVolumes: [] }, { softwareRAIDVolumes: [{ level: '1' as const }] }, 'redfish', 'agent'],
    ['hardware', { hardwareRAIDVolumes: [] }, undefined, 'agent', 'redfish'],
  ])('wipes %s volumes by the interface that made them', async (_, targetRAID, actualRAID, shown, wanted) => {
    mock.node({ provision_state: 'manageable', raid_interface: shown });
    expect((await prepare({ targetRAID, actualRAID }, redfish)).started).toBe(true);
    expect(patch()).toEqual([{ op: 'add', path: '/raid_interface', value: wanted }]);
    expect(mock.sequence()).toEqual([GET, PATCH, PROV]);
  });

  it('wipes hardware volumes of a host about which nothing is known', async () => {
    mock.node({ provision_state: 'manageable' });
    expect(await prepare({ targetRAID: { hardwareRAIDVolumes: [] } }, redfish)).toEqual({
      result: D(3),
      started: true,
    });
    expect(target()).toEqual({ target: 'clean', clean_steps: [wipe] });
  });

  it('changes firmware after RAID, in one cleaning', async () => {
    mock.node({ provision_state: 'manageable', raid_interface: 'redfish' });
    const wish = firmware({
      targetSettings: { Answer: 42, Same: 'x' },
      actualSettings: { Answer: 'unknown', Same: 'x' },
      targetComponents: [
        { component: 'bmc', url: 'url1' },
        { component: 'bios', url: 'url2' },
      ],
    });
    await prepare({ targetRAID: hardware, firmware: wish }, redfish);
    expect(target().clean_steps).toEqual([
      wipe,
      create,
      { interface: 'bios', step: 'apply_configuration', args: { settings: [{ name: 'Answer', value: 42 }] } },
      {
        interface: 'firmware',
        step: 'update',
        args: {
          settings: [
            { component: 'bmc', url: 'url1' },
            { component: 'bios', url: 'url2' },
          ],
        },
      },
    ]);
  });

  it.each([
    ['patch', 'PATCH', node],
    ['target of the volumes', 'PUT', `${node}/states/raid`],
    ['cleaning', 'PUT', `${node}/states/provision`],
  ])('has not started when the %s meets a lock', async (_, method, path) => {
    mock.node({ provision_state: 'manageable' }).on(method, `/v1/${path}`, { status: 409 });
    expect(await prepare({ targetRAID: hardware }, redfish)).toEqual({ result: D(3), started: false });
  });

  it('never cleans without its volumes, should they meet a lock', async () => {
    mock.node({ provision_state: 'manageable' }).on('PUT', `/v1/${node}/states/raid`, { status: 409 });
    await prepare({ targetRAID: hardware }, redfish);
    expect(mock.sequence()).not.toContain(PROV);
  });

  it('shows what Ironic refuses of a volume', async () => {
    mock.node({ provision_state: 'manageable' });
    mock.on('PUT', `/v1/${node}/states/raid`, { status: 400, body: { error_message: 'no such level' } });
    expect(await prepare({ targetRAID: hardware }, redfish)).toMatchObject({
      result: { kind: 'failed', message: expect.stringContaining('no such level') },
      started: false,
    });
    expect(mock.sequence()).not.toContain(PROV);
  });

  it('waits while the node is at fault', async () => {
    mock.node({ provision_state: 'manageable', fault: 'power failure', maintenance: true, raid_interface: 'redfish' });
    const waitsFor = 'the fault "power failure" of its Ironic node to end';
    expect(await prepare({ targetRAID: hardware }, redfish)).toEqual({
      result: { ...D(10), waitsFor },
      started: false,
    });
  });

  it('that failed shows why, and is retried step by step', async () => {
    const size = 'Volume size MAX is not supported by controller BOSS';
    mock.node({ provision_state: 'clean failed', last_error: size, maintenance: true, fault: 'clean failure' });
    expect(await prepare()).toEqual({ result: { kind: 'failed', message: size }, started: false });
    expect(await prepare({ restartOnFailure: true })).toEqual({ result: D(0), started: false });
    expect(mock.sequence().at(-1)).toBe(CLEAR);
    mock.node({ provision_state: 'clean failed' });
    expect(await prepare({ restartOnFailure: true })).toEqual({ result: D(3), started: false });
    expect(target()).toEqual({ target: 'manage' });
  });

  it.each(['cleaning', 'clean wait'])('waits in %s', async (state) => {
    mock.node({ provision_state: state });
    expect(await prepare()).toEqual({ result: D(10), started: false });
  });

  describe('of a host whose inspection was disabled under way', () => {
    const waitsFor = 'the inspection to end that was under way when it was disabled';

    it.each([
      ['inspect wait', 'abort'],
      ['inspect failed', 'manage'],
    ])('in %s ends what is left of it by %s, and says so', async (state, verb) => {
      mock.node({ provision_state: state, last_error: 'timeout' });
      for (const unprepared of [true, false]) {
        expect(await prepare({ unprepared })).toEqual({ result: { ...D(3), waitsFor }, started: false });
        expect(target()).toEqual({ target: verb });
      }
    });

    it('waits while it cannot be ended', async () => {
      mock.node({ provision_state: 'inspecting' });
      expect(await prepare()).toEqual({ result: { ...D(10), waitsFor }, started: false });
      expect(mock.sequence()).toEqual([GET]);
    });

    it('tells rather what stands in the way of that', async () => {
      mock.node({ provision_state: 'inspect wait', fault: 'power failure', maintenance: true });
      const { result } = await prepare();
      expect(result).toMatchObject({ waitsFor: 'the fault "power failure" of its Ironic node to end' });
    });
  });

  it('leaves a node alone that is in use, and tells it on the host', async () => {
    mock.node({ provision_state: 'active' });
    const message = expect.stringMatching(/is active.*nothing is done/);
    expect(await prepare()).toEqual({ result: { kind: 'failed', message }, started: false });
    expect(await prepare({ restartOnFailure: true })).toMatchObject({ result: { kind: 'failed' } });
  });

  it('makes no sense in other states, or without an address', async () => {
    mock.node({ provision_state: 'deploying' });
    await expect(prepare()).rejects.toMatchObject({ code: 'IRONIC_UNEXPECTED_STATE' });
    mock.requests.length = 0;
    await expect(prepare({}, { host: { bmcAddress: '' } })).rejects.toThrow('missing BMC address');
    expect(mock.sequence()).toEqual([]);
  });
});
