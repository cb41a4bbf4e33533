/** Which hosts Ironic keeps a node for, by the names of its nodes. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { testFactory } from '../../support/ironic-host.js';
import { MockIronic } from '../../support/mock-ironic.js';

let mock: MockIronic;
beforeEach(async () => void (mock = await MockIronic.start()));
afterEach(() => mock.stop());

describe('the hosts that Ironic knows', () => {
  it('are told by one list, without nodes that are named in another way', async () => {
    const names = ['myns~one', 'other~two', 'plain', null, 'a~b~c', '~x'];
    const nodes = names.map((name, index) => ({ uuid: `u${index}`, name, provision_state: 'available' }));
    mock.on('GET', '/v1/nodes', { body: { nodes } });
    expect(await testFactory(mock).knownHosts()).toEqual(['myns/one', 'other/two']);
    expect(mock.sequence()).toEqual(['GET nodes?fields=uuid%2Cname%2Cprovision_state%2Cboot_interface']);
  });

  it('are not asked for while Ironic is not ready', async () => {
    mock.on('GET', '/v1/drivers', { body: { drivers: [] } });
    await expect(testFactory(mock).knownHosts()).rejects.toMatchObject({ name: 'ProvisionerNotReady' });
    expect(mock.sequence()).toEqual([]);
  });
});
