/** What inspection found, from Ironic's inventory to HardwareDetails. Pure. Provisioner spec, section 9. */
import type { HardwareDetails, NIC, Storage } from '../../apis/index.js';
import { IronicError, type JSONRecord } from './client/index.js';
import { section, text } from './node.js';

/** @throws IronicError when the inventory is no object. Odd parts of it are read as absent. */
export function toHardwareDetails(answer: JSONRecord): HardwareDetails {
  const { inventory } = answer;
  if (typeof inventory !== 'object' || inventory === null || Array.isArray(inventory)) {
    throw new IronicError('IRONIC_BAD_ANSWER', 'the inventory is not an object');
  }
  const { system_vendor, memory, hostname, cpu, interfaces, disks } = inventory as JSONRecord;
  const vendor = section(system_vendor);
  const firmware = section(vendor.firmware);
  const plugin = section(answer.plugin_data);
  return {
    systemVendor: {
      manufacturer: text(vendor.manufacturer),
      productName: text(vendor.product_name),
      serialNumber: text(vendor.serial_number),
    },
    firmware: {
      bios: { vendor: text(firmware.vendor), version: text(firmware.version), date: text(firmware.build_date) },
    },
    ramMebibytes: whole(section(memory).physical_mb),
    hostname: text(hostname),
    cpu: cpuOf(section(cpu)),
    nics: rows(interfaces).flatMap((nic) => nicsOf(nic, plugin)),
    storage: rows(disks).map(storageOf),
  };
}

function cpuOf(cpu: JSONRecord): NonNullable<HardwareDetails['cpu']> {
  const frequency = Number.parseFloat(String(cpu.frequency));
  return {
    arch: text(cpu.architecture),
    model: text(cpu.model_name),
    count: whole(cpu.count),
    clockMegahertz: Number.isFinite(frequency) ? Math.round(frequency) : 0,
    flags: (Array.isArray(cpu.flags) ? cpu.flags : []).filter((flag) => typeof flag === 'string').sort(bytewise),
  };
}

const bytewise = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** One entry for each IP version. */
function nicsOf(nic: JSONRecord, plugin: JSONRecord): NIC[] {
  const name = text(nic.name);
  const lldp = section(section(plugin.parsed_lldp)[name]);
  const common: NIC = {
    name,
    model: `${text(nic.vendor)} ${text(nic.product)}`.trimStart(),
    mac: text(nic.mac_address),
    speedGbps: Math.floor(whole(nic.speed_mbps) / 1000),
    pciAddress: text(nic.pci_address),
    pxe: section(section(plugin.all_interfaces)[name]).pxe_enabled === true,
    ...neighbourOf(lldp),
    ...vlansOf(lldp),
  };
  const v4 = text(nic.ipv4_address);
  const v6 = text(nic.ipv6_address);
  return [...(v4 !== '' || v6 === '' ? [v4] : []), ...(v6 !== '' ? [v6] : [])].map((ip) => ({ ...common, ip }));
}

function neighbourOf(lldp: JSONRecord): Pick<NIC, 'lldp'> {
  const found = Object.entries({
    switchID: text(lldp.switch_chassis_id),
    portID: text(lldp.switch_port_id),
    switchSystemName: text(lldp.switch_system_name),
  }).filter(([, value]) => value !== '');
  return found.length === 0 ? {} : { lldp: Object.fromEntries(found) };
}

function vlansOf(lldp: JSONRecord): Pick<NIC, 'vlans' | 'vlanId'> {
  const vlans = rows(lldp.switch_port_vlans).map((vlan) => ({ id: vlanNumber(vlan.id) ?? 0, name: text(vlan.name) }));
  const untagged = vlanNumber(lldp.switch_port_untagged_vlan_id);
  return { ...(vlans.length > 0 && { vlans }), ...(untagged !== undefined && { vlanId: untagged }) };
}

/** The bounds are those of the CRD: a number beyond them would make the whole status unwritable. */
function vlanNumber(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 4094 ? Number(value) : undefined;
}

function storageOf(disk: JSONRecord): Storage {
  const name = text(disk.name);
  const byPath = text(disk.by_path);
  const rotational = disk.rotational === true;
  return {
    name: byPath || name,
    alternateNames: [name, byPath].filter((alternate) => alternate !== ''),
    rotational,
    type: rotational ? 'HDD' : name.startsWith('/dev/nvme') ? 'NVME' : 'SSD',
    sizeBytes: whole(disk.size),
    vendor: text(disk.vendor),
    model: text(disk.model),
    serialNumber: text(disk.serial),
    hctl: text(disk.hctl),
    wwn: text(disk.wwn),
    wwnVendorExtension: text(disk.wwn_vendor_extension),
    wwnWithExtension: text(disk.wwn_with_extension),
  };
}

function whole(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : 0;
}

function rows(value: unknown): JSONRecord[] {
  return Array.isArray(value) ? value.map(section) : [];
}
