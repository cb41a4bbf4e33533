/** The controllers beside the one of hosts. */
import type { Controller } from '../../controllers/controller.js';
import type { ControllerContext } from './context.js';
import { dataImageController } from './data-image.js';
import { eventSubscriptionController } from './event-subscription.js';
import { firmwareComponentsController } from './firmware-components.js';
import { firmwareSettingsController } from './firmware-settings.js';
import { leavingSecretController } from './leaving-secret.js';

export { type ControllerContext } from './context.js';
export { bareMetalSwitchController } from './bare-metal-switch.js';
export { hostController } from './host.js';
export { hostClaimController } from './host-claim.js';
export { orphanController } from './orphans.js';
export { preprovisioningImageController } from './preprovisioning-image.js';

/** One for each kind; it takes its stores from the watches, which are started later. */
export type ControllerWiring = (context: ControllerContext) => Controller;

export const otherControllers: readonly ControllerWiring[] = [
  firmwareSettingsController,
  firmwareComponentsController,
  dataImageController,
  eventSubscriptionController,
  leavingSecretController,
];
