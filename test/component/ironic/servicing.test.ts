import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServiceData } from '../../../src/provisioner/index.js';
import { D, DONE, serviceData, testHost } from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const node = `nodes/${nodeUUID}`;
const GET = `GET ${node}`;
const CLEAR = `DELETE ${node}/maintenance`;
const target = () => mock.last('PUT', `${node}/states/provision`).body;

const firmware: ServiceData['firmware'] = {
  targetSettings: { Answer: 42 },
  actualSettings: { Answer: 'unknown' },
  targetComponents: [],
};
const steps = [{ interface: 'bios', step: 'apply_configuration', args: { settings: [{ name: 'Answer', value: 42 }] } }];
const service = async (changes: Partial<ServiceData> = {}) =>
  (await testHost(mock)).provisioner.service(serviceData(changes));

describe('servicing', () => {
  it('of an active node starts with what differs', async () => {
    mock.node({ provision_state: 'active' });
    expect(await service({ firmware })).toEqual({ result: D(3), started: true });
    expect(target()).toEqual({ target: 'service', service_steps: steps });
  });

  it('has nothing to do when nothing differs, or all has been taken', async () => {
    mock.node({ provision_state: 'active' });
    expect(await service()).toEqual({ result: DONE, started: true });
    expect(await service({ firmware, unprepared: false })).toEqual({ result: DONE, started: false });
    expect(mock.sequence()).toEqual([GET, GET]);
  });

  it('has not started when the command meets a lock', async () => {
    mock.node({ provision_state: 'active' }).on('PUT', `/v1/${node}/states/provision`, { status: 409 });
    expect(await service({ firmware })).toEqual({ result: D(3), started: false });
  });

  it('that failed shows why', async () => {
    mock.node({ provision_state: 'service failed', last_error: 'no', maintenance: true, fault: 'service failure' });
    expect(await service({ firmware })).toEqual({ result: { kind: 'failed', message: 'no' }, started: false });
    expect(mock.sequence()).toEqual([GET]);
  });

  it('that failed is retried once the maintenance is lifted', async () => {
    mock.node({ provision_state: 'service failed', maintenance: true, fault: 'service failure' });
    expect(await service({ firmware, restartOnFailure: true })).toEqual({ result: D(0), started: false });
    expect(mock.sequence()).toEqual([GET, CLEAR]);
    mock.node({ provision_state: 'service failed' });
    expect(await service({ firmware, unprepared: false, restartOnFailure: true })).toEqual({
      result: D(3),
      started: true,
    });
    expect(target()).toEqual({ target: 'service', service_steps: steps });
  });

  it('that failed is given up when nothing is wished for any more', async () => {
    mock.node({ provision_state: 'service failed' });
    expect(await service({ hasFirmwareSpec: false })).toEqual({ result: D(3), started: true });
    expect(target()).toEqual({ target: 'abort' });
    mock.node({ provision_state: 'service failed', maintenance: true, fault: 'service failure' });
    expect(await service({ hasFirmwareSpec: false })).toEqual({ result: D(0), started: false });
    expect(mock.sequence().at(-1)).toBe(CLEAR);
  });

  it('that failed is given up by a retry with nothing left to change', async () => {
    mock.node({ provision_state: 'service failed' });
    expect(await service({ restartOnFailure: true })).toEqual({ result: D(3), started: true });
    expect(target()).toEqual({ target: 'abort' });
  });

  it('is waited for, as long as it is wished for', async () => {
    mock.node({ provision_state: 'servicing' });
    expect(await service({ hasFirmwareSpec: false })).toEqual({ result: D(10), started: false });
    mock.node({ provision_state: 'service wait' });
    expect(await service()).toEqual({ result: D(10), started: false });
    expect(mock.sequence()).toEqual([GET, GET]);
    expect(await service({ hasFirmwareSpec: false })).toEqual({ result: D(3), started: true });
    expect(target()).toEqual({ target: 'abort' });
  });

  it.each(['cleaning', 'available', 'manageable', 'deploy failed'])('makes no sense in %s', async (state) => {
    mock.node({ provision_state: state });
    await expect(service({ firmware })).rejects.toMatchObject({ code: 'IRONIC_UNEXPECTED_STATE' });
  });

  it('needs a registered host', async () => {
    mock.absent(nodeUUID);
    await expect(service()).rejects.toMatchObject({ code: 'NEEDS_REGISTRATION' });
  });
});
