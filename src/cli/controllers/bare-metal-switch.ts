/** The controller of BareMetalSwitches, wired. */
import { kinds } from '../../apis/index.js';
import {
  SwitchController,
  switchController as name,
  SwitchReconciler,
  type SwitchTargets,
} from '../../controllers/bare-metal-switch/index.js';
import type { Controller } from '../../controllers/controller.js';
import { secretKind } from '../../kube/index.js';
import { type ControllerContext, queueOf, recorderOf } from './context.js';

export function bareMetalSwitchController(context: ControllerContext, targets: SwitchTargets): Controller {
  const { api, watches, secrets: secretStore, clock, log } = context;
  const switches = watches.store(kinds.bareMetalSwitch);
  const events = recorderOf(context, `metal3-${name}-controller`, `metal3.io/${name}-controller`);
  const reconciler = new SwitchReconciler({ ...{ api, switches, targets, events, clock, log }, secrets: secretStore });
  // The host controller, which is wired before, says which Secrets are followed.
  const secrets = watches.store(secretKind);
  const targetNames = [targets.configsSecret, targets.credentialsSecret];
  const sources = { switches, secrets, secretStore, targetNames };
  return new SwitchController(sources, queueOf(context, name), reconciler.reconcile.bind(reconciler));
}
