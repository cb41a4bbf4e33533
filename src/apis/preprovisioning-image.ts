/** PreprovisioningImage: the agent image that is made for one host. */
import type { z } from 'zod';
import { conditionsByType } from './condition.js';
import { typeMetaShape } from './type-meta.js';
import { choice, list, object, optional, text, type Known } from './wire.js';

export const preprovisioningImageFormats = ['iso', 'initrd'] as const;
export type PreprovisioningImageFormat = (typeof preprovisioningImageFormats)[number];

export const secretStatusSchema = object(
  {
    name: optional(text('Name of the Secret.')),
    version: optional(text('`resourceVersion` of the Secret at the time.')),
  },
  'A Secret in one version.',
);
export type SecretStatus = Known<z.infer<typeof secretStatusSchema>>;

export const preprovisioningImageStatusSchema = object(
  {
    architecture: optional(text('CPU architecture that the image was made for.')),
    conditions: optional(
      conditionsByType('Ready: the image can be fetched. Error: it cannot be made; the message says why.'),
    ),
    extraKernelParams: optional(text('Kernel arguments that an initrd needs, to be added to the others.')),
    format: optional(choice(preprovisioningImageFormats, 'Format of the image.')),
    imageUrl: optional(text('Where the ISO image or the initrd is fetched from.')),
    kernelUrl: optional(text('Where the kernel that belongs to an initrd is fetched from.')),
    networkData: optional(secretStatusSchema, 'The network data that the image holds.'),
  },
  'The image that was made.',
);
export type PreprovisioningImageStatus = Known<z.infer<typeof preprovisioningImageStatusSchema>>;

export const preprovisioningImageSchema = object(
  {
    ...typeMetaShape,
    spec: object(
      {
        acceptFormats: optional(
          list(choice(preprovisioningImageFormats, 'A format.'), 'Formats that the host can boot, the best one first.'),
        ),
        architecture: optional(text('CPU architecture that the image is for, such as `x86_64`.')),
        networkDataName: optional(
          text('Name of a Secret in the same namespace with network data that the image is to hold.'),
        ),
      },
      'The image that is wanted.',
    ).prefault({}),
    status: optional(preprovisioningImageStatusSchema),
  },
  'An agent image for the BareMetalHost of the same name. Created by the operator, made by whoever builds images.',
);
export type PreprovisioningImage = Known<z.infer<typeof preprovisioningImageSchema>>;
export type PreprovisioningImageSpec = PreprovisioningImage['spec'];
