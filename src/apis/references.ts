/** References to other objects. */
import type { z } from 'zod';
import { object, optional, text, type Known } from './wire.js';

export const secretReferenceSchema = object(
  {
    name: optional(text('Name of the Secret.')),
    namespace: optional(text("Namespace of the Secret. Leave it empty, or give the host's own: any other is refused.")),
  },
  'A Secret.',
  { 'x-kubernetes-map-type': 'atomic' },
);
export type SecretReference = Known<z.infer<typeof secretReferenceSchema>>;

export const objectReferenceSchema = object(
  {
    apiVersion: optional(text('Group and version of the object, such as `cluster.x-k8s.io/v1beta1`.')),
    fieldPath: optional(text('A part of the object; not used.')),
    kind: optional(text('Kind of the object.')),
    name: optional(text('Name of the object.')),
    namespace: optional(text('Namespace of the object.')),
    resourceVersion: optional(text('Version of the object; not used.')),
    uid: optional(text('UID of the object; not used.')),
  },
  'Another object of the cluster.',
  { 'x-kubernetes-map-type': 'atomic' },
);
export type ObjectReference = Known<z.infer<typeof objectReferenceSchema>>;
