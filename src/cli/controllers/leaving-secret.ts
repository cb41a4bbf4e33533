/** The teller of Secrets that are deleted while hosts need them, wired. */
import { kinds } from '../../apis/index.js';
import { type Controller, ObjectController } from '../../controllers/controller.js';
import {
  isHeld,
  leavingSecretController as name,
  LeavingSecretReconciler,
} from '../../controllers/leaving-secrets/index.js';
import { keyOf, type KubeObject, secretKind, type StoreEvent } from '../../kube/index.js';
import { type ControllerContext, queueOf, recorderOf } from './context.js';

export function leavingSecretController(context: ControllerContext): Controller {
  const { watches, secrets: secretStore, log } = context;
  // The host controller, which is wired before, says which Secrets are followed.
  const secrets = watches.store(secretKind);
  const hosts = watches.store(kinds.bareMetalHost);
  const events = recorderOf(context, 'metal3-baremetal-controller', 'metal3.io/baremetal-controller');
  const reconciler = new LeavingSecretReconciler({ secrets, hosts, secretStore, events, log });
  const heldBy = (event: StoreEvent<KubeObject>) => {
    if (event.type === 'updated' && event.before.metadata.generation === event.object.metadata.generation) return [];
    const { namespace } = event.object.metadata;
    return [...secrets.values()].filter((each) => each.metadata.namespace === namespace && isHeld(each)).map(keyOf);
  };
  const reconcile = reconciler.reconcile.bind(reconciler);
  return new ObjectController(name, secrets, queueOf(context, name), reconcile, [{ store: hosts, keysOf: heldBy }]);
}
