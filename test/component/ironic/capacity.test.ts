import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CapacityLedger } from '../../../src/provisioner/capacity/ledger.js';
import { hostAccess, StillClock, testFactory, testHost, type TestHostOptions } from '../../support/ironic-host.js';
import { MockIronic } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const busyStates = ['cleaning', 'clean wait', 'inspecting', 'inspect wait', 'deploying', 'wait call-back', 'deleting'];
const nodes = (changes: object = {}) =>
  busyStates.map((provision_state, i) => ({ uuid: `u${i}`, name: `myns~h${i}`, provision_state, ...changes }));
const listed = (...rows: object[]) => mock.on('GET', '/v1/nodes', { body: { nodes: rows } });

/** What the controller does with the answer. */
async function hasCapacity(limit: number, options: TestHostOptions = {}) {
  const { provisioner } = await testHost(mock, options);
  const { exempt, busy } = await provisioner.capacity();
  if (exempt) return true;
  const ledger = new CapacityLedger(limit);
  ledger.observe(busy);
  return ledger.reserve('myns/myhost').granted;
}

describe('capacity', () => {
  it('is gone when as many nodes are busy as may be', async () => {
    listed(...nodes(), { uuid: 'idle', name: 'myns~idle', provision_state: 'available' });
    expect(await hasCapacity(7)).toBe(false);
    expect(await hasCapacity(8)).toBe(true);
    expect(mock.sequence()[0]).toBe('GET nodes?fields=uuid%2Cname%2Cprovision_state%2Cboot_interface');
  });

  it('is there for a host that is busy itself', async () => {
    listed(...nodes().slice(1), { uuid: 'own', name: 'myns~myhost', provision_state: 'deploying' });
    expect(await hasCapacity(7)).toBe(true);
  });

  it('is always there for virtual media, without a question', async () => {
    expect(await hasCapacity(1, { host: { bmcAddress: 'redfish-virtualmedia://h' } })).toBe(true);
    expect(mock.sequence()).toEqual([]);
  });

  it('is not used up by nodes that boot from virtual media', async () => {
    listed(...nodes({ boot_interface: 'redfish-virtual-media' }));
    expect(await hasCapacity(1)).toBe(true);
  });

  it('counts nodes that are not ours, each for itself', async () => {
    listed(...nodes({ name: null }));
    expect((await (await testHost(mock)).provisioner.capacity()).busy).toEqual(busyStates.map((_, i) => `u${i}`));
  });

  it('is found out for a host whose address cannot be read, too', async () => {
    listed(...nodes());
    expect(await hasCapacity(7, { host: { bmcAddress: '' } })).toBe(false);
    expect(await hasCapacity(8, { host: { bmcAddress: 'ipmi//192.0.2.10' } })).toBe(true);
  });

  it('is an error when the list cannot be read', async () => {
    mock.on('GET', '/v1/nodes', { status: 500 });
    await expect(hasCapacity(1)).rejects.toMatchObject({ code: 'IRONIC_SERVER_ERROR' });
  });

  it('asks for the list once for many hosts, and again when it has aged', async () => {
    listed(...nodes());
    const clock = new StillClock();
    const factory = testFactory(mock, { factory: { clock }, config: { readinessTTLMs: 60_000 } });
    const ask = async (name: string) => (await factory.forHost(hostAccess({ name }), () => undefined)).capacity();
    await Promise.all(['a', 'b', 'c'].map(ask));
    expect(mock.sequence()).toHaveLength(1);
    clock.ms += 4000;
    await ask('a');
    expect(mock.sequence()).toHaveLength(2);
  });

  it('sees every page of a long list, and stays with Ironic while it turns them', async () => {
    const [first, ...rest] = nodes();
    const next = 'http://elsewhere.example/v1/nodes?marker=u0';
    mock.on('GET', '/v1/nodes', { body: { nodes: [first], next } }, { body: { nodes: rest } });
    expect(await hasCapacity(7)).toBe(false);
    expect(mock.sequence()).toEqual([expect.stringContaining('fields='), 'GET nodes?marker=u0']);
  });
});
