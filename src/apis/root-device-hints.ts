/** Which disk is the root disk. */
import type { z } from 'zod';
import { flag, integer, object, optional, text, type Known } from './wire.js';

export const rootDeviceHintsSchema = object(
  {
    deviceName: optional(text('Linux name such as `/dev/sda`, or a link below `/dev/disk/by-path/`. Exact.')),
    hctl: optional(text('SCSI address, host:channel:target:lun, such as `0:0:0:0`. Exact.')),
    minSizeGigabytes: optional(integer('The disk has at least this many gigabytes.', { minimum: 0 })),
    model: optional(text('Part of the model that the disk reports.')),
    rotational: optional(flag('true: a spinning disk; false: one without moving parts; left out: either.')),
    serialNumber: optional(text('Serial number. Exact.')),
    vendor: optional(text('Part of the name of the maker that the disk reports.')),
    wwn: optional(text('World Wide Name, the unique storage identifier. Exact.')),
    wwnVendorExtension: optional(text("The maker's extension of the World Wide Name. Exact.")),
    wwnWithExtension: optional(text("World Wide Name with the maker's extension. Exact.")),
  },
  'Choose a disk: it must match every hint that is given. The first that does is taken.',
);
export type RootDeviceHints = Known<z.infer<typeof rootDeviceHintsSchema>>;
