/**
 * What has to happen for the RAID volumes of a host to become what is wished. Pure. Provisioner spec, sections 8.1 and 8.2.
 *
 * The two halves of a wish are independent: null (or absent) leaves a half as it is, `[]` wipes it. They need different RAID
 * interfaces, though, and one cleaning has one; so one half changes at a time.
 */
import { isDeepStrictEqual } from 'node:util';
import type { RAIDConfig } from '../../apis/index.js';
import { hardwareDisks, softwareDisks, withRootVolume, type LogicalDisk } from './raid-disks.js';
import { RAIDProblem } from './raid-problem.js';
import type { Step } from './steps.js';

export interface RAIDPlan {
  /** The RAID interface that the node needs for it; undefined: the one that it has. */
  readonly interface: string | undefined;
  /** What the node is told to have; empty: nothing is told. */
  readonly disks: readonly LogicalDisk[];
  readonly steps: readonly Step[];
}

export interface RAIDWish {
  readonly target: RAIDConfig | undefined;
  /** undefined: not known, as after a failure. */
  readonly actual: RAIDConfig | undefined;
  /** The RAID interface of the host's driver. */
  readonly driverInterface: string | undefined;
  readonly haveRootDeviceHints: boolean;
}

const nothing: RAIDPlan = { interface: undefined, disks: [], steps: [] };
const agent = 'agent';

/** @throws RAIDProblem when the wish cannot be carried out. */
export function planRAID(wish: RAIDWish): RAIDPlan {
  checkHardware(wish);
  const software = changesSoftware(wish);
  const hardware = changesHardware(wish);
  if (software && hardware) checkOrder(wish);
  if (software) return softwarePlan(wish);
  return hardware ? hardwarePlan(wish) : nothing;
}

/** Whether the driver can do hardware RAID at all. Asked even if nothing changes, so that a wish never passes unseen. */
function checkHardware({ target, driverInterface }: RAIDWish): void {
  if (!hasVolumes(target?.hardwareRAIDVolumes)) return;
  if (driverInterface === 'no-raid') throw new RAIDProblem('the BMC driver does not support RAID');
  if (driverInterface === agent) throw new RAIDProblem('the BMC driver supports only software RAID');
  if (hasVolumes(target?.softwareRAIDVolumes)) {
    throw new RAIDProblem('hardware and software RAID volumes exclude each other');
  }
}

function changesSoftware({ target, actual }: RAIDWish): boolean {
  const wanted = target?.softwareRAIDVolumes;
  if (!isGiven(wanted)) return false;
  const present = actual?.softwareRAIDVolumes;
  return wanted.length === 0 ? hasVolumes(present) : !isDeepStrictEqual(wanted, present);
}

function changesHardware({ target, actual, driverInterface }: RAIDWish): boolean {
  const wanted = target?.hardwareRAIDVolumes;
  if (!isGiven(wanted) || driverInterface === 'no-raid' || driverInterface === agent) return false;
  return !isDeepStrictEqual(wanted, actual?.hardwareRAIDVolumes);
}

/** `[]` beside software volumes passes where no hardware volume is known: then there is nothing to be wiped first. */
function checkOrder({ target, actual }: RAIDWish): void {
  if (hasVolumes(target?.hardwareRAIDVolumes)) {
    throw new RAIDProblem(
      'software RAID volumes must be deleted before hardware ones are made: set softwareRAIDVolumes to [] and leave out ' +
        'hardwareRAIDVolumes, until the host is available',
    );
  }
  if (hasVolumes(actual?.hardwareRAIDVolumes)) {
    throw new RAIDProblem(
      'hardware RAID volumes must be deleted before software ones are changed: set hardwareRAIDVolumes to [] and leave out ' +
        'softwareRAIDVolumes, until the host is available',
    );
  }
}

const raid = (step: string): Step => ({ interface: 'raid', step });
const eraseMetadata: Step = { interface: 'deploy', step: 'erase_devices_metadata' };

function softwarePlan({ target, haveRootDeviceHints }: RAIDWish): RAIDPlan {
  const volumes = target?.softwareRAIDVolumes ?? [];
  const disks = softwareDisks(volumes);
  const isChosen = haveRootDeviceHints || volumes.some(({ rootVolume }) => rootVolume === true);
  const wipe = [raid('delete_configuration'), eraseMetadata];
  return {
    interface: agent,
    disks: isChosen ? disks : withRootVolume(disks),
    steps: disks.length === 0 ? wipe : [...wipe, raid('create_configuration')],
  };
}

function hardwarePlan({ target, driverInterface, haveRootDeviceHints }: RAIDWish): RAIDPlan {
  const disks = hardwareDisks(target?.hardwareRAIDVolumes ?? []);
  const wipe = [raid('delete_configuration')];
  return {
    interface: driverInterface,
    disks: haveRootDeviceHints ? disks : withRootVolume(disks),
    steps: disks.length === 0 ? wipe : [...wipe, raid('create_configuration')],
  };
}

function isGiven<T>(volumes: T[] | null | undefined): volumes is T[] {
  return volumes !== undefined && volumes !== null;
}

function hasVolumes(volumes: readonly unknown[] | null | undefined): boolean {
  return (volumes?.length ?? 0) > 0;
}
