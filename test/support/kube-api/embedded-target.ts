import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
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
  return { client: new KubeClient(url), server, clock, port, stop: () => server.stop() };
}

/** The project's own definitions, from its chart. */
export function chartCrds(): Record<string, Json>[] {
  const folder = new URL('../../../charts/ironchart/crds/', import.meta.url);
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => parse(readFileSync(new URL(file, folder), 'utf8')) as Record<string, Json>);
}
