/** Where the cluster says that Ironic is. */
export { ClusterIronic } from './cluster-ironic.js';
export { ironicKind } from './kind.js';
