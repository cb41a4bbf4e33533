import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { D, DONE, StillClock, testHost } from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const node = `nodes/${nodeUUID}`;
const GET = `GET ${node}`;
const PROV = `PUT ${node}/states/provision`;
const CLEAR = `DELETE ${node}/maintenance`;
const target = () => mock.last('PUT', `${node}/states/provision`).body;
const patch = () => mock.last('PATCH', node).body;

describe('deprovisioning', () => {
  async function deprovision(restartOnFailure = false, automatedCleaningMode: 'metadata' | 'disabled' = 'metadata') {
    const { provisioner, events } = await testHost(mock);
    return { result: await provisioner.deprovision({ restartOnFailure, automatedCleaningMode }), events };
  }

  it('is complete once the node is available', async () => {
    mock.node({ provision_state: 'available' });
    expect(await deprovision()).toEqual({
      result: DONE,
      events: ['DeprovisioningComplete: The host is clean'],
    });
  });

  it('of a manageable node goes on with cleaning', async () => {
    mock.node({ provision_state: 'manageable' });
    expect((await deprovision()).result).toEqual(D(3));
    expect(target()).toEqual({ target: 'provide' });
  });

  it.each([
    ['service wait', 'abort'],
    ['service hold', 'abort'],
    ['inspect wait', 'abort'],
    ['inspect failed', 'manage'],
    ['adopt failed', 'manage'],
  ])('of a node in %s ends what was begun there: %s', async (state, verb) => {
    mock.node({ provision_state: state, maintenance: true });
    expect((await deprovision()).result).toEqual(D(0));
    expect(mock.sequence().at(-1)).toBe(CLEAR);
    mock.node({ provision_state: state });
    expect((await deprovision()).result).toEqual(D(3));
    expect(target()).toEqual({ target: verb });
  });

  const working = ['deleting', 'cleaning', 'clean wait', 'deploying', 'servicing', 'adopting', 'inspecting'];
  it.each(working)('waits in %s', async (state) => {
    mock.node({ provision_state: state });
    expect((await deprovision()).result).toEqual(D(10));
  });

  it.each(['active', 'deploy failed', 'wait call-back', 'service failed'])(
    'of a node in %s sets cleaning first, then undeploys',
    async (state) => {
      mock.node({ provision_state: state });
      expect(await deprovision()).toEqual({ result: D(0), events: [] });
      expect(patch()).toEqual([{ op: 'add', path: '/automated_clean', value: true }]);
      mock.node({ provision_state: state, automated_clean: false });
      expect(await deprovision(false, 'disabled')).toEqual({
        result: D(3),
        events: ['DeprovisioningStarted: Cleaning the host'],
      });
      expect(target()).toEqual({ target: 'deleted' });
    },
  );

  it('says only for what it waits while the node is at fault', async () => {
    mock.node({ provision_state: 'active', automated_clean: true, fault: 'power failure', maintenance: true });
    const waitsFor = 'the fault "power failure" of its Ironic node to end';
    expect(await deprovision()).toEqual({ result: { ...D(10), waitsFor }, events: [] });
  });

  it('fails as a passing problem when cleaning cannot be set', async () => {
    mock.node({ provision_state: 'active' }).on('PATCH', `/v1/${node}`, { status: 503 });
    await expect(deprovision()).rejects.toThrow('failed to update automatedClean');
  });

  it('waits where that meets a lock, and undeploys nothing meanwhile', async () => {
    mock.node({ provision_state: 'active' }).on('PATCH', `/v1/${node}`, { status: 409 });
    expect(await deprovision()).toEqual({ result: D(3), events: [] });
    expect(mock.sequence()).not.toContain(`PUT ${node}/states/provision`);
  });

  it('that ended in error shows why, and is restarted on a retry', async () => {
    mock.node({ provision_state: 'error', last_error: 'boom' });
    expect((await deprovision()).result).toEqual({ kind: 'failed', message: 'Deprovisioning failed: boom' });
    expect(await deprovision(true)).toEqual({
      result: D(3),
      events: ['DeprovisioningStarted: Cleaning the host once more'],
    });
  });

  it('whose cleaning failed shows why; a retry lifts the maintenance and cleans in one go', async () => {
    const failedNode = {
      provision_state: 'clean failed',
      last_error: 'no disk',
      maintenance: true,
      fault: 'clean failure',
    };
    const body = { uuid: nodeUUID, provision_state: 'clean failed' };
    mock
      .node(failedNode)
      .on('GET', `/v1/${node}`, { body: { ...body, ...failedNode } }, { body: { ...body, ...failedNode } }, { body });
    expect((await deprovision()).result).toEqual({ kind: 'failed', message: 'Cleaning failed: no disk' });
    mock.requests.length = 0;
    expect((await deprovision(true)).result).toEqual(D(3));
    expect(mock.sequence()).toEqual([GET, CLEAR, GET, PROV]);
    expect(target()).toEqual({ target: 'manage' });
  });

  it.each([
    ['clean failed', 'Cleaning failed: '],
    ['error', 'Deprovisioning failed: '],
  ])(
    '(%s) whose reason is not there yet is looked at again, and told without one when it stays away',
    async (provision_state, told) => {
      mock.node({ provision_state, last_error: null });
      const clock = new StillClock();
      const { provisioner } = await testHost(mock, { factory: { clock } });
      const ask = () => provisioner.deprovision({ restartOnFailure: false, automatedCleaningMode: 'metadata' });
      expect(await ask()).toEqual(D(0));
      clock.ms += 5100;
      expect(await ask()).toEqual({ kind: 'failed', message: `${told}Ironic has kept no reason; its log has it` });
    },
  );

  it('does not forget a retry that meets a lock', async () => {
    mock
      .node({ provision_state: 'clean failed', maintenance: true })
      .on('DELETE', `/v1/${node}/maintenance`, { status: 409 });
    await expect(deprovision(true)).rejects.toMatchObject({ code: 'IRONIC_CONFLICT', retry: 'after' });
  });

  it('makes no sense in other states', async () => {
    mock.node({ provision_state: 'enroll' });
    await expect(deprovision()).rejects.toMatchObject({ code: 'IRONIC_UNEXPECTED_STATE' });
  });
});
