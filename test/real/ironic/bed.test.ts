/** The bed itself, without an operator: what the other files of this folder take for granted. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Bed } from './bed.js';

const bed = await Bed.start('bed');
afterAll(() => bed.stop());
const number = 16;
const name = 'bed-test';

async function moves(to: string, target: string): Promise<void> {
  const { status, body } = await bed.request('PUT', `/v1/nodes/${name}/states/provision`, { target });
  expect([status, body]).toEqual([202, undefined]);
  await bed.reaches(name, to);
}

describe('the bed', () => {
  beforeAll(async () => {
    const { redfishAddress, systemPath, mac } = bed.machine(number);
    const { username, password } = bed.bmcCredentials;
    const { kernel, ramdisk } = bed.agentImage;
    const { status, body } = await bed.request('POST', '/v1/nodes', {
      name,
      driver: 'redfish',
      boot_interface: 'redfish-virtual-media',
      driver_info: {
        ...{ redfish_address: redfishAddress, redfish_system_id: systemPath },
        ...{ redfish_username: username, redfish_password: password },
        ...{ deploy_kernel: kernel, deploy_ramdisk: ramdisk },
      },
    });
    expect(status).toBe(201);
    const port = { node_uuid: body.uuid, address: mac };
    expect((await bed.request('POST', '/v1/ports', port)).status).toBe(201);
  });
  it('has machines whose agents are inspected by Ironic', async () => {
    await moves('manageable', 'manage');
    await moves('manageable', 'inspect');
    const { status, body } = await bed.request('GET', `/v1/nodes/${name}/inventory`);
    expect([status, body.inventory.memory.physical_mb]).toEqual([200, 32_768]);
  });

  it('has agents that fetch an image, and machines that boot it from their disk', async () => {
    await moves('available', 'provide');
    const { url, checksum } = bed.image();
    const instance = { image_source: url, image_os_hash_algo: 'sha256', image_os_hash_value: checksum };
    await bed.request('PATCH', `/v1/nodes/${name}`, [
      { op: 'add', path: '/instance_info', value: { ...instance, image_disk_format: 'raw', image_type: 'whole-disk' } },
    ]);
    await moves('active', 'active');
    expect(await bed.agent(number)).toMatchObject({ power: 'On', running: 'disk', writes: [{ image: url, checksum }] });
  });

  it('has an Ironic that can be ended, and one that has forgotten all put in its place', async () => {
    await bed.halt('ironic');
    await expect(bed.node(name)).rejects.toThrow();
    await bed.resumeIronic();
    expect(await bed.node(name)).toMatchObject({ provision_state: 'active' });
    await bed.halt('ironic');
    bed.emptyDatabase();
    await bed.resumeIronic();
    expect((await bed.request('GET', '/v1/nodes')).body.nodes).toEqual([]);
  });
});
