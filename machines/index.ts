/** The machines module's door: the charts, the states' names on the wire, and how a chart is kept in a status. */
export { hostMachine } from './host.machine.js';
export { powerMachine } from './power.machine.js';
export { servicingMachine } from './servicing.machine.js';
export { type DriveActorInput, dataImageMachine } from './data-image.machine.js';
export { type ImageActorInput, preprovisioningMachine } from './preprovisioning.machine.js';
export { type ClaimContext, type ClaimInput, hostClaimMachine } from './host-claim.machine.js';
export type * from './host-claim.outcomes.js';
export * from './host.context.js';
export * from './host.states.js';
export * from './host.snapshot.js';
export { mayNeedSlot, verdicts } from './host.guards.js';
export { newDraft, counted, fails, markNames, updates, withEvent, withStatus } from './host.draft.js';
export { commitTransition } from './host.history.js';
export { implementationGaps } from './implementation-check.js';
export type { PowerActorInput } from './power.machine.js';
export {
  isInspectionDisabled,
  isInspectionRequested,
  isRebootForced,
  hasBaseReboot,
  suffixedReboots,
} from './host.annotations.js';
export { rebootAnnotation, inspectAnnotation, detachedAnnotation, rebootedAnnotation } from './host.annotations.js';
export { detachRequest } from './host.annotations.js';
export { currentImage, hasCustomDeploy } from './host.images.js';
export {
  type FirmwareChange,
  type FirmwareObjects,
  firmwareChange,
  firmwareDemand,
  hasFirmwareSpec,
  isDemanded,
  policyScope,
} from './host.firmware.js';
export { servicingDemand } from './servicing.outcomes.js';
export type { DataImageObserved, DriveChangeOutcome, DriveOutcome } from './data-image.outcomes.js';
export { type ImageFormats, wantedSpec } from './preprovisioning.outcomes.js';
export { targetSettings } from './host.settings.js';
export { isUnprepared } from './host.outcomes.js';
export { afterWork, heldByOthers, restartedBy } from './host.unheeded.js';
export { shortened } from './shortened.js';
export { credentialsMatch } from './host.registration.js';
export { isSame } from './equality.js';
