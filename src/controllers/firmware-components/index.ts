/** The components of a host that have firmware of their own. */
export { firmwareComponentsController, FirmwareComponentsReconciler } from './reconciler.js';
