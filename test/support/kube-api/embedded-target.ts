import { EmbeddedKubeServer, type EmbeddedKubeOptions } from '../../../src/embedded/kube/index.js';
import { FakeClock } from '../fake-clock.js';
import { KubeClient, type Json } from './client.js';
import type { KubeTarget } from './target.js';
import { WIDGET_CRD } from './widget-crd.js';

export interface EmbeddedTarget extends KubeTarget {
  server: EmbeddedKubeServer;
  clock: FakeClock;
  port: number;
}

/** The embedded server on a clock that stands still, with the Widget definition. */
export async function startEmbedded(options: Partial<EmbeddedKubeOptions> = {}): Promise<EmbeddedTarget> {
  const clock = new FakeClock();
  const server = new EmbeddedKubeServer({ crds: [WIDGET_CRD], clock, ...options });
  const { url, port } = await server.start();
  const client = new KubeClient(url);
  const define = async (crds: readonly Json[]) => {
    for (const crd of crds) await client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  };
  const forget = () => Promise.resolve(server.compact());
  return { client, server, clock, port, define, forget, stop: () => server.stop() };
}
