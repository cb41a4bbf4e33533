/** The teller of machines without a host, wired. */
import { kinds } from '../../apis/index.js';
import type { Controller } from '../../controllers/controller.js';
import { OrphanController } from '../../controllers/orphans/index.js';
import type { ControllerContext } from './context.js';

/** undefined: the back end does not say which machines it keeps. */
export function orphanController(context: ControllerContext, namespaces: readonly string[]): Controller | undefined {
  const { watches, provisioners, metrics, clock, log } = context;
  if (provisioners.knownHosts === undefined) return undefined;
  const hosts = watches.store(kinds.bareMetalHost);
  const controller = new OrphanController({
    hosts: { has: (key) => hosts.get(key) !== undefined, namespaces },
    look: async () => (await provisioners.knownHosts?.()) ?? [],
    ...{ clock, log },
  });
  metrics.gauge('ironchart_orphan_nodes', 'Nodes in Ironic whose hosts are gone', () => controller.count);
  return controller;
}
