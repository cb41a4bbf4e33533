/** The standard Kubernetes condition. */
import type { z } from 'zod';
import { choice, integer, list, object, optional, required, text, time, type Known, type WireFacts } from './wire.js';

const qualifiedName =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

export const conditionSchema = object(
  {
    lastTransitionTime: required(time('When `status` last changed from one value to another.'), ''),
    message: required(text('A sentence for people; may be empty.', { maxLength: 32768 }), ''),
    observedGeneration: optional(
      integer('`metadata.generation` that this condition was computed for. Older than the object: out of date.', {
        format: 'int64',
        minimum: 0,
      }),
    ),
    reason: required(
      text('Why the condition has this status: one CamelCase word that programs may rely on.', {
        minLength: 1,
        maxLength: 1024,
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      }),
      '',
    ),
    status: required(choice(['True', 'False', 'Unknown'], 'Whether the condition holds.'), 'Unknown'),
    type: text('Name of the condition.', { maxLength: 316, pattern: qualifiedName }),
  },
  'One aspect of the state of the object.',
);
export type Condition = Known<z.infer<typeof conditionSchema>>;

/** At most one condition of each type. */
export const conditionsByType = (description: string, facts: WireFacts = {}) =>
  list(conditionSchema, description, {
    ...facts,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  });
