/** The embedded Kubernetes API server: what `ironchart up` and the component tests run against. */
export { EmbeddedKubeServer, type EmbeddedKubeOptions } from './server.js';
export type { Fault, FaultHook, FaultRequest } from './fault.js';
export type { Admit, AdmissionQuestion, AdmissionVerdict } from './write/admission.js';
export type { KubeObject } from './object.js';
export { BUILT_IN } from './kinds/built-in.js';
