/** The controller of BMCEventSubscriptions, wired. */
import { kinds } from '../../apis/index.js';
import { type Controller, ObjectController } from '../../controllers/controller.js';
import {
  eventSubscriptionController as name,
  EventSubscriptionReconciler,
} from '../../controllers/event-subscription/index.js';
import { accessChanged, hostWaker } from '../../controllers/host-view.js';
import { keyOf, parseKey } from '../../kube/index.js';
import { type ControllerContext, queueOf, recorderOf } from './context.js';

export function eventSubscriptionController(context: ControllerContext): Controller {
  const { api, watches, secrets, provisioners, clock, log } = context;
  const subscriptions = watches.store(kinds.bmcEventSubscription);
  const hosts = watches.store(kinds.bareMetalHost);
  const events = recorderOf(context, `metal3-${name}-controller`, `metal3.io/${name}-controller`);
  const reconciler = new EventSubscriptionReconciler({
    ...{ api, subscriptions, hosts, secrets, provisioners, events, clock, log },
  });
  const subscriptionsOf = (hostKey: string): string[] => {
    const host = parseKey(hostKey);
    const ofHost = [...subscriptions.values()].filter(({ metadata, spec }) => {
      const { hostName } = (spec ?? {}) as { hostName?: string };
      return metadata.namespace === host.namespace && hostName === host.name;
    });
    return ofHost.map(keyOf);
  };
  return new ObjectController(name, subscriptions, queueOf(context, name), reconciler.reconcile.bind(reconciler), [
    hostWaker(hosts, accessChanged, subscriptionsOf),
  ]);
}
