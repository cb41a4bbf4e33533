/** Where the BMC of a host sends its events. */
export { eventSubscriptionController, EventSubscriptionReconciler } from './reconciler.js';
