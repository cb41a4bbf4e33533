/** BMCEventSubscription: where the BMC of a host sends its events. */
import type { z } from 'zod';
import { secretReferenceSchema } from './references.js';
import { typeMetaShape } from './type-meta.js';
import { object, optional, text, type Known } from './wire.js';

export const bmcEventSubscriptionSpecSchema = object(
  {
    context: optional(text('Any text; the BMC repeats it in each event.')),
    destination: optional(
      text(
        'URL that events are sent to. One without a path needs a slash at its end, as in `https://events.example.com/`.',
      ),
    ),
    hostName: optional(text('Name of the BareMetalHost, in the same namespace.')),
    httpHeadersRef: optional(
      secretReferenceSchema,
      'Secret whose keys and values are sent as HTTP headers with each event. Its namespace must be given, and be the same.',
    ),
  },
  'The subscription that is wanted. It cannot be changed: delete it and create another one.',
);
export type BMCEventSubscriptionSpec = Known<z.infer<typeof bmcEventSubscriptionSpecSchema>>;

export const bmcEventSubscriptionStatusSchema = object(
  {
    error: optional(text('What went wrong last.')),
    subscriptionID: optional(text('Identifier that the BMC gave; empty: not subscribed yet.')),
  },
  'What came of it. Written by the operator alone.',
);
export type BMCEventSubscriptionStatus = Known<z.infer<typeof bmcEventSubscriptionStatusSchema>>;

export const bmcEventSubscriptionSchema = object(
  {
    ...typeMetaShape,
    spec: bmcEventSubscriptionSpecSchema.prefault({}),
    status: optional(bmcEventSubscriptionStatusSchema),
  },
  'Makes the BMC of a BareMetalHost send its events to a URL.',
);
export type BMCEventSubscription = Known<z.infer<typeof bmcEventSubscriptionSchema>>;
