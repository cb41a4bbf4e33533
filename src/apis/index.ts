/** The wire: kinds as schemas and types, the manifests made from them, and names that clients rely on. Imports zod alone. */
export * from './bare-metal-host.js';
export * from './bare-metal-host-spec.js';
export * from './bare-metal-host-status.js';
export * from './condition.js';
export * from './crd.js';
export * from './firmware-config.js';
export * from './hardware-data.js';
export * from './hardware-details.js';
export * from './host-predicates.js';
export * from './image.js';
export * from './image-rules.js';
export * from './metadata.js';
export * from './names.js';
export * from './raid.js';
export * from './references.js';
export * from './root-device-hints.js';
export { toStructuralSchema, type StructuralSchema } from './structural-schema.js';
export type { JSONObject, JSONValue } from './wire.js';
