/** What the agent of a machine finds in it: the same each time, and different from machine to machine. */
const GiB = 2 ** 30;

export function inventoryOf({ uuid, system, behaviour }) {
  const serial = uuid.slice(-8).toUpperCase();
  return {
    interfaces: (system?.nics ?? []).map(interfaceOf),
    cpu: {
      model_name: 'Test Processor 2.40GHz',
      frequency: '2400.0000',
      count: 8,
      socket_count: 1,
      architecture: 'x86_64',
      flags: ['aes', 'sse4_2', 'vmx'],
    },
    disks: [disk('sda', 100 * GiB, false, serial, 0), disk('sdb', 2048 * GiB, true, serial, 1)],
    memory: { total: 33_567_465_472, physical_mb: 32_768 },
    bmc_address: '127.0.0.1',
    bmc_v6address: '::/0',
    bmc_mac: '0c:c4:7a:00:00:01',
    system_vendor: {
      manufacturer: 'Test Machines',
      product_name: 'Model T',
      serial_number: serial,
      firmware: { vendor: 'Test BIOS', version: '1.2.3', build_date: '01/02/2026' },
    },
    boot: { current_boot_mode: (system?.boot_mode ?? 'UEFI') === 'UEFI' ? 'uefi' : 'bios', pxe_interface: null },
    hostname: `machine-${Number.parseInt(uuid.slice(-12), 16)}`,
    ...behaviour.inventory,
  };
}

function interfaceOf({ mac, ip }, index) {
  return {
    name: `eth${index}`,
    mac_address: mac,
    ipv4_address: ip,
    ipv6_address: null,
    has_carrier: true,
    lldp: [],
    vendor: '0x1af4',
    product: '0x0001',
    client_id: null,
    biosdevname: null,
    speed_mbps: 10_000,
    pci_address: `0000:00:0${3 + index}.0`,
    driver: 'virtio_net',
  };
}

function disk(name, size, rotational, serial, index) {
  const wwn = `0x500${index}${serial}`;
  return {
    name: `/dev/${name}`,
    model: rotational ? 'TEST HDD' : 'TEST SSD',
    vendor: 'TEST',
    size,
    rotational,
    serial: `D${index}${serial}`,
    wwn,
    wwn_with_extension: wwn,
    wwn_vendor_extension: null,
    hctl: `0:0:${index}:0`,
    by_path: `/dev/disk/by-path/pci-0000:00:06.0-scsi-0:0:${index}:0`,
    logical_sectors: 512,
    physical_sectors: rotational ? 4096 : 512,
    tran: 'sata',
  };
}
