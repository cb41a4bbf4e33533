/** Who makes agent images. Knows no Kubernetes: what an image is made from comes in, and what came of it goes out. */

export type ImageFormat = 'iso' | 'initrd';

/** What an image is made for. The same comes again when it is discarded. */
export interface ImageRequest {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly uid: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly format: ImageFormat;
  /** Such as `x86_64`; "" when unknown. */
  readonly architecture: string;
  /** The Secret with the network data that the image holds, in one version. */
  readonly networkData?: { readonly name: string; readonly version: string };
}

/** What a Secret holds, by its keys. */
export type NetworkData = Readonly<Record<string, string>>;

export interface BuiltImage {
  readonly imageURL: string;
  /** "": none came with it. */
  readonly kernelURL: string;
  readonly extraKernelParams: string;
}

/** `notReady`: ask again. `invalid`: it cannot be made of this, and will not be until something is changed. */
export type BuildAnswer =
  | { readonly kind: 'built'; readonly image: BuiltImage }
  | { readonly kind: 'notReady'; readonly message: string }
  | { readonly kind: 'invalid'; readonly message: string };

export interface ImageProvider {
  supportsArchitecture(architecture: string): boolean;
  supportsFormat(format: ImageFormat): boolean;
  /** May be asked again for the same, at any time: then it answers the same. Whatever it throws is tried again. */
  build(request: ImageRequest, networkData: NetworkData, signal?: AbortSignal): Promise<BuildAnswer>;
  /** Discarding what is not there is no error. */
  discard(request: ImageRequest, signal?: AbortSignal): Promise<void>;
}

export const imageFormats: readonly ImageFormat[] = ['iso', 'initrd'];

/** Whether it can make anything at all. */
export function makesImages(provider: ImageProvider): boolean {
  return imageFormats.some((format) => provider.supportsFormat(format));
}
