/** The controller of HostFirmwareComponents, wired. */
import { kinds } from '../../apis/index.js';
import { type Controller, ObjectController } from '../../controllers/controller.js';
import {
  firmwareComponentsController as name,
  FirmwareComponentsReconciler,
} from '../../controllers/firmware-components/index.js';
import { firmwareWakers } from '../../controllers/host-view.js';
import type { KubeObject } from '../../kube/index.js';
import { type ControllerContext, queueOf, recorderOf } from './context.js';

export function firmwareComponentsController(context: ControllerContext): Controller {
  const { api, watches, provisioners, clock, log } = context;
  const components = watches.store(kinds.hostFirmwareComponents);
  const hosts = watches.store(kinds.bareMetalHost);
  const events = recorderOf(context, `metal3-${name}-controller`, `metal3.io/${name}-controller`);
  const reconciler = new FirmwareComponentsReconciler({
    ...{ api, components, hosts, provisioners, events, clock, log },
  });
  const wishes = ({ spec }: KubeObject) => (spec as { updates?: unknown[] } | undefined)?.updates?.length ?? 0;
  const wakers = firmwareWakers(hosts, components, wishes);
  return new ObjectController(name, components, queueOf(context, name), reconciler.reconcile.bind(reconciler), wakers);
}
