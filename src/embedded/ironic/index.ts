/** The embedded Ironic: a bare-metal service at wire level, in process, with machines that can be told to fail. */
export { EmbeddedIronic, type EmbeddedIronicOptions } from './embedded-ironic.js';
export { parseFaults, parseFaultYaml, type Faults, type FaultsInput } from './fault-schema.js';
export type { BootClass, HistoryEntry } from './activity.js';
export type { NodeFields } from './node-record.js';
export { phaseNames, type PhaseOptions, type PhaseTime } from './settings.js';
