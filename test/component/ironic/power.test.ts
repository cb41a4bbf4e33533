import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { PowerOffData } from '../../../src/provisioner/index.js';
import { D, DONE, testHost } from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const node = `nodes/${nodeUUID}`;
const powerPath = `${node}/states/power`;
const bodies = () => mock.requests.filter((r) => r.path === `/v1/${powerPath}`).map((r) => r.body);
const provision = () => mock.last('PUT', `${node}/states/provision`).body;

async function powerOn(force = false) {
  const { provisioner, events } = await testHost(mock);
  return { result: await provisioner.powerOn(force), events };
}
async function powerOff(data: Partial<PowerOffData> = {}) {
  const { provisioner, events } = await testHost(mock);
  const result = await provisioner.powerOff({
    rebootMode: 'hard',
    force: false,
    automatedCleaningMode: 'metadata',
    ...data,
  });
  return { result, events };
}
/** No command was sent to the machine. */
const deferred = (seconds: number) => ({ ...D(seconds), isDeferred: true });
const on = { power_state: 'power on' };
const off = { power_state: 'power off' };

describe('the power state', () => {
  it.each([
    ['power on', true],
    ['power off', false],
    ['error', undefined],
    [null, undefined],
  ])('%s reads as %s', async (power_state, poweredOn) => {
    mock.node({ power_state });
    expect(await (await testHost(mock)).provisioner.updateHardwareState('preparing')).toEqual({ poweredOn });
  });

  it.each([
    ['available', 'active', /active.*something is deployed.*power commands.*externallyProvisioned/],
    ['ready', 'service failed', /something is deployed.*power commands/],
    ['available', 'clean failed', /clean failed.*power commands.*"manageable"/],
    [
      'provisioned',
      'available',
      /"available", not "active".*power commands.*adopted.*take spec\.image and spec\.customDeploy away/,
    ],
    [
      'externally provisioned',
      'deploy failed',
      /deploy failed.*power commands.*adopted.*take spec\.externallyProvisioned, spec\.image and/,
    ],
  ])('comes with why a host that is %s cannot be it, where the node is %s', async (state, provision_state, why) => {
    mock.node({ provision_state, ...on });
    const { poweredOn, contradiction } = await (await testHost(mock)).provisioner.updateHardwareState(state);
    expect([poweredOn, contradiction]).toEqual([true, expect.stringMatching(why)]);
  });

  it.each([
    ['available', 'active'],
    ['provisioned', 'available'],
    ['externally provisioned', 'deploy failed'],
  ])('is still changed, as is told, of a host that is %s while its node is %s', async (state, provision_state) => {
    mock.node({ provision_state, ...off });
    const { provisioner } = await testHost(mock);
    expect((await provisioner.updateHardwareState(state)).contradiction).toContain('power commands still go to it');
    expect(await provisioner.powerOn(false)).toMatchObject({ kind: 'inProgress' });
    expect(bodies()).toEqual([{ target: 'power on' }]);
  });

  it.each([
    ['available', ['available', 'manageable']],
    ['provisioned', ['active', 'servicing', 'service wait', 'service failed', 'rescue']],
    ['externally provisioned', ['active']],
    ['deprovisioning', ['active', 'cleaning', 'error']],
  ])('comes with nothing beside where that may well be: %s', async (state, nodeStates) => {
    for (const provision_state of nodeStates) {
      mock.node({ provision_state, ...on });
      expect(await (await testHost(mock)).provisioner.updateHardwareState(state)).toEqual({ poweredOn: true });
    }
  });

  it('is what is observed, not what is on its way', async () => {
    mock.node({ power_state: 'power on', target_power_state: 'power off' });
    expect(await (await testHost(mock)).provisioner.updateHardwareState('preparing')).toEqual({ poweredOn: true });
  });
});

describe('a BMC that gives no answer', () => {
  const last_error = "Failed to change power state to 'power on': Unable to connect to https://192.0.2.10/redfish/v1/";

  it('is told as such, so that the next try comes soon', async () => {
    mock.node({ ...off, last_error });
    expect((await powerOn()).result).toMatchObject({ kind: 'failed', isSilent: true });
    mock.node({ ...on, last_error });
    expect((await powerOff()).result).toMatchObject({ kind: 'failed', isSilent: true });
  });
});

