/** Admission: rules for what may be written, and the server that the API server asks. */
export { CertificateFiles } from './certificates/files.js';
export {
  configurationKind,
  OwnAuthority,
  type OwnAuthorityOptions,
  serviceNames,
} from './certificates/own-authority.js';
export { FirstOf, SelfSigned } from './certificates/self-signed.js';
export type { CertificateSource, KeyPair } from './certificates/source.js';
export * from './rules/index.js';
export { AdmissionServer, pathOf, type AdmissionServerOptions, type TLSOptions } from './server/server.js';
