/** Firmware settings of old: kept on the wire, refused by admission. HostFirmwareSettings took their place. */
import type { z } from 'zod';
import { flag, object, optional, type Known } from './wire.js';

const retired = (what: string) => optional(flag(`${what} Retired: use HostFirmwareSettings.`, { enum: [true, false] }));

export const firmwareConfigSchema = object(
  {
    simultaneousMultithreadingEnabled: retired('Several threads on each core.'),
    sriovEnabled: retired('SR-IOV.'),
    virtualizationEnabled: retired('Hardware support for virtual machines.'),
  },
  'Retired firmware settings; use HostFirmwareSettings.',
);
export type FirmwareConfig = Known<z.infer<typeof firmwareConfigSchema>>;
