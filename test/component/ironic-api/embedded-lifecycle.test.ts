import { afterEach, describe, expect, it } from '@jest/globals';
import { errorOf } from '../../support/ironic-api/client.js';
import { bring, enroll, image, startBench, stopBenches } from './harness.js';

afterEach(stopBenches);

/** The distinct provision states that a node went through, in order. */
function statesOf(bench: Awaited<ReturnType<typeof startBench>>, uuid: string): (string | null)[] {
  const moves = bench.ironic.history().filter((entry) => entry.node === uuid && entry.action !== 'attach');
  return moves.map((entry) => entry.to).filter((state) => state !== 'power on' && state !== 'power off');
}

/** The agent calls twice: when it is there, and when it has done its step. */
const cleaning = ['cleaning', 'clean wait', 'cleaning', 'clean wait', 'cleaning'];
const deploying = ['deploying', 'wait call-back', 'deploying', 'wait call-back', 'deploying'];

describe('the life of a Redfish node', () => {
  it('passes through the states of a real one, from enroll to available again', async () => {
    const bench = await startBench();
    const { api, reach } = bench;
    const uuid = await enroll(api);
    const states = async (target: string, end: string) => {
      const before = statesOf(bench, uuid).length;
      expect((await api.provision(uuid, target)).status).toBe(202);
      await reach(uuid, end);
      return statesOf(bench, uuid).slice(before);
    };
    expect(await states('manage', 'manageable')).toEqual(['verifying', 'manageable']);
    expect(await states('inspect', 'manageable')).toEqual(['inspecting', 'inspect wait', 'inspecting', 'manageable']);
    expect(await states('provide', 'available')).toEqual([...cleaning, 'available']);
    await api.patch(`/v1/nodes/${uuid}`, image);
    expect(await states('active', 'active')).toEqual([...deploying, 'active']);
    expect(await states('deleted', 'available')).toEqual(['deleting', ...cleaning, 'available']);
  });

  it('shows the next state, its target and the lock before the request is answered', async () => {
    const { api } = await startBench();
    const uuid = await enroll(api);
    await api.provision(uuid, 'manage');
    expect(await api.node(uuid)).toMatchObject({
      provision_state: 'verifying',
      target_provision_state: 'manageable',
      reservation: 'conductor-1',
    });
  });

  it('leaves an instance masked while it runs and nothing of it after deletion', async () => {
    const bench = await startBench();
    const { api, reach } = bench;
    const uuid = await bring(bench, 'available');
    const instance = '11111111-0000-4000-8000-000000000001';
    await api.patch(`/v1/nodes/${uuid}`, [
      ...image,
      { op: 'add', path: '/instance_uuid', value: instance },
      { op: 'add', path: '/instance_info/image_pull_secret', value: 'user:hush' },
    ]);
    await api.provision(uuid, 'active', { configdrive: { user_data: '#cloud-config', meta_data: { name: 'h' } } });
    const active = await reach(uuid, 'active');
    expect(active).toMatchObject({
      power_state: 'power on',
      instance_uuid: instance,
      instance_info: { configdrive: '******', image_pull_secret: '******', image_type: 'whole-disk' },
    });
    expect(bench.ironic.node(uuid)?.instance_info['configdrive']).toMatchObject({ user_data: '#cloud-config' });
    await api.provision(uuid, 'deleted');
    expect(await reach(uuid, 'available')).toMatchObject({
      instance_uuid: null,
      instance_info: {},
      power_state: 'power off',
    });
  });

  it('goes straight to available without automated cleaning', async () => {
    const bench = await startBench();
    const uuid = await bring(bench, 'manageable', { automated_clean: false });
    await bench.api.provision(uuid, 'provide');
    await bench.reach(uuid, 'available', 0.2);
    expect(statesOf(bench, uuid)).not.toContain('clean wait');
  });

  it('deploys a live image without a call-back and a custom deploy without an image', async () => {
    const bench = await startBench();
    const { api, reach } = bench;
    const live = await bring(bench, 'available', { deploy_interface: 'ramdisk' });
    await api.patch(`/v1/nodes/${live}`, [{ op: 'add', path: '/instance_info/boot_iso', value: 'http://i/live.iso' }]);
    await api.provision(live, 'active');
    await reach(live, 'active');
    expect(statesOf(bench, live)).not.toContain('wait call-back');
    const custom = await bring(bench, 'available', { deploy_interface: 'custom-agent' });
    const deploy_steps = [{ interface: 'deploy', step: 'install_coreos', args: {}, priority: 80 }];
    expect((await api.provision(custom, 'active', { deploy_steps })).status).toBe(202);
    expect(await reach(custom, 'wait call-back')).toMatchObject({ deploy_step: deploy_steps[0] });
    await reach(custom, 'active');
  });

  it('refuses a deployment without a checksum at the request, with the text of a real Ironic', async () => {
    const bench = await startBench();
    const uuid = await bring(bench, 'available');
    await bench.api.patch(`/v1/nodes/${uuid}`, image.slice(0, 1));
    const reply = await bench.api.provision(uuid, 'active');
    const reason =
      'image_source\'s "image_checksum", or "image_os_hash_algo" and "image_os_hash_value" must be provided in ' +
      `instance_info for node ${uuid}`;
    expect([reply.status, errorOf(reply).faultstring]).toEqual([
      400,
      `Failed to validate deploy or power info for node ${uuid}: ${reason}`,
    ]);
    const verdicts = await bench.api.get(`/v1/nodes/${uuid}/validate`);
    expect(verdicts.body.deploy).toEqual({ result: false, reason });
    expect(await bench.api.node(uuid)).toMatchObject({ provision_state: 'available' });
  });

  it('takes an OCI image without a checksum', async () => {
    const bench = await startBench();
    const uuid = await bring(bench, 'available');
    await bench.api.patch(`/v1/nodes/${uuid}`, [
      { op: 'add', path: '/instance_info/image_source', value: 'oci://registry.example.com/os:1' },
    ]);
    expect((await bench.api.provision(uuid, 'active')).status).toBe(202);
  });

  it('is adopted without touching the disk', async () => {
    const bench = await startBench();
    const uuid = await bring(bench, 'manageable');
    await bench.api.provision(uuid, 'adopt');
    expect(await bench.reach(uuid, 'active')).toMatchObject({ target_provision_state: null });
    expect(statesOf(bench, uuid)).not.toContain('deploying');
  });

  it('does what manual cleaning steps say: RAID, settings, firmware', async () => {
    const bench = await startBench();
    const { api, reach } = bench;
    const uuid = await bring(bench, 'manageable');
    const logical_disks = [{ size_gb: 'MAX', raid_level: '1', controller: 'software', is_root_volume: true }];
    expect((await api.put(`/v1/nodes/${uuid}/states/raid`, { logical_disks })).status).toBe(204);
    const clean_steps = [
      { interface: 'raid', step: 'delete_configuration' },
      { interface: 'raid', step: 'create_configuration' },
      { interface: 'bios', step: 'apply_configuration', args: { settings: [{ name: 'NumLock', value: 'Off' }] } },
      {
        interface: 'firmware',
        step: 'update',
        args: { settings: [{ component: 'bios', url: 'http://f/bios-9.9.1.bin' }] },
      },
    ];
    await api.provision(uuid, 'clean', { clean_steps });
    expect(await reach(uuid, 'clean wait')).toMatchObject({
      target_provision_state: 'manageable',
      clean_step: clean_steps[0],
    });
    expect(await reach(uuid, 'manageable')).toMatchObject({ raid_config: { logical_disks }, clean_step: {} });
    const bios = await api.get(`/v1/nodes/${uuid}/bios?detail=true`);
    const numLock = bios.body.bios.find((setting: { name: string }) => setting.name === 'NumLock');
    expect(numLock).toMatchObject({ value: 'Off', attribute_type: 'Enumeration', allowable_values: ['On', 'Off'] });
    const firmware = await api.get(`/v1/nodes/${uuid}/firmware`);
    expect(firmware.body.firmware[0]).toMatchObject({ component: 'bios', current_version: '9.9.1' });
  });

  it('is serviced while active, and comes back powered on', async () => {
    const bench = await startBench();
    const uuid = await bring(bench, 'active');
    const service_steps = [
      { interface: 'bios', step: 'apply_configuration', args: { settings: [{ name: 'NumLock', value: 'Off' }] } },
    ];
    await bench.api.provision(uuid, 'service', { service_steps });
    await bench.reach(uuid, 'service wait');
    expect(await bench.reach(uuid, 'active')).toMatchObject({ power_state: 'power on', service_step: {} });
  });

  it('ends each wait on abort: failed states keep their target and name the abort', async () => {
    const bench = await startBench();
    const { api, reach } = bench;
    const uuid = await bring(bench, 'manageable');
    await api.provision(uuid, 'inspect');
    await reach(uuid, 'inspect wait');
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    expect(await api.node(uuid)).toMatchObject({
      provision_state: 'inspect failed',
      target_provision_state: 'manageable',
      power_state: 'power off',
      last_error: 'Inspection was aborted by request.',
      maintenance: false,
    });
    await api.provision(uuid, 'manage');
    expect(await api.node(uuid)).toMatchObject({ provision_state: 'manageable', target_provision_state: null });
    await api.provision(uuid, 'provide');
    await reach(uuid, 'clean wait');
    await api.provision(uuid, 'abort');
    const cleaned = await api.node(uuid);
    expect(cleaned).toMatchObject({ provision_state: 'clean failed', maintenance: false, fault: null });
    expect(cleaned.last_error).toMatch(/^By request, the clean operation was aborted/);
  });

  it('aborts a deployment from version 1.110 on', async () => {
    const bench = await startBench();
    const { api, reach } = bench;
    const uuid = await bring(bench, 'available');
    await api.patch(`/v1/nodes/${uuid}`, image);
    await api.provision(uuid, 'active');
    await reach(uuid, 'wait call-back');
    const old = await api.put(`/v1/nodes/${uuid}/states/provision`, { target: 'abort' }, '1.109');
    expect(old.status).toBe(406);
    expect((await api.provision(uuid, 'abort')).status).toBe(202);
    expect((await api.node(uuid)).provision_state).toBe('deploy failed');
  });

  it('lets a step that cannot be cut short end before it aborts', async () => {
    const bench = await startBench();
    const uuid = await bring(bench, 'active');
    const service_steps = [{ interface: 'bios', step: 'factory_reset' }];
    await bench.api.provision(uuid, 'service', { service_steps });
    await bench.reach(uuid, 'service wait');
    await bench.api.provision(uuid, 'abort');
    expect(await bench.api.node(uuid)).toMatchObject({
      provision_state: 'service wait',
      service_step: { abort_after: true },
    });
    expect((await bench.reach(uuid, 'active')).last_error).toContain('bios.factory_reset');
  });
});

