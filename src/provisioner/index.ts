/** The provisioner module's door: the contract, its results and its error classes. */
export * from './provisioner.js';
export * from './firmware.js';
export * from './results.js';
export { contractVersion, type PluginConfig, type PluginLog, type PluginModule } from './plugin/contract.js';
export { AbsentProvisioner } from './absent.js';
export { CapacityLedger } from './capacity/ledger.js';
