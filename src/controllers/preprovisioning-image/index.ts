/** Agent images that are made for one host each. */
export type { BuildAnswer, BuiltImage, ImageFormat, ImageProvider, ImageRequest } from './image-provider.js';
export { makesImages } from './image-provider.js';
export { FixedImageProvider, type FixedImages } from './fixed-images.js';
export { preprovisioningImageController, PreprovisioningImageReconciler } from './reconciler.js';
