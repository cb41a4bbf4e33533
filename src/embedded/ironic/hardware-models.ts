/** Machines that inspection can come upon: one of these for each host, chosen by its fingerprint. */
export interface HardwareModel {
  manufacturer: string;
  product: string;
  serial: (hex: string) => string;
  bios: { vendor: string; versions: readonly [string, ...string[]]; date: string };
  bmcVersion: string;
  cpu: { model: string; mhz: number; threads: number; sockets: number; arch: string };
  memoryGib: readonly [number, ...number[]];
  nics: { vendor: string; product: string; driver: string; mbps: number; names: readonly string[] };
  /** Disk sets: kind and size in GB. */
  disks: readonly [readonly DiskKind[], ...(readonly DiskKind[])[]];
}

export interface DiskKind {
  kind: 'nvme' | 'ssd' | 'hdd';
  gigabytes: number;
  model: string;
  vendor: string;
}

const nvme = (gigabytes: number): DiskKind => ({ kind: 'nvme', gigabytes, model: 'PM9A3 NVMe', vendor: 'Samsung' });
const ssd = (gigabytes: number): DiskKind => ({ kind: 'ssd', gigabytes, model: 'MZ7L3480HCHQ', vendor: 'ATA' });
const hdd = (gigabytes: number): DiskKind => ({ kind: 'hdd', gigabytes, model: 'ST4000NM017A', vendor: 'SEAGATE' });

export const hardwareModels: readonly [HardwareModel, ...HardwareModel[]] = [
  {
    manufacturer: 'Dell Inc.',
    product: 'PowerEdge R650',
    serial: (hex) => hex.slice(0, 7).toUpperCase(),
    bios: { vendor: 'Dell Inc.', versions: ['1.12.1', '1.14.2'], date: '03/11/2025' },
    bmcVersion: '7.10.50.00',
    cpu: { model: 'Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz', mhz: 2000, threads: 128, sockets: 2, arch: 'x86_64' },
    memoryGib: [256, 512],
    nics: { vendor: '0x8086', product: '0x159b', driver: 'ice', mbps: 25000, names: ['eno1np0', 'eno2np1', 'ens3f0'] },
    disks: [
      [ssd(480), nvme(3840), nvme(3840)],
      [nvme(1920), nvme(1920)],
    ],
  },
  {
    manufacturer: 'HPE',
    product: 'ProLiant DL360 Gen10',
    serial: (hex) => `CZ${hex.slice(0, 8).toUpperCase()}`,
    bios: { vendor: 'HPE', versions: ['U32 v2.80', 'U32 v3.00'], date: '08/10/2024' },
    bmcVersion: '3.06',
    cpu: { model: 'Intel(R) Xeon(R) Silver 4214R CPU @ 2.40GHz', mhz: 2400, threads: 48, sockets: 2, arch: 'x86_64' },
    memoryGib: [128, 192],
    nics: { vendor: '0x14e4', product: '0x1657', driver: 'tg3', mbps: 10000, names: ['eno1', 'eno2', 'eno3', 'eno4'] },
    disks: [
      [ssd(960), hdd(4000), hdd(4000)],
      [ssd(480), ssd(480)],
    ],
  },
  {
    manufacturer: 'Lenovo',
    product: 'ThinkSystem SR630 V2',
    serial: (hex) => `J${hex.slice(0, 7).toUpperCase()}`,
    bios: { vendor: 'Lenovo', versions: ['AFE138E-3.20', 'AFE140D-3.40'], date: '01/22/2025' },
    bmcVersion: '5.10',
    cpu: { model: 'Intel(R) Xeon(R) Gold 5318Y CPU @ 2.10GHz', mhz: 2100, threads: 96, sockets: 2, arch: 'x86_64' },
    memoryGib: [256, 384],
    nics: { vendor: '0x15b3', product: '0x1015', driver: 'mlx5_core', mbps: 25000, names: ['ens2f0', 'ens2f1'] },
    disks: [
      [nvme(960), nvme(960), nvme(7680)],
      [ssd(960), nvme(3840)],
    ],
  },
  {
    manufacturer: 'Supermicro',
    product: 'AS-1114S-WTRT',
    serial: (hex) => `S${hex.slice(0, 14).toUpperCase()}`,
    bios: { vendor: 'American Megatrends Inc.', versions: ['2.4', '2.8'], date: '11/06/2024' },
    bmcVersion: '01.03.19',
    cpu: { model: 'AMD EPYC 7543P 32-Core Processor', mhz: 2800, threads: 64, sockets: 1, arch: 'x86_64' },
    memoryGib: [128, 256],
    nics: { vendor: '0x14e4', product: '0x16d8', driver: 'bnxt_en', mbps: 10000, names: ['enp65s0f0', 'enp65s0f1'] },
    disks: [
      [nvme(1920), hdd(4000)],
      [ssd(480), nvme(3840)],
    ],
  },
];

/** What stands in for all of them when a host says that it is an ARM machine. */
export const armModel: HardwareModel = {
  manufacturer: 'GIGABYTE',
  product: 'R152-P30',
  serial: (hex) => `GJ${hex.slice(0, 10).toUpperCase()}`,
  bios: { vendor: 'GIGABYTE', versions: ['F31', 'F34'], date: '05/15/2024' },
  bmcVersion: '12.61.21',
  cpu: { model: 'Ampere(R) Altra(R) Processor Q80-30', mhz: 3000, threads: 80, sockets: 1, arch: 'aarch64' },
  memoryGib: [256, 512],
  nics: {
    vendor: '0x15b3',
    product: '0x101d',
    driver: 'mlx5_core',
    mbps: 100000,
    names: ['enp1s0f0np0', 'enp1s0f1np1'],
  },
  disks: [[nvme(960), nvme(3840)], [nvme(1920)]],
};
