/** The controller of HostFirmwareComponents, wired. */
import { kinds } from '../../apis/index.js';
import { type Controller, ObjectController } from '../../controllers/controller.js';
import {
  firmwareComponentsController as name,
  FirmwareComponentsReconciler,
} from '../../controllers/firmware-components/index.js';
import { firmwareMayDiffer, hostWaker } from '../../controllers/host-view.js';
import { type ControllerContext, queueOf, recorderOf } from './context.js';

export function firmwareComponentsController(context: ControllerContext): Controller {
  const { api, watches, provisioners, clock, log } = context;
  const components = watches.store(kinds.hostFirmwareComponents);
  const hosts = watches.store(kinds.bareMetalHost);
  const events = recorderOf(context, `metal3-${name}-controller`, `metal3.io/${name}-controller`);
  const reconciler = new FirmwareComponentsReconciler({
    ...{ api, components, hosts, provisioners, events, clock, log },
  });
  const keysOf = (key: string) => (components.get(key) === undefined ? [] : [key]);
  return new ObjectController(name, components, queueOf(context, name), reconciler.reconcile.bind(reconciler), [
    hostWaker(hosts, firmwareMayDiffer, keysOf),
  ]);
}
