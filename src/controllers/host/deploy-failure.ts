/** Adds to a failed deployment what a person needs to see beside it. Pure. */
import type { HardwareDetails, RootDeviceHints } from '../../apis/index.js';

type Disk = NonNullable<HardwareDetails['storage']>[number];

/** A rack's worth of disks tells nobody more than its first ones. */
const maxDisks = 8;

/** Ironic names neither the hints as the host has them nor the disks that there were to choose from. */
export function explainDeployFailure(
  message: string,
  hints: RootDeviceHints | undefined,
  storage: readonly Disk[] | undefined,
): string {
  if (!/no suitable device/i.test(message)) return message;
  const disks = (storage ?? []).slice(0, maxDisks).map(diskText);
  const more = (storage ?? []).length > maxDisks ? ', …' : '';
  const found = disks.length === 0 ? 'no disks are known' : `the disks are ${disks.join(', ')}${more}`;
  return `${message} (the root device hints are ${JSON.stringify(hints ?? {})}; ${found})`;
}

function diskText({ name = '', sizeBytes = 0, hctl = '', wwn = '', model = '' }: Disk): string {
  const size = `${Math.round(sizeBytes / 1e9)} GB`;
  return [name, size, hctl, wwn, model].filter((part) => part !== '').join(' ');
}
