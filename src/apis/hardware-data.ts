/** HardwareData: what inspection found, kept apart from the host so that it outlives the host's status. */
import type { z } from 'zod';
import { hardwareDetailsSchema } from './hardware-details.js';
import { typeMetaShape } from './type-meta.js';
import { object, optional, type Known } from './wire.js';

export const hardwareDataSchema = object(
  {
    ...typeMetaShape,
    spec: object(
      { hardware: optional(hardwareDetailsSchema, 'Hardware that inspection found.') },
      'Outcome of the last inspection.',
    ).prefault({}),
  },
  'Hardware of the BareMetalHost of the same name.',
);
export type HardwareData = Known<z.infer<typeof hardwareDataSchema>>;
