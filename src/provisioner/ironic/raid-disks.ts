/** RAID volumes as Ironic's logical disks. Pure. Provisioner spec, section 8.1. */
import type { HardwareRAIDVolume, SoftwareRAIDVolume } from '../../apis/index.js';
import { ironicRootDevice } from '../../hardware/index.js';
import { RAIDProblem } from './raid-problem.js';

/** Empty members are left out. */
export type LogicalDisk = Readonly<Record<string, unknown>>;

/** @throws RAIDProblem */
export function hardwareDisks(volumes: readonly HardwareRAIDVolume[]): LogicalDisk[] {
  const repeated = repeatedNames(volumes);
  if (repeated.length > 0) throw new RAIDProblem(`the RAID volume names ${repeated.join(', ')} are repeated`);
  return volumes.map(hardwareDisk);
}

/** @throws RAIDProblem */
export function softwareDisks(volumes: readonly SoftwareRAIDVolume[]): LogicalDisk[] {
  if (volumes.length > 0 && volumes[0]!.level !== '1') {
    throw new RAIDProblem('the first software RAID volume must be RAID1');
  }
  return volumes.map((volume) => ({
    ...sizeAndLevel(volume),
    controller: 'software',
    is_root_volume: volume.rootVolume === true,
    ...(volume.physicalDisks?.length && { physical_disks: volume.physicalDisks.map(ironicRootDevice) }),
  }));
}

/** Without any other word on where the operating system goes, it goes on the first volume. */
export function withRootVolume(disks: readonly LogicalDisk[]): LogicalDisk[] {
  return disks.map((disk, index) => (index === 0 ? { ...disk, is_root_volume: true } : disk));
}

function hardwareDisk(volume: HardwareRAIDVolume): LogicalDisk {
  const { name, rotational, numberOfPhysicalDisks, controller, physicalDisks } = volume;
  const disks = physicalDisks ?? [];
  if (disks.length > 0) checkDisks(volume, disks);
  return {
    ...sizeAndLevel(volume),
    ...(name && { volume_name: name }),
    ...(rotational !== undefined && { disk_type: rotational ? 'hdd' : 'ssd' }),
    ...(numberOfPhysicalDisks && { number_of_physical_disks: numberOfPhysicalDisks }),
    ...(controller && { controller }),
    ...(disks.length > 0 && { physical_disks: disks }),
  };
}

function checkDisks({ controller, numberOfPhysicalDisks: wanted }: HardwareRAIDVolume, disks: readonly string[]): void {
  if (!controller) {
    throw new RAIDProblem("'controller' must be specified for a RAID volume that names its physicalDisks");
  }
  if (wanted && wanted !== disks.length) {
    throw new RAIDProblem(
      `numberOfPhysicalDisks (${wanted}) is not same as the number of physicalDisks (${disks.length})`,
    );
  }
}

function sizeAndLevel({ sizeGibibytes, level }: { sizeGibibytes?: number; level: string }): LogicalDisk {
  if (!level) throw new RAIDProblem('a RAID volume has no level');
  return { size_gb: sizeGibibytes || 'MAX', raid_level: level };
}

function repeatedNames(volumes: readonly HardwareRAIDVolume[]): string[] {
  const names = volumes.map(({ name }) => name).filter((name) => name !== undefined && name !== '');
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))] as string[];
}
