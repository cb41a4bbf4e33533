/** The controller of HostFirmwareSettings, wired. */
import { kinds } from '../../apis/index.js';
import { type Controller, ObjectController } from '../../controllers/controller.js';
import {
  firmwareSettingsController as name,
  FirmwareSchemas,
  FirmwareSettingsReconciler,
} from '../../controllers/firmware-settings/index.js';
import { firmwareWakers } from '../../controllers/host-view.js';
import type { KubeObject } from '../../kube/index.js';
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
  const wishes = ({ spec }: KubeObject) =>
    Object.keys((spec as { settings?: object } | undefined)?.settings ?? {}).length;
  return new ObjectController(name, settings, queueOf(context, name), reconciler.reconcile.bind(reconciler), [
    ...firmwareWakers(hosts, settings, wishes),
    {
      store: schemaObjects,
      keysOf: ({ type, object }) => (type === 'deleted' ? schemas.usersOf(object) : []),
      keysAtStart: () => schemas.unnamed(),
    },
  ]);
}
