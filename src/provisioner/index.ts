/** The provisioner module's door: the contract, its results and its error classes. */
export * from './provisioner.js';
export * from './results.js';
