/** The cases of the controller, on a real API server. */
import { benchesOnCluster } from './bench-on-cluster.js';

benchesOnCluster();
await import('../../../component/bare-metal-switch/reconciler.test.js');
