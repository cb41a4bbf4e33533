/** The Ironic back end's door. */
export { IronicError, isIronicError, type IronicErrorCode, type RequestRecord } from './client/index.js';
export type { IronicConfig, PersistentBootDevice } from './config.js';
export type { IronicEndpoint, IronicEndpointSource } from './endpoint-source.js';
export { IronicProvisionerFactory, type IronicFactoryOptions } from './factory.js';
export type { Resolver } from './host-session.js';
export { derivedUUID, hostKeyOf, nodeName } from './identity.js';
export { isBusy } from './capacity.js';
export { toHardwareDetails } from './inventory.js';
export { sparingLooks, type LookPolicy } from './node-memory.js';
export { DirectNodeReader, listNodes, type NodeReader } from './node-reader.js';
export { summaryFields, toNode, toSummary, type IronicNode, type NodeSummary } from './node.js';
