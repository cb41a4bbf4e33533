/** The controller of HostFirmwareSettings, wired. */
import { kinds } from '../../apis/index.js';
import { type Controller, ObjectController } from '../../controllers/controller.js';
import {
  firmwareSettingsController as name,
  FirmwareSchemas,
  FirmwareSettingsReconciler,
} from '../../controllers/firmware-settings/index.js';
import { firmwareMayDiffer, hostWaker } from '../../controllers/host-view.js';
import { type ControllerContext, queueOf, recorderOf } from './context.js';

export function firmwareSettingsController(context: ControllerContext): Controller {
  const { api, watches, provisioners, clock, log } = context;
  const settings = watches.store(kinds.hostFirmwareSettings);
  const hosts = watches.store(kinds.bareMetalHost);
  const schemaObjects = watches.store(kinds.firmwareSchema);
  const schemas = new FirmwareSchemas(api, schemaObjects, settings);
  const events = recorderOf(context, `metal3-${name}-controller`, `metal3.io/${name}-controller`);
  const reconciler = new FirmwareSettingsReconciler({
    ...{ api, settings, hosts, schemas, provisioners, events, clock, log },
  });
  const keysOf = (key: string) => (settings.get(key) === undefined ? [] : [key]);
  return new ObjectController(name, settings, queueOf(context, name), reconciler.reconcile.bind(reconciler), [
    hostWaker(hosts, firmwareMayDiffer, keysOf),
    { store: schemaObjects, keysOf: ({ type, object }) => (type === 'deleted' ? schemas.usersOf(object) : []) },
  ]);
}
