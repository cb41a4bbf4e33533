/** What is put on a host. */
import type { z } from 'zod';
import { choice, object, optional, required, text, type Known } from './wire.js';

export const imageFormats = ['raw', 'qcow2', 'vdi', 'vmdk', 'live-iso'] as const;
export const checksumTypes = ['md5', 'sha256', 'sha512', 'auto'] as const;

export const imageSchema = object(
  {
    checksum: optional(
      text(
        'Digest of the image, or URL of a file that lists it. Needed for every image but a live ISO and an `oci://` one; must be left out for `oci://`.',
      ),
    ),
    checksumType: optional(
      choice(checksumTypes, 'Algorithm of `checksum`. Left out, or `auto`: told from the length of the digest.'),
    ),
    format: optional(
      choice(
        imageFormats,
        'Format of the disk image; left out, it is detected. `live-iso` boots the image on each start and writes nothing to disk.',
      ),
    ),
    ociAuthSecretName: optional(
      text(
        "Name of a docker-config Secret in the host's namespace with the credentials of the registry. Looked at for `oci://` only.",
      ),
    ),
    url: required(text('Where the image is fetched from: http, https, ftp, gopher or oci. Empty: no image.'), ''),
  },
  'An operating-system image.',
);
export type Image = Known<z.infer<typeof imageSchema>>;

export const customDeploySchema = object(
  { method: required(text('Name of the deploy step. The agent image in use must provide it.'), '') },
  'Provisioning by a deploy step of a custom agent image instead of by writing an image.',
);
export type CustomDeploy = Known<z.infer<typeof customDeploySchema>>;
