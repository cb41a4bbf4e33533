/** The cases of queueing, on a real API server. */
import { benchesOnCluster } from './bench-on-cluster.js';

benchesOnCluster();
await import('../../../component/host-claim/queueing.test.js');
