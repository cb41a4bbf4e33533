/** An image in the virtual drive of a host that is in use. */
export { dataImageController, DataImageReconciler } from './reconciler.js';
