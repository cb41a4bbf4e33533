/** The only room that talks to Kubernetes: it knows kinds by their reference and nothing of hosts. */
export * from './access-review.js';
export * from './api.js';
export * from './errors.js';
export * from './events.js';
export * from './kinds.js';
export * from './lease.js';
export * from './queue.js';
export * from './rate-limiter.js';
export * from './reflector.js';
export * from './secrets.js';
export * from './store.js';
export type { ClusterAccess } from './cluster-access.js';
export { loadKubeConfig, parseKubeConfig } from './kubeconfig.js';
export { HttpTransport, type Transport } from './transport.js';
export { type FollowOptions, Watches } from './watches.js';
