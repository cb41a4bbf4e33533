/** DataImage: an ISO image that is attached to one host beside its operating system. */
import type { z } from 'zod';
import { typeMetaShape } from './type-meta.js';
import { integer, object, optional, required, text, time, type Known } from './wire.js';

export const dataImageStatusSchema = object(
  {
    attachedImage: optional(
      object(
        { url: required(text('Where the image came from; empty: none is attached.'), '') },
        'The image that is attached.',
      ),
    ),
    error: optional(
      object(
        {
          count: required(integer('Failures since the last success.'), 0),
          message: required(text('What went wrong last; empty: nothing.'), ''),
        },
        'Trouble with attaching or detaching.',
      ),
    ),
    lastReconciled: optional(time('When attaching or detaching was last tried.')),
  },
  'The image that the host has. Written by the operator alone.',
);
export type DataImageStatus = Known<z.infer<typeof dataImageStatusSchema>>;

export const dataImageSchema = object(
  {
    ...typeMetaShape,
    spec: object(
      {
        url: required(text('Where the ISO image is fetched from: http, https, ftp, gopher or oci.'), ''),
      },
      'The image that is wanted. It is attached, and detached, when the host is next rebooted.',
    ).prefault({}),
    status: optional(dataImageStatusSchema),
  },
  'An ISO image for the BareMetalHost of the same name, as virtual media.',
);
export type DataImage = Known<z.infer<typeof dataImageSchema>>;
