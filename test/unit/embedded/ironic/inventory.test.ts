import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inventoryOf } from '../../../../src/embedded/ironic/inventory.js';

type Parsed = ReturnType<typeof JSON.parse>;

const seed = {
  bootMac: '52:54:00:00:00:01',
  bmcAddress: 'https://[2001:db8::7]:443',
  networkBoot: true,
  arch: 'x86_64',
  bootMode: 'uefi',
};

describe('an inventory', () => {
  it('depends on the uuid alone and has what a real agent reports', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const found = inventoryOf(uuid, seed);
        expect(inventoryOf(uuid, seed)).toEqual(found);
        const { inventory } = found as Parsed;
        const macs = inventory.interfaces.map((nic: Parsed) => nic.mac_address);
        expect(macs[0]).toBe(seed.bootMac);
        expect(new Set(macs).size).toBe(macs.length);
        expect(macs.every((mac: string) => /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac))).toBe(true);
        expect(inventory.memory.total).toBeLessThan(inventory.memory.physical_mb * 1024 * 1024);
        for (const disk of inventory.disks) {
          expect(disk.name.startsWith('/dev/nvme')).toBe(disk.tran === 'nvme');
          expect(disk.by_path).toMatch(/^\/dev\/disk\/by-path\//);
        }
        expect(inventory.bmc_address).toBe('[2001:db8::7]');
      }),
    );
  });

  it('meets several vendors and kinds of disk in a small fleet', () => {
    const fleet = Array.from({ length: 40 }, (_, index) => inventoryOf(`host-${index}`, seed).inventory as Parsed);
    expect(new Set(fleet.map((each) => each.system_vendor.manufacturer)).size).toBeGreaterThanOrEqual(4);
    const disks = fleet.flatMap((each) => each.disks);
    expect(disks.some((disk) => disk.rotational) && disks.some((disk) => disk.tran === 'nvme')).toBe(true);
  });

  it('is that of an ARM machine when the node says so, and knows no boot card with virtual media', () => {
    const { inventory, plugin_data } = inventoryOf('u', { ...seed, arch: 'aarch64', networkBoot: false }) as Parsed;
    expect(inventory.cpu.architecture).toBe('aarch64');
    expect(inventory.boot.pxe_interface).toBeNull();
    expect(plugin_data.boot_interface).toBeNull();
    expect(Object.values(plugin_data.all_interfaces).some((nic: Parsed) => nic.pxe_enabled)).toBe(false);
  });
});
