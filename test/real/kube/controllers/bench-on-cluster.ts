/** Object benches on the control plane of this run, each on what looks like an empty one. */
import { kinds } from '../../../../src/apis/index.js';
import { useBenchPlace } from '../../../support/bench-server.js';
import { chartCrds } from '../../../support/kube-api/chart-crds.js';
import type { Json } from '../../../support/kube-api/client.js';
import { breakable } from '../breakable.js';
import { Cluster } from '../cluster.js';

/** To be called before the tests of a controller are imported. */
export function benchesOnCluster(): void {
  const cluster = Cluster.here();
  const defined = cluster.define(chartCrds());
  useBenchPlace({
    epoch: Math.floor(Date.now() / 1000) * 1000,
    async start(_clock, fault) {
      await defined;
      await empty(cluster);
      await unlabel(cluster);
      const server = await breakable(cluster, fault, cluster.read('token'));
      return { ...server, passSecond: () => new Promise<void>((resolve) => setTimeout(resolve, 1_000)) };
    },
  });
}

/** What lies in the namespaces that the server has from the start is left alone. */
async function empty(cluster: Cluster): Promise<void> {
  const ours = Object.values(kinds).map(({ plural }) => ['/apis/metal3.io/v1alpha1', plural] as const);
  for (const [root, plural] of [...ours, ['/api/v1', 'secrets'] as const, ['/api/v1', 'events'] as const]) {
    const { body } = await cluster.client.get(`${root}/${plural}`);
    for (const { metadata } of (body as { items: Json[] }).items) {
      const { namespace, name, finalizers } = metadata;
      if (namespace.startsWith('kube-')) continue;
      const path = `${root}/namespaces/${namespace}/${plural}/${name}`;
      if (finalizers !== undefined) await cluster.client.patch(path, { metadata: { finalizers: null } });
      await cluster.client.delete(path);
    }
  }
}

/** Namespaces take their time to go; what a test can know of them is their labels. */
async function unlabel({ client }: Cluster): Promise<void> {
  const { body } = await client.get('/api/v1/namespaces');
  for (const { metadata } of (body as { items: Json[] }).items) {
    const { name, labels = {} } = metadata;
    const own = Object.keys(labels).filter((label) => label !== 'kubernetes.io/metadata.name');
    if (own.length === 0 || name.startsWith('kube-')) continue;
    const gone = Object.fromEntries(own.map((label) => [label, null]));
    await client.patch(`/api/v1/namespaces/${name}`, { metadata: { labels: gone } });
  }
}
