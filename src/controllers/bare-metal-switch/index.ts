/** Switches whose ports Ironic may set up: what it has to know of them is put into two Secrets. */
export { SwitchController } from './controller.js';
export { switchController, SwitchReconciler } from './reconciler.js';
export { rosterOf } from './roster.js';
export type { SwitchTargets } from './target-secrets.js';
