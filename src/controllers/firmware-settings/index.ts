/** The settings of a host's firmware. */
export { firmwareSettingsController, FirmwareSettingsReconciler } from './reconciler.js';
export { FirmwareSchemas } from './schema-store.js';
