/** The controller of HostClaims, wired. */
import { kinds } from '../../apis/index.js';
import type { Controller } from '../../controllers/controller.js';
import {
  Fleet,
  hostClaimController as name,
  HostClaimController,
  HostClaimReconciler,
  namespaceKind,
  NamespaceLabels,
  PolicyBook,
  WaitingLine,
} from '../../controllers/host-claim/index.js';
import { type ControllerContext, queueOf, recorderOf } from './context.js';

/** @param namespaces that are watched; empty: all, and namespaces themselves too */
export function hostClaimController(context: ControllerContext, namespaces: readonly string[]): Controller {
  const { api, watches, metrics, clock, random, log } = context;
  const claims = watches.store(kinds.hostClaim);
  const hosts = watches.store(kinds.bareMetalHost);
  const policies = watches.store(kinds.hostDeployPolicy);
  const labels = new NamespaceLabels(api, clock, namespaces.length === 0 ? watches.store(namespaceKind) : undefined);
  const fleet = new Fleet(hosts);
  const book = new PolicyBook(policies, labels);
  const line = new WaitingLine();
  const events = recorderOf(context, `metal3-${name}-controller`, `metal3.io/${name}-controller`);
  const reconciler = new HostClaimReconciler({
    ...{ api, claims, hosts, namespaces, fleet, policies: book, line, events, clock, random, log },
  });
  metrics.gauge('ironchart_waiting_claims', 'HostClaims for which there is no host', () => line.size);
  const queue = queueOf(context, name, (key) => line.rankOf(key));
  const sources = { claims, policies, fleet, book, labels, line, events };
  return new HostClaimController(sources, queue, (key, signal) => reconciler.reconcile(key, signal));
}
