/** BareMetalHost: one machine. */
import type { z } from 'zod';
import { bareMetalHostSpecSchema } from './bare-metal-host-spec.js';
import { bareMetalHostStatusSchema } from './bare-metal-host-status.js';
import { typeMetaShape } from './type-meta.js';
import { object, optional, type Known } from './wire.js';

/** A host without `spec` or `status.provisioning` reads as one with empty ones. A wrong JSON type is an error. */
export const bareMetalHostSchema = object(
  {
    ...typeMetaShape,
    spec: bareMetalHostSpecSchema.prefault({}),
    status: optional(bareMetalHostStatusSchema),
  },
  'A physical machine, managed through its baseboard management controller.',
);
export type BareMetalHost = Known<z.infer<typeof bareMetalHostSchema>>;
