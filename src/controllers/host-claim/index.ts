/** HostClaims: hosts for those who have no rights on hosts. */
export { providedHostClaimMachine } from './actors.js';
export { HostClaimController } from './controller.js';
export { Fleet } from './fleet.js';
export { NamespaceLabels, namespaceKind } from './namespace-labels.js';
export { policyOf } from './policy.js';
export { PolicyBook } from './policy-book.js';
export { hostClaimController, HostClaimReconciler } from './reconciler.js';
export { WaitingLine } from './waiting-line.js';
