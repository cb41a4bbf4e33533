/** The host controller's door. */
export { HostController } from './controller.js';
export type { HostDependencies, HostMetrics, Log } from './dependencies.js';
export { HardwareDataStore, withPackedHardware } from './hardware-data.js';
export { Companions, type CompanionStores } from './companions.js';
export { hardwareDataKind, hostKind } from './kinds.js';
export {
  dataImageKind,
  firmwareComponentsKind,
  firmwareSettingsKind,
  preprovisioningImageKind,
  updatePolicyKind,
} from './kinds.js';
export { HostChartRunner, type Inspector } from './pass.js';
export { providedHostMachine } from './actors.js';
export { providedDataImageMachine, providedPowerMachine } from './power-actors.js';
export { providedServicingMachine } from './firmware-actors.js';
export { providedPreprovisioningMachine } from './registering.js';
export { HostReconciler } from './reconciler.js';
export type { PassReport } from './report.js';
export { withWritersAlone } from './spec-authors.js';
export { HostSecrets } from './secret-reader.js';
export { maxRounds } from './folding.js';