describe('powering on', () => {
  it('is complete when it is on, and waited for when it goes on', async () => {
    mock.node(on);
    expect((await powerOn()).result).toEqual(DONE);
    mock.node({ ...off, target_power_state: 'power on' });
    expect((await powerOn()).result).toEqual(deferred(3));
    expect(bodies()).toEqual([]);
  });

  it('is commanded, with an event', async () => {
    mock.node(off);
    expect(await powerOn()).toEqual({ result: D(0), events: ['PowerOn: Switched on'] });
    expect(bodies()).toEqual([{ target: 'power on' }]);
  });

  it('shows a failure of the last try, and tries again by force', async () => {
    mock.node({ ...off, last_error: "Failed to change power state to 'power on'" });
    expect((await powerOn()).result).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/^PowerOn operation failed: /),
    });
    expect((await powerOn(true)).result).toEqual(D(0));
  });

  it('waits while the node is on its way to another state, or locked', async () => {
    mock.node({ ...off, target_provision_state: 'available' });
    expect((await powerOn()).result).toEqual(deferred(3));
    expect(bodies()).toEqual([]);
    mock.node(off).on('PUT', `/v1/${powerPath}`, { status: 409 });
    expect(await powerOn()).toEqual({ result: deferred(3), events: [] });
  });

  it('fails as a passing problem when Ironic fails', async () => {
    mock.node(off).on('PUT', `/v1/${powerPath}`, { status: 500 });
    await expect(powerOn()).rejects.toThrow('failed to power on node');
  });
});

