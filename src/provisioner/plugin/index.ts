/** The door to provisioners of third parties. */
export { contractVersion, type PluginConfig, type PluginLog, type PluginModule } from './contract.js';
export { GuardedFactory } from './guarded-factory.js';
export { loadPlugin, type PluginPlace } from './load.js';
export { resolveOwnModules } from './resolution.js';
