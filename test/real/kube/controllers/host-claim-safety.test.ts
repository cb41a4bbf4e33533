/** The cases of safety, on a real API server. */
import { benchesOnCluster } from './bench-on-cluster.js';

benchesOnCluster();
await import('../../../component/host-claim/safety.test.js');
