/** RAID wishes. null, absent and `[]` differ: leave alone, leave alone, delete all. */
import type { z } from 'zod';
import { rootDeviceHintsSchema } from './root-device-hints.js';
import { choice, fact, flag, integer, list, object, optional, required, text, type Known } from './wire.js';

const size = () => integer('Size of the volume in GiB; 0 or left out: all that there is.', { minimum: 0 });

export const hardwareRAIDVolumeSchema = object(
  {
    controller: optional(text('Identifier of the RAID controller. Needed when `physicalDisks` is given.')),
    level: required(choice(['0', '1', '2', '5', '6', '1+0', '5+0', '6+0'], 'RAID level.'), '1'),
    name: optional(
      text('Name of the volume, unique on the host; left out, one is made up.', {
        maxLength: 64,
      }),
    ),
    numberOfPhysicalDisks: optional(
      integer('How many disks the volume takes; left out: the fewest that its level allows.', { minimum: 1 }),
    ),
    physicalDisks: optional(
      list(text('Identifier of a disk, in the spelling of the controller.'), 'The disks that make up the volume.'),
    ),
    rotational: optional(flag('true: spinning disks only; false: only disks without moving parts; left out: any.')),
    sizeGibibytes: optional(size()),
  },
  'One volume of a hardware RAID controller.',
);

export const softwareRAIDVolumeSchema = object(
  {
    level: required(choice(['0', '1', '1+0'], 'RAID level.'), '1'),
    physicalDisks: optional(
      list(rootDeviceHintsSchema, 'Hints that select the disks, one set of hints a disk.', { minItems: 2 }),
    ),
    rootVolume: optional(
      flag('The operating system is installed on this volume. At most one volume may say so.', { default: false }),
    ),
    sizeGibibytes: optional(size()),
  },
  'One volume of a software RAID.',
);

export const raidConfigSchema = object(
  {
    hardwareRAIDVolumes: fact(
      list(
        hardwareRAIDVolumeSchema,
        'Volumes of the RAID controller. null or left out: volumes stay as they are; `[]`: all are deleted. Without root-device hints the first one is the root volume.',
      ).nullish(),
      { nullable: true },
    ),
    softwareRAIDVolumes: fact(
      list(
        softwareRAIDVolumeSchema,
        'At most two software volumes, the first of level 1; not together with hardware volumes. null or left out: as they are; `[]`: all are deleted.',
        { maxItems: 2 },
      ).nullish(),
      { nullable: true },
    ),
  },
  'RAID volumes of the host, set up while it is being prepared.',
);
export type RAIDConfig = Known<z.infer<typeof raidConfigSchema>>;
export type HardwareRAIDVolume = Known<z.infer<typeof hardwareRAIDVolumeSchema>>;
export type SoftwareRAIDVolume = Known<z.infer<typeof softwareRAIDVolumeSchema>>;
