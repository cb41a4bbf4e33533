/** The whole operator on the real API server, with the embedded Ironic. */
import { eventually } from '../../support/eventually.js';
import type { Json } from '../../support/kube-api/client.js';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import { type PlantCluster, type PlantOptions, TestPlant } from '../../support/plant.js';
import type { Cluster } from './cluster.js';

/** Fast enough for a life within seconds, slow enough for the time-outs of requests to a busy server. */
const speed = 8;

export interface RealPlantOptions extends Omit<PlantOptions, 'cluster'> {
  /** A namespace of its own. */
  readonly namespace: string;
  /** It is there already; else it is made. */
  readonly hasNamespace?: boolean;
  readonly cluster?: Partial<PlantCluster>;
  /** Default: the chart's. */
  readonly crds?: readonly Json[];
}

export async function startPlant(cluster: Cluster, options: RealPlantOptions): Promise<TestPlant> {
  const { namespace, crds = chartCrds() } = options;
  await cluster.define(crds);
  if (options.hasNamespace !== true) await cluster.makeNamespace(namespace);
  const kubeconfig = cluster.kubeconfig('admin');
  const place = { kubeconfig, operatorKubeconfig: cluster.kubeconfig('operator'), namespace, ...options.cluster };
  return TestPlant.start({ speed, patienceMs: 180_000, ...options, cluster: place });
}

/** Takes away what a plant that has stopped leaves behind, so that no other operator takes it up. */
export async function clear(cluster: Cluster, namespace: string): Promise<void> {
  const held = [
    ['/apis/metal3.io/v1alpha1', 'baremetalhosts'],
    ['/apis/metal3.io/v1alpha1', 'hardwaredata'],
    ['/api/v1', 'secrets'],
  ] as const;
  for (const [root, plural] of held) {
    const path = `${root}/namespaces/${namespace}/${plural}`;
    // The server may be busy still with what a test has done to it.
    const { items } = await eventually(`a list of ${plural}`, async () => {
      const { status, body } = await cluster.client.get(path);
      return status === 200 && (body as { items: Json[] });
    });
    for (const { metadata } of items) {
      await cluster.client.patch(`${path}/${metadata.name}`, { metadata: { finalizers: null } });
      await cluster.client.delete(`${path}/${metadata.name}`);
    }
  }
  await cluster.client.delete(`/api/v1/namespaces/${namespace}`);
}

/** The definitions as upstream has them: they keep no snapshot in a host's status. */
export function withoutSnapshot(): Json[] {
  const crds = structuredClone(chartCrds()) as Json[];
  let removed = 0;
  for (const crd of crds) {
    for (const version of crd.spec.versions) {
      const { status } = version.schema.openAPIV3Schema.properties;
      if (status?.properties?.lifecycle === undefined) continue;
      delete status.properties.lifecycle;
      removed += 1;
    }
  }
  if (removed !== 1) throw new Error(`${removed} definitions have a snapshot, not one`);
  return crds;
}
