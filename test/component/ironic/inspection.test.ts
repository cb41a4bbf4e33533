import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { D, DONE, inspectData, testHost, type TestHostOptions } from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const node = `nodes/${nodeUUID}`;
const GET = `GET ${node}`;
const PATCH = `PATCH ${node}`;
const PROV = `PUT ${node}/states/provision`;
const target = () => mock.last('PUT', `${node}/states/provision`).body;
const patch = () => mock.last('PATCH', node).body;

describe('inspection', () => {
  const inventory = `GET ${node}/inventory`;

  async function inspect(data: Parameters<typeof inspectData>[0] = {}, options: TestHostOptions = {}) {
    const { provisioner, events } = await testHost(mock, options);
    return { ...(await provisioner.inspectHardware(inspectData(data))), events };
  }

  it('of an available node begins by managing it', async () => {
    mock.node({ provision_state: 'available' });
    expect(await inspect()).toMatchObject({ result: D(3), started: false });
    expect(target()).toEqual({ target: 'manage' });
  });

  it('starts when there is no inventory yet', async () => {
    mock.node({ provision_state: 'manageable' }).on('GET', `/v1/${node}/inventory`, { status: 404 });
    expect(await inspect()).toMatchObject({
      result: D(3),
      started: true,
      events: ['InspectionStarted: Looking at the hardware'],
    });
    expect(mock.sequence()).toEqual([GET, inventory, PATCH, PROV]);
    expect(patch()).toEqual([
      { op: 'add', path: '/properties/capabilities', value: 'boot_mode:uefi' },
      { op: 'add', path: '/inspect_interface', value: 'agent' },
    ]);
    expect(target()).toEqual({ target: 'inspect' });
  });

  it('starts afresh on request, whatever the inventory says', async () => {
    mock.node({ provision_state: 'manageable' });
    expect(await inspect({ refresh: true, cpuArchitecture: 'aarch64' })).toMatchObject({ result: D(3), started: true });
    expect(mock.sequence()).toEqual([GET, PATCH, PROV]);
    expect(patch()).toContainEqual({ op: 'add', path: '/properties/cpu_arch', value: 'aarch64' });
  });

  it('uses the BMC in fast mode', async () => {
    mock.node({ provision_state: 'manageable' });
    await inspect({ refresh: true, inspectionMode: 'fast' }, { host: { bmcAddress: 'redfish://h' } });
    expect(patch()).toContainEqual({ op: 'add', path: '/inspect_interface', value: 'redfish' });
    expect((await inspect({ refresh: true, inspectionMode: 'fast' })).result).toMatchObject({ kind: 'failed' });
    expect((await inspect({ refresh: true }, { host: { bmcAddress: '' } })).result).toMatchObject({ kind: 'failed' });
  });

  it('fails as a passing problem when the inventory cannot be read', async () => {
    mock.node({ provision_state: 'manageable' }).on('GET', `/v1/${node}/inventory`, { status: 400 });
    await expect(inspect()).rejects.toThrow('failed to retrieve hardware introspection data');
  });

  it('ends with what was found', async () => {
    mock.node({ provision_state: 'manageable' });
    mock.on('GET', `/v1/${node}/inventory`, { body: { inventory: { hostname: 'h', memory: { physical_mb: 4096 } } } });
    const { result, started, details, events } = await inspect();
    expect({ result, started, events }).toEqual({
      result: DONE,
      started: false,
      events: ['InspectionComplete: The hardware is known'],
    });
    expect(details).toMatchObject({ hostname: 'h', ramMebibytes: 4096 });
  });

  it.each([
    ['inspect wait', undefined, 10],
    ['inspecting', undefined, 10],
    ['inspect wait', 'fast', 3],
    ['inspecting', 'fast', 3],
  ] as const)('in %s is waited for (mode %s: %d s)', async (state, inspectionMode, seconds) => {
    mock.node({ provision_state: state });
    expect(await inspect({ inspectionMode })).toMatchObject({ result: D(seconds), started: false });
    expect(mock.sequence()).toEqual([GET]);
  });

  it('that waits for its agent is aborted by a forced reboot', async () => {
    mock.node({ provision_state: 'inspect wait' });
    expect(await inspect({ forceReboot: true })).toMatchObject({ result: D(3), started: true, events: [] });
    expect(target()).toEqual({ target: 'abort' });
  });

  it('that failed shows why, and starts again on a retry or after an abort', async () => {
    mock.node({ provision_state: 'inspect failed', last_error: 'no lookup' });
    expect(await inspect()).toMatchObject({ result: { kind: 'failed', message: 'no lookup' }, started: false });
    expect(await inspect({ restartOnFailure: true })).toMatchObject({ result: D(3), started: true });
    mock.node({ provision_state: 'inspect failed', last_error: 'Inspection was aborted by request.' });
    expect(await inspect()).toMatchObject({ result: D(3), started: true });
    mock.node({ provision_state: 'inspect failed' });
    expect(await inspect()).toMatchObject({ result: { message: 'Inspection failed' } });
  });

  it.each([
    ['patch is locked', (m: MockIronic) => m.on('PATCH', `/v1/${node}`, { status: 409 }), D(3)],
    ['command is locked', (m: MockIronic) => m.on('PUT', `/v1/${node}/states/provision`, { status: 409 }), D(3)],
  ])('has not started when the %s', async (_, lock, result) => {
    mock.node({ provision_state: 'manageable' });
    lock(mock);
    expect(await inspect({ refresh: true })).toMatchObject({ result, started: false, events: [] });
  });

  it('makes no sense in other states', async () => {
    mock.node({ provision_state: 'deploying' });
    await expect(inspect()).rejects.toMatchObject({ code: 'IRONIC_UNEXPECTED_STATE' });
  });

  it('leaves a node alone that is in use, and says what its person may do', async () => {
    mock.node({ provision_state: 'active' });
    expect((await inspect({ refresh: true })).result).toEqual({
      kind: 'failed',
      message: expect.stringMatching(/is active.*nothing is done.*spec\.externallyProvisioned/),
    });
    expect(mock.sequence()).toEqual([GET]);
  });

  it('needs a registered host', async () => {
    mock.absent(nodeUUID);
    await expect(inspect()).rejects.toMatchObject({ code: 'NEEDS_REGISTRATION' });
    await expect(inspect({}, { host: { provisionerID: '' } })).rejects.toMatchObject({ code: 'NEEDS_REGISTRATION' });
    expect(mock.sequence()).toEqual([GET]);
  });
});
