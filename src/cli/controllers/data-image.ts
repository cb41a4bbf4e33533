/** The controller of DataImages, wired. */
import { kinds } from '../../apis/index.js';
import { type Controller, ObjectController } from '../../controllers/controller.js';
import { dataImageController as name, DataImageReconciler } from '../../controllers/data-image/index.js';
import { accessChanged, hostWaker } from '../../controllers/host-view.js';
import { type ControllerContext, queueOf } from './context.js';

export function dataImageController(context: ControllerContext): Controller {
  const { api, watches, provisioners, clock, log } = context;
  const images = watches.store(kinds.dataImage);
  const hosts = watches.store(kinds.bareMetalHost);
  const reconciler = new DataImageReconciler({ api, images, hosts, provisioners, clock, log });
  const keysOf = (key: string) => (images.get(key) === undefined ? [] : [key]);
  return new ObjectController(name, images, queueOf(context, name), reconciler.reconcile.bind(reconciler), [
    hostWaker(hosts, accessChanged, keysOf),
  ]);
}