describe('inspection', () => {
  it('finds the same host each time and different hosts behind different nodes', async () => {
    const bench = await startBench();
    const { api, reach } = bench;
    const inspect = async (uuid: string) => {
      await api.provision(uuid, 'inspect');
      await reach(uuid, 'inspect wait');
      await reach(uuid, 'manageable');
      return (await api.get(`/v1/nodes/${uuid}/inventory`)).body;
    };
    const first = await bring(bench, 'manageable', { boot_interface: 'ipxe' });
    const once = await inspect(first);
    expect(await inspect(first)).toEqual(once);
    const [port] = (await api.get(`/v1/ports?node_uuid=${first}&detail=true`)).body.ports;
    const [nic] = once.inventory.interfaces;
    expect(nic.mac_address).toBe(port.address);
    expect(once.plugin_data.all_interfaces[nic.name]).toMatchObject({ pxe_enabled: true });
    expect(once.plugin_data.parsed_lldp[nic.name]).toMatchObject({ switch_port_untagged_vlan_id: 100 });
    const serials = new Set<string>();
    for (let host = 0; host < 6; host++) {
      const other = await inspect(await bring(bench, 'manageable'));
      serials.add(other.inventory.system_vendor.serial_number);
    }
    expect(serials.size).toBe(6);
  });

  it('gives every card of a Redfish host a port, and a host without ports one of its own', async () => {
    const bench = await startBench();
    const { api, reach } = bench;
    const uuid = await enroll(api, {}, false);
    await api.provision(uuid, 'manage');
    await reach(uuid, 'manageable');
    await api.provision(uuid, 'inspect');
    await reach(uuid, 'inspect wait');
    const node = await reach(uuid, 'manageable');
    expect(node.inspection_finished_at).not.toBeNull();
    const { inventory } = (await api.get(`/v1/nodes/${uuid}/inventory`)).body;
    const ports = (await api.get(`/v1/nodes/${uuid}/ports`)).body.ports as { address: string }[];
    expect(ports.map((port) => port.address).sort()).toEqual(
      (inventory.interfaces as { mac_address: string }[]).map((each) => each.mac_address).sort(),
    );
  });
});

describe('a machine whose node is deleted', () => {
  it('goes on as it was: the next node of the same controller finds it on', async () => {
    const bench = await startBench();
    const { api, reach } = bench;
    const uuid = await bring(bench, 'active');
    const { driver_info } = await api.node(uuid);
    await api.put(`/v1/nodes/${uuid}/maintenance`, {});
    expect((await api.delete(`/v1/nodes/${uuid}`)).status).toBe(204);
    const again = await enroll(api, { driver_info: { ...(driver_info as object), redfish_password: 'secret' } });
    await api.provision(again, 'manage');
    expect(await reach(again, 'manageable')).toMatchObject({ power_state: 'power on' });
  });
});
