import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { derivedUUID } from '../../../src/provisioner/ironic/index.js';
import { D, DONE, hostUID, testHost, type TestHostOptions } from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const node = `nodes/${nodeUUID}`;
const GET = `GET ${node}`;
const remove = async (options: TestHostOptions = {}) => (await testHost(mock, options)).provisioner.delete();
const detach = async (force: boolean) => (await testHost(mock)).provisioner.detach(force);

describe('deleting', () => {
  it('puts a node that is in use into maintenance, then deletes it', async () => {
    mock.node({ provision_state: 'active' });
    expect(await remove()).toEqual(D(0));
    expect(mock.sequence()).toEqual([GET, `PUT ${node}/maintenance`]);
    expect(mock.last('PUT', `${node}/maintenance`).body.reason).toContain('deletion');
    mock.node({ provision_state: 'active', maintenance: true, fault: 'power failure' });
    expect(await remove()).toEqual(D(0));
    expect(mock.sequence().at(-1)).toBe(`DELETE ${node}`);
  });

  it.each([
    [409, D(3)],
    [404, D(0)],
    [202, D(0)],
  ])('takes the answer %d to mean %j', async (status, result) => {
    mock.node({ provision_state: 'enroll' }).on('DELETE', `/v1/${node}`, { status });
    expect(await remove()).toEqual(result);
  });

  it('fails as a passing problem when Ironic fails', async () => {
    mock.node({ provision_state: 'enroll' }).on('DELETE', `/v1/${node}`, { status: 500 });
    await expect(remove()).rejects.toThrow('failed to remove host');
    mock.on('GET', `/v1/${node}`, { status: 504 });
    await expect(remove()).rejects.toThrow(`failed to find node by ID ${nodeUUID}`);
  });

  it('needs no maintenance for a node that never enrolled', async () => {
    mock.node({ provision_state: 'enroll', last_error: 'bad credentials' });
    expect(await remove()).toEqual(D(0));
    expect(mock.sequence()).toEqual([GET, `DELETE ${node}`]);
  });

  it('waits quietly while Ironic verifies', async () => {
    mock.node({ provision_state: 'verifying', reservation: 'conductor' });
    expect(await remove()).toEqual(D(3));
    expect(mock.sequence()).toEqual([GET]);
  });

  it('takes the instance off a node at rest', async () => {
    mock.node({ provision_state: 'available', instance_uuid: hostUID });
    expect(await remove()).toEqual(D(0));
    expect(mock.last('PATCH', node).body).toEqual([{ op: 'remove', path: '/instance_uuid' }]);
    expect(mock.sequence()).toEqual([GET, `PATCH ${node}`, `DELETE ${node}`]);
    mock.on('PATCH', `/v1/${node}`, { status: 409 });
    expect(await remove()).toEqual(D(3));
  });

  it('is complete when the node is gone', async () => {
    mock.absent(nodeUUID);
    expect(await remove()).toEqual(DONE);
  });
});

describe('deleting a host that has no ID', () => {
  const derived = derivedUUID(hostUID)!;
  const host = { provisionerID: '' };

  it('is complete when Ironic has no node for it', async () => {
    mock.absent(derived, 'myns~myhost');
    expect(await remove({ host })).toEqual(DONE);
    expect(mock.sequence()).toEqual([`GET nodes/${derived}`, 'GET nodes/myns~myhost']);
  });

  it('removes the node whose creation was never heard of', async () => {
    mock.node({ uuid: derived, provision_state: 'enroll' });
    expect(await remove({ host })).toEqual(D(0));
    expect(mock.sequence()).toEqual([`GET nodes/${derived}`, `DELETE nodes/${derived}`]);
  });

  it('removes a node of its name', async () => {
    mock.node({ provision_state: 'enroll' }).absent(derived);
    expect(await remove({ host })).toEqual(D(0));
    expect(mock.sequence().at(-1)).toBe(`DELETE ${node}`);
  });

  it.each(['', 'ipmi//192.0.2.10', 'foo://h'])('asks nothing when its address is %j', async (bmcAddress) => {
    expect(await remove({ host: { ...host, bmcAddress } })).toEqual(DONE);
    expect(mock.sequence()).toEqual([]);
  });
});

describe('detaching', () => {
  it.each(['deploying', 'cleaning', 'inspecting', 'servicing', 'deleting'])('by force waits in %s', async (state) => {
    mock.node({ provision_state: state });
    expect(await detach(true)).toEqual(D(10));
    expect(mock.sequence()).toEqual([GET]);
  });

  it.each(['wait call-back', 'inspect wait', 'clean wait', 'service wait'])(
    'without force waits in %s',
    async (state) => {
      mock.node({ provision_state: state });
      expect(await detach(false)).toEqual(D(10));
      expect(mock.sequence()).toEqual([GET]);
    },
  );

  it.each(['inspect wait', 'clean wait', 'service wait'])('by force aborts %s', async (state) => {
    mock.node({ provision_state: state });
    expect(await detach(true)).toEqual(D(3));
    expect(mock.last('PUT', `${node}/states/provision`).body).toEqual({ target: 'abort' });
  });

  it.each([
    ['1.110', 'abort'],
    ['1.95', 'deleted'],
  ])('by force ends a deployment on API %s with %s', async (version, target) => {
    await mock.stop();
    mock = await MockIronic.start(version);
    mock.node({ provision_state: 'wait call-back' });
    expect(await detach(true)).toEqual(D(3));
    expect(mock.last('PUT', `${node}/states/provision`).body).toEqual({ target });
  });
});
