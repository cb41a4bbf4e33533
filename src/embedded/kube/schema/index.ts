/** Structural schemas at work: defaulting, pruning, validation. */
export { applyDefaults } from './defaults.js';
export type { FieldError } from './field-error.js';
export { prune } from './prune.js';
export type { Schema } from './schema.js';
export { validate } from './validate.js';
