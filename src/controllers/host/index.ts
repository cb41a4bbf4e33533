/** The host controller's door. */
export { HostController } from './controller.js';
export type { HostDependencies, HostMetrics, Log } from './dependencies.js';
export { HardwareDataStore } from './hardware-data.js';
export { hardwareDataKind, hostKind } from './kinds.js';
export { HostChartRunner, type Inspector } from './pass.js';
export { providedHostMachine, providedPowerMachine } from './actors.js';
export { HostReconciler } from './reconciler.js';
export type { PassReport } from './report.js';
export { HostSecrets } from './secret-reader.js';
export { maxRounds } from './folding.js';
