/** The machines module's door: the charts, the states' names on the wire, and how a chart is kept in a status. */
export { hostMachine } from './host.machine.js';
export { powerMachine } from './power.machine.js';
export * from './host.context.js';
export * from './host.states.js';
export * from './host.snapshot.js';
export { mayNeedSlot, verdicts } from './host.guards.js';
export { newDraft, counted, fails, updates, withEvent, withStatus } from './host.draft.js';
export { commitTransition } from './host.history.js';
export { implementationGaps } from './implementation-check.js';
export type { PowerActorInput } from './power.machine.js';
