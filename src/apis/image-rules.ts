/** What an image is, and which digest goes to the back end. Pure. */
import { checksumTypes, type Image } from './image.js';

export function isOCI(image: Pick<Image, 'url'> | undefined): boolean {
  return image?.url.toLowerCase().startsWith('oci://') ?? false;
}

export function isLiveISO(image: Pick<Image, 'format'> | undefined): boolean {
  return image?.format === 'live-iso';
}

/** `none`: the image needs no digest. `type` "" leaves it to the back end to tell the algorithm. */
export type ImageChecksum =
  | { readonly kind: 'none' }
  | { readonly kind: 'checksum'; readonly checksum: string; readonly type: '' | 'md5' | 'sha256' | 'sha512' }
  | { readonly kind: 'invalid'; readonly problem: string };

const invalid = (problem: string): ImageChecksum => ({ kind: 'invalid', problem });

export function imageChecksum(image: Image | undefined): ImageChecksum {
  if (image === undefined) return invalid('there is no image');
  const checksum = image.checksum ?? '';
  if (isOCI(image))
    return checksum === ''
      ? { kind: 'none' }
      : invalid('checksum is set, but an OCI image brings its own digest: remove it');
  if (isLiveISO(image)) return { kind: 'none' };
  if (checksum === '')
    return invalid(
      'checksum is required for normal images: give the digest of the image, or the URL of a file with it',
    );
  return typed(checksum, image.checksumType ?? '');
}

function typed(checksum: string, type: string): ImageChecksum {
  if (type === '' || type === 'auto') return { kind: 'checksum', checksum, type: '' };
  const known = (['md5', 'sha256', 'sha512'] as const).find((algorithm) => algorithm === type);
  if (known) return { kind: 'checksum', checksum, type: known };
  return invalid(`checksumType ${type} is none that is known: take one of ${[...checksumTypes].sort().join(', ')}`);
}
