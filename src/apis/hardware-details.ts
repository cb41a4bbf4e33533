/** What inspection found in a host. */
import type { z } from 'zod';
import {
  choice,
  decimal,
  flag,
  integer,
  list,
  macPattern,
  object,
  optional,
  text,
  type Known,
  type WireFacts,
} from './wire.js';

const vlanID = (description: string) =>
  integer(description, { format: 'int32', minimum: 0, maximum: 4094 } satisfies WireFacts);

const cpu = object(
  {
    arch: optional(text('Architecture, such as `x86_64` or `aarch64`.')),
    clockMegahertz: optional(decimal('Clock in MHz.')),
    count: optional(integer('Number of logical CPUs.')),
    flags: optional(list(text('A feature.'), 'Features that the CPU reports, sorted.')),
    model: optional(text('Model.')),
  },
  'Processors.',
);

const firmware = object(
  {
    bios: optional(
      object(
        {
          date: optional(text('Date of the build.')),
          vendor: optional(text('Maker.')),
          version: optional(text('Version.')),
        },
        'BIOS or UEFI.',
      ),
    ),
  },
  'Firmware as found.',
);

const vlan = object(
  { id: optional(vlanID('VLAN number.')), name: optional(text('Name that the switch gives it.')) },
  'A VLAN that the switch port carries.',
);

const lldp = object(
  {
    portID: optional(text('Port on the switch.')),
    switchID: optional(text('Chassis of the switch.')),
    switchSystemName: optional(text('Name of the switch.')),
  },
  'What the switch at the other end announced.',
);

export const nicSchema = object(
  {
    ip: optional(text('One address. An interface with both IPv4 and IPv6 is listed once for each.')),
    lldp: optional(lldp),
    mac: optional(text('MAC address.', { pattern: macPattern })),
    model: optional(text('PCI identifiers of maker and product.')),
    name: optional(text('Linux name, such as `eno1`.')),
    pciAddress: optional(text('Address on the PCI bus.')),
    pxe: optional(flag('The host can boot from the network through it.')),
    speedGbps: optional(integer('Speed in Gbit/s.')),
    vlanId: optional(vlanID('The untagged VLAN.')),
    vlans: optional(list(vlan, 'VLANs that the switch port carries.')),
  },
  'A network interface.',
);

export const storageSchema = object(
  {
    alternateNames: optional(list(text('A name.'), 'Every known name of the disk.')),
    hctl: optional(text('SCSI address, host:channel:target:lun.')),
    model: optional(text('Model.')),
    name: optional(text('Name that survives a reboot where there is one, such as a link below `/dev/disk/by-path/`.')),
    rotational: optional(flag('It is a spinning disk; `type` says more.')),
    serialNumber: optional(text('Serial number.')),
    sizeBytes: optional(integer('Size in bytes.', { format: 'int64' })),
    type: optional(choice(['HDD', 'SSD', 'NVME'], 'Kind of disk.')),
    vendor: optional(text('Maker.')),
    wwn: optional(text('World Wide Name.')),
    wwnVendorExtension: optional(text("The maker's extension of the World Wide Name.")),
    wwnWithExtension: optional(text("World Wide Name with the maker's extension.")),
  },
  'A disk.',
);

const systemVendor = object(
  {
    manufacturer: optional(text('Maker.')),
    productName: optional(text('Model.')),
    serialNumber: optional(text('Serial number.')),
  },
  'Whose machine it is.',
);

export const hardwareDetailsSchema = object(
  {
    cpu: optional(cpu),
    firmware: optional(firmware),
    hostname: optional(text('Name that the host had while it was inspected.')),
    nics: optional(list(nicSchema, 'Network interfaces.')),
    ramMebibytes: optional(integer('Memory in MiB.')),
    storage: optional(list(storageSchema, 'Disks.')),
    systemVendor: optional(systemVendor),
  },
  'Hardware that inspection found.',
);
export type HardwareDetails = Known<z.infer<typeof hardwareDetailsSchema>>;
export type NIC = Known<z.infer<typeof nicSchema>>;
export type Storage = Known<z.infer<typeof storageSchema>>;
