import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { D, registerData, testHost, type TestHostOptions } from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

const node = `nodes/${nodeUUID}`;

async function register(data: Parameters<typeof registerData>[0] = {}, options: TestHostOptions = {}) {
  const { provisioner } = await testHost(mock, options);
  return provisioner.register(registerData(data));
}

describe('ports', () => {
  const enrolled = { provision_state: 'enroll', driver_info: { test_address: 'test.bmc' } };
  const nics = [
    { mac: 'aa:bb:cc:dd:ee:ff', pxe: true },
    { mac: '11:22:33:44:55:66', pxe: false },
    { mac: '77:88:99:AA:BB:CC', pxe: false },
  ];

  it('are created for each interface, then the node is managed', async () => {
    mock.node(enrolled).ports();
    const host = { bootMACAddress: 'AA:bb:cc:dd:ee:ff' };
    expect(await register({ hardware: { nics } }, { host })).toMatchObject({ result: D(3) });
    expect(mock.requests.filter((r) => r.method === 'POST').map((r) => r.body)).toEqual([
      { node_uuid: nodeUUID, address: 'aa:bb:cc:dd:ee:ff', pxe_enabled: true },
      { node_uuid: nodeUUID, address: '11:22:33:44:55:66', pxe_enabled: false },
      { node_uuid: nodeUUID, address: '77:88:99:aa:bb:cc', pxe_enabled: false },
    ]);
    expect(mock.sequence().at(-1)).toBe(`PUT ${node}/states/provision`);
    expect(mock.sequence()[1]).toContain(`node_uuid=${nodeUUID}`);
  });

  it('are not looked at when there is nothing to create', async () => {
    mock.node(enrolled);
    await register({ hardware: { nics: [] } });
    expect(mock.sequence()).toEqual([`GET ${node}`, `PUT ${node}/states/provision`]);
  });

  it('that are there already are told by their MAC address in any case', async () => {
    mock.node(enrolled).ports({ address: 'aa:bb:cc:dd:ee:ff', node_uuid: nodeUUID });
    await register({}, { host: { bootMACAddress: 'AA:BB:CC:DD:EE:FF' } });
    expect(mock.sequence().filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('of another node are an error that names both', async () => {
    mock.node(enrolled);
    mock.on('GET', '/v1/ports', { body: { ports: [] } }, { body: { ports: [{ address: 'x', node_uuid: 'V' }] } });
    await expect(register({ hardware: { nics: nics.slice(0, 1) } })).rejects.toThrow(
      'port aa:bb:cc:dd:ee:ff of node myns~myhost belongs to another node V',
    );
    expect(mock.sequence().filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('are all found, however many pages they fill', async () => {
    mock.node(enrolled);
    const present = nics.map(({ mac }) => ({ address: mac.toLowerCase(), node_uuid: nodeUUID }));
    const next = `${mock.origin}/v1/ports?fields=address&limit=2&marker=m&node_uuid=${nodeUUID}`;
    mock.on('GET', '/v1/ports', { body: { ports: present.slice(0, 2), next } }, { body: { ports: present.slice(2) } });
    await register({ hardware: { nics } });
    expect(mock.sequence().filter((line) => line.includes('marker=m'))).toHaveLength(1);
    expect(mock.sequence().filter((line) => line.startsWith('POST'))).toEqual([]);
  });
});
