/** The Ironic client's door. */
export { IronicClient, type JSONRecord, type PatchOperation, type PortBody } from './client.js';
export { codeOfStatus, IronicError, isIronicError, type IronicErrorCode } from './ironic-error.js';
export { baselineMinor, readVersion, versionFor, type IronicFeatures, type IronicVersion } from './microversion.js';
export type { ProxySettings } from './proxy.js';
export {
  ConnectionSettings,
  type BasicAuth,
  type ConnectionFiles,
  type ConnectionMaterial,
  type TLSMaterial,
} from './settings.js';
export { Transport, type RequestRecord, type TransportOptions } from './transport.js';
