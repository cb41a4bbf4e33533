import { Fingerprint } from './fingerprint.js';
import { armModel, hardwareModels, type DiskKind, type HardwareModel } from './hardware-models.js';
import { plainText, type Json, type JsonObject } from './json.js';
import type { InspectionSeed } from './node-record.js';

export interface HostNic {
  name: string;
  mac: string;
}

/** The machine behind a node; depends on nothing but its uuid and architecture. */
export function modelOf(uuid: string, arch: string): HardwareModel {
  return arch === 'aarch64' ? armModel : new Fingerprint(uuid).pick('model', hardwareModels);
}

/** The cards of a host, the one that it boots from first. */
export function nicsOf(uuid: string, seed: InspectionSeed): HostNic[] {
  const print = new Fingerprint(uuid);
  return modelOf(uuid, seed.arch).nics.names.map((name, index) => ({
    name,
    mac: index === 0 ? seed.bootMac : print.mac(`nic-${index}`),
  }));
}

/** The MAC address of a host that nobody has told one. */
export const inventedMac = (uuid: string): string => new Fingerprint(uuid).mac('nic-0');

/** What the agent reports after inspection, with the plugin data that Ironic adds (spec: ironic-provisioner §9). */
export function inventoryOf(uuid: string, seed: InspectionSeed): { inventory: JsonObject; plugin_data: JsonObject } {
  const print = new Fingerprint(uuid);
  const model = modelOf(uuid, seed.arch);
  const nics = nicsOf(uuid, seed);
  const interfaces = nics.map((nic, index) => renderNic(nic, index, model, print));
  const disks = print.pick('disks', model.disks).map((disk, index) => renderDisk(disk, index, print));
  const memoryMib = print.pick('memory', model.memoryGib) * 1024;
  const serial = model.serial(print.hex('serial', 16));
  const inventory: JsonObject = {
    interfaces,
    cpu: renderCpu(model),
    disks,
    memory: { total: memoryMib * 1024 * 1024 - 792_064 * 1024, physical_mb: memoryMib },
    bmc_address: hostOf(seed.bmcAddress),
    bmc_v6address: '::/0',
    system_vendor: {
      product_name: model.product,
      serial_number: serial,
      manufacturer: model.manufacturer,
      firmware: {
        vendor: model.bios.vendor,
        version: print.pick('bios', model.bios.versions),
        build_date: model.bios.date,
      },
    },
    boot: { current_boot_mode: seed.bootMode, pxe_interface: seed.networkBoot ? seed.bootMac : null },
    hostname: `host-${uuid.slice(0, 8)}`,
    bmc_mac: print.mac('bmc'),
  };
  return { inventory, plugin_data: pluginData(interfaces, disks, nics, seed, print) };
}

function renderCpu(model: HardwareModel): JsonObject {
  const flags =
    model.cpu.arch === 'aarch64' ? ['fp', 'asimd', 'aes', 'sha2', 'crc32'] : ['aes', 'avx2', 'sse4_2', 'vmx', 'x2apic'];
  return {
    model_name: model.cpu.model,
    frequency: model.cpu.mhz.toFixed(4),
    count: model.cpu.threads,
    architecture: model.cpu.arch,
    flags,
    socket_count: model.cpu.sockets,
  };
}

function renderNic(nic: HostNic, index: number, model: HardwareModel, print: Fingerprint): JsonObject {
  const cabled = index < 2;
  return {
    name: nic.name,
    mac_address: nic.mac,
    ipv4_address: index === 0 ? `192.0.2.${2 + print.number('ipv4', 250)}` : null,
    ipv6_address: null,
    has_carrier: cabled,
    lldp: [],
    vendor: model.nics.vendor,
    product: model.nics.product,
    client_id: null,
    biosdevname: null,
    speed_mbps: cabled ? model.nics.mbps : null,
    pci_address: `0000:${(0x17 + Math.floor(index / 2)).toString(16)}:00.${index % 2}`,
    driver: model.nics.driver,
  };
}

function renderDisk(disk: DiskKind, index: number, print: Fingerprint): JsonObject {
  const isNvme = disk.kind === 'nvme';
  const wwn = `${isNvme ? 'eui.' : '0x5'}${print.hex(`wwn-${index}`, isNvme ? 16 : 15)}`;
  const slot = `0000:${(0x3b + index).toString(16)}:00.0`;
  return {
    name: isNvme ? `/dev/nvme${index}n1` : `/dev/sd${'abcdefgh'[index] ?? 'z'}`,
    model: disk.model,
    size: disk.gigabytes * 1_000_000_000,
    rotational: disk.kind === 'hdd',
    wwn,
    serial: print.hex(`disk-${index}`, 12).toUpperCase(),
    vendor: isNvme ? null : disk.vendor,
    wwn_with_extension: wwn,
    wwn_vendor_extension: null,
    hctl: isNvme ? null : `0:0:${index}:0`,
    by_path: isNvme ? `/dev/disk/by-path/pci-${slot}-nvme-1` : `/dev/disk/by-path/pci-0000:00:11.5-ata-${index + 1}`,
    logical_sectors: 512,
    physical_sectors: disk.kind === 'hdd' ? 4096 : 512,
    tran: isNvme ? 'nvme' : 'sata',
  };
}

function pluginData(
  interfaces: JsonObject[],
  disks: JsonObject[],
  nics: HostNic[],
  seed: InspectionSeed,
  print: Fingerprint,
): JsonObject {
  const shown = Object.fromEntries(
    interfaces.map((nic, index) => [plainText(nic['name']), { ...nic, pxe_enabled: seed.networkBoot && index === 0 }]),
  );
  return {
    root_disk: disks[0] ?? null,
    boot_interface: seed.networkBoot ? `01-${seed.bootMac.replaceAll(':', '-')}` : null,
    configuration: {
      collectors: ['default', 'logs'],
      managers: [{ name: 'generic_hardware_manager', version: '1.2' }],
    },
    error: null,
    all_interfaces: shown,
    valid_interfaces: shown,
    macs: nics.map((nic) => nic.mac),
    parsed_lldp: Object.fromEntries(nics.slice(0, 2).map((nic, index) => [nic.name, lldp(index, print)])),
  };
}

/** Two top-of-rack switches, one card at each; the rack depends on the host. */
function lldp(index: number, print: Fingerprint): JsonObject {
  const rack = 1 + print.number('rack', 20);
  const vlans: Json[] = [
    { id: 100, name: 'provisioning' },
    { id: 200 + rack, name: `rack-${rack}` },
  ];
  return {
    switch_chassis_id: new Fingerprint(`rack-${rack}-switch-${index}`).mac('chassis'),
    switch_port_id: `Ethernet1/${1 + print.number('unit', 48)}`,
    switch_system_name: `tor-${rack}${'ab'[index]}`,
    switch_port_vlans: vlans,
    switch_port_untagged_vlan_id: 100,
  };
}

function hostOf(address: string): string {
  return /^(?:\w+:\/\/)?(\[[^\]]*\]|[^:/]+)/.exec(address)?.[1] ?? '0.0.0.0';
}