describe('powering off', () => {
  it('is complete when it is off, and waited for when it goes off', async () => {
    mock.node(off);
    expect((await powerOff()).result).toEqual(DONE);
    for (const target_power_state of ['power off', 'soft power off']) {
      mock.node({ ...on, target_power_state });
      expect((await powerOff()).result).toEqual(deferred(3));
    }
    expect(bodies()).toEqual([]);
  });

  it('hard is commanded at once', async () => {
    mock.node(on);
    expect(await powerOff()).toEqual({ result: D(0), events: ['PowerOff: Switched off'] });
    expect(bodies()).toEqual([{ target: 'power off' }]);
  });

  it('soft gives the system time, and is hard by force', async () => {
    mock.node(on);
    expect((await powerOff({ rebootMode: 'soft' })).events).toEqual([
      'PowerOff: Asked the operating system to shut down',
    ]);
    await powerOff({ rebootMode: 'soft', force: true });
    expect(bodies()).toEqual([{ target: 'soft power off', timeout: 180 }, { target: 'power off' }]);
  });

  it('soft that the BMC cannot do becomes hard in the same call', async () => {
    mock.node(on).on('PUT', `/v1/${powerPath}`, { status: 400 }, { status: 202 });
    expect(await powerOff({ rebootMode: 'soft' })).toEqual({ result: D(0), events: ['PowerOff: Switched off'] });
    expect(bodies()).toEqual([{ target: 'soft power off', timeout: 180 }, { target: 'power off' }]);
  });

  it('fails when hard is refused too', async () => {
    mock.node(on).on('PUT', `/v1/${powerPath}`, { status: 400 });
    await expect(powerOff({ rebootMode: 'soft' })).rejects.toThrow('failed to power off node');
    expect(bodies()).toHaveLength(2);
  });

  it.each([
    ['hard', { target: 'rebooting' }, 'Reboot: Rebooted'],
    ['soft', { target: 'soft rebooting' }, 'Reboot: Asked the operating system to reboot'],
  ] as const)('%s of a node that must not go off reboots it', async (rebootMode, body, event) => {
    mock.node({ ...on, disable_power_off: true });
    expect(await powerOff({ rebootMode })).toEqual({ result: D(0), events: [event] });
    expect(bodies()).toEqual([body]);
  });

  it.each([
    [{ reservation: 'conductor-1', target_power_state: 'rebooting' }],
    [{ target_provision_state: 'available' }],
    [{ target_power_state: 'power off' }],
  ])('of a node that must not go off says when no reboot was asked for: %j', async (state) => {
    mock.node({ ...on, disable_power_off: true, ...state }).on('PUT', `/v1/${powerPath}`, { status: 409 });
    expect(await powerOff()).toEqual({ result: deferred(3), events: [] });
  });

  it('does not fall back from a soft reboot', async () => {
    mock.node({ ...on, disable_power_off: true }).on('PUT', `/v1/${powerPath}`, { status: 400 });
    await expect(powerOff({ rebootMode: 'soft' })).rejects.toThrow('failed to soft rebooting node');
    expect(bodies()).toHaveLength(1);
  });

  it.each([
    [{ provision_state: 'inspect wait' }, {}, deferred(3), 'abort'],
    [{ provision_state: 'inspecting' }, {}, deferred(10), undefined],
    [{ provision_state: 'clean wait', target_provision_state: 'clean' }, {}, deferred(3), 'abort'],
    [{ provision_state: 'clean wait', target_provision_state: 'manageable' }, {}, deferred(3), 'abort'],
    [
      { provision_state: 'clean wait', target_provision_state: 'available' },
      { automatedCleaningMode: 'disabled' },
      deferred(3),
      'abort',
    ],
    [{ provision_state: 'clean wait', target_provision_state: 'available' }, {}, deferred(10), undefined],
    [{ provision_state: 'cleaning' }, {}, deferred(10), undefined],
    [{ provision_state: 'inspect failed', target_provision_state: 'manageable' }, {}, deferred(3), 'manage'],
  ] as const)('from %j with %j', async (state, data, result, target) => {
    mock.node({ ...on, ...state });
    expect((await powerOff(data)).result).toEqual(result);
    expect(bodies()).toEqual([]);
    if (target) expect(provision()).toEqual({ target });
    else expect(mock.sequence()).toEqual([`GET ${node}`]);
  });

  it('goes on after an abort that was asked for', async () => {
    mock.node({ ...on, provision_state: 'inspect failed', last_error: 'Inspection was aborted by request.' });
    expect((await powerOff()).result).toEqual(D(0));
    expect(bodies()).toEqual([{ target: 'power off' }]);
  });

  it.each(["Failed to change power state to 'power off' by 'power off'", 'hard reset refused'])(
    'shows that the last try failed with %j',
    async (last_error) => {
      mock.node({ ...on, provision_state: 'active', last_error });
      expect((await powerOff()).result).toEqual({ kind: 'failed', message: last_error });
      expect((await powerOff({ force: true })).result).toEqual(D(0));
    },
  );

  it.each([
    { provision_state: 'clean failed', last_error: 'no disk' },
    { provision_state: 'manageable', last_error: 'Failed to clean node: agent step erase_devices failed' },
    { provision_state: 'deploy failed', last_error: 'image too large' },
  ])('does not take %j for a failure of the power', async (state) => {
    mock.node({ ...on, ...state });
    expect((await powerOff()).result).toEqual(D(0));
  });
});

describe('what a host shows', () => {
  it('is its health, its power failure and its progress, from what was read already', async () => {
    mock.node({ health: 'Warning', fault: 'power failure', provision_state: 'active' });
    const { provisioner } = await testHost(mock);
    expect(provisioner.progress()).toEqual({ state: '' });
    expect(await provisioner.health()).toBe('Warning');
    expect(await provisioner.hasPowerFailure()).toBe(true);
    expect(provisioner.progress()).toEqual({ state: 'active' });
    expect(mock.sequence()).toEqual([`GET ${node}`]);
  });

  it('is nothing when the node cannot be read', async () => {
    mock.on('GET', `/v1/${node}`, { status: 500 });
    const { provisioner } = await testHost(mock);
    expect(await provisioner.health()).toBe('');
    expect(await provisioner.hasPowerFailure()).toBe(false);
  });

  it('needs no further request after a command', async () => {
    mock.node({ ...off, health: 'OK' });
    const { provisioner } = await testHost(mock);
    await provisioner.powerOn(false);
    expect(await provisioner.health()).toBe('OK');
    expect(mock.sequence()).toEqual([`GET ${node}`, `PUT ${powerPath}`]);
  });
});
