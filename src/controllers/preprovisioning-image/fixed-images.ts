/** The images that the operator was started with: the same for every host of an architecture, whatever its network data. */
import type { BuildAnswer, ImageFormat, ImageProvider, ImageRequest } from './image-provider.js';

export interface FixedImages {
  /** "": none. */
  readonly iso: string;
  readonly kernel: string;
  readonly ramdisk: string;
}

export class FixedImageProvider implements ImageProvider {
  /** @param imagesFor those of an architecture; for "", those of no certain one */
  constructor(private readonly imagesFor: (architecture: string) => FixedImages) {}

  supportsArchitecture(): boolean {
    return true;
  }

  /** As for no certain architecture: what is there for certain ones alone does not count. */
  supportsFormat(format: ImageFormat): boolean {
    const { iso, kernel, ramdisk } = this.imagesFor('');
    return format === 'iso' ? iso !== '' : kernel !== '' && ramdisk !== '';
  }

  build({ format, architecture }: ImageRequest): Promise<BuildAnswer> {
    const { iso, kernel, ramdisk } = this.imagesFor(architecture);
    const image =
      format === 'iso'
        ? { imageURL: iso, kernelURL: '', extraKernelParams: '' }
        : { imageURL: ramdisk, kernelURL: kernel, extraKernelParams: '' };
    return Promise.resolve({ kind: 'built', image });
  }

  /** They serve others still. */
  discard(): Promise<void> {
    return Promise.resolve();
  }
}
