/** The cases of the controller, on a real API server. */
import { benchesOnCluster } from './bench-on-cluster.js';

benchesOnCluster();
await import('../../../component/host-claim/reconciler.test.js');
