/** The head of every kind. */
import type { z } from 'zod';
import { objectMetaSchema } from './metadata.js';
import { optional, text } from './wire.js';

export const typeMetaShape = {
  apiVersion: optional(text('Group and version of the object: `metal3.io/v1alpha1`.')),
  kind: optional(text('Kind of the object.')),
  metadata: objectMetaSchema.prefault({}),
} satisfies z.ZodRawShape;
