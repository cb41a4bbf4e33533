/** Secrets that somebody has deleted while hosts hold on to them. */
export { leavingSecretController, LeavingSecretReconciler } from './reconciler.js';
export { hostsThatName, isHeld } from './use.js';
