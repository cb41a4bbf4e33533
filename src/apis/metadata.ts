/** The part of Kubernetes object metadata that the operator reads or writes. */
import { z } from 'zod';
import { fact, type Known } from './wire.js';

export const ownerReferenceSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: z.boolean().optional(),
  blockOwnerDeletion: z.boolean().optional(),
});
export type OwnerReference = Known<z.infer<typeof ownerReferenceSchema>>;

export const objectMetaSchema = fact(
  z.looseObject({
    name: z.string().default(''),
    namespace: z.string().optional(),
    uid: z.string().optional(),
    resourceVersion: z.string().optional(),
    generation: z.number().optional(),
    annotations: z.record(z.string(), z.string()).optional(),
    labels: z.record(z.string(), z.string()).optional(),
    finalizers: z.array(z.string()).optional(),
    ownerReferences: z.array(ownerReferenceSchema).optional(),
    creationTimestamp: z.string().nullish(),
    deletionTimestamp: z.string().nullish(),
  }),
  { opaque: true },
);
export type ObjectMeta = Known<z.infer<typeof objectMetaSchema>>;
