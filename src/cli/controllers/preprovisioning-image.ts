/** The controller of PreprovisioningImages, wired. */
import { apiGroup, kinds } from '../../apis/index.js';
import { type Controller, ObjectController } from '../../controllers/controller.js';
import {
  type ImageProvider,
  preprovisioningImageController as name,
  PreprovisioningImageReconciler,
} from '../../controllers/preprovisioning-image/index.js';
import { keyOf, type KubeObject, secretKind } from '../../kube/index.js';
import { type ControllerContext, queueOf } from './context.js';

export function preprovisioningImageController(context: ControllerContext, provider: ImageProvider): Controller {
  const { api, watches, secrets, clock, log } = context;
  const images = watches.store(kinds.preprovisioningImage);
  const reconciler = new PreprovisioningImageReconciler({ api, images, secrets, provider, clock, log });
  // The host controller, which is wired before, says which Secrets are followed. Its own changes of them count here too.
  const seenSecrets = watches.store(secretKind);
  return new ObjectController(name, images, queueOf(context, name), reconciler.reconcile.bind(reconciler), [
    { store: seenSecrets, keysOf: ({ object }) => imagesThatOwn(object) },
  ]);
}

function imagesThatOwn({ metadata: { namespace, ownerReferences = [] } }: KubeObject): string[] {
  const { kind } = kinds.preprovisioningImage;
  return ownerReferences
    .filter((owner) => owner.kind === kind && owner.apiVersion.startsWith(`${apiGroup}/`))
    .map((owner) => keyOf({ metadata: { name: owner.name, namespace } }));
}
