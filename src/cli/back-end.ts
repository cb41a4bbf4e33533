/** The back end that a command drives hosts with, by its name. */
import type { Clock, Random } from '../clock.js';
import type { Metrics } from '../observability/metrics.js';
import { DemoProvisionerFactory } from '../provisioner/demo/index.js';
import { FixtureProvisionerFactory } from '../provisioner/fixture/index.js';
import type { ProvisionerFactory } from '../provisioner/index.js';
import { type IronicConfig, type IronicEndpointSource, IronicProvisionerFactory } from '../provisioner/ironic/index.js';

export interface BackEndParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  /** Says where Ironic is, instead of the configuration. */
  readonly endpointSource?: IronicEndpointSource | undefined;
}

/** @param config asked only when the back end is Ironic: the others need no settings. */
export function backEnd(name: string, config: () => IronicConfig, parts: BackEndParts): ProvisionerFactory {
  if (name === 'demo') return new DemoProvisionerFactory();
  if (name === 'fixture') return new FixtureProvisionerFactory();
  const { clock, random, metrics, endpointSource } = parts;
  return new IronicProvisionerFactory({
    config: config(),
    clock,
    random,
    endpointSource,
    onRequest: ({ method, route, status }) =>
      metrics.count('ironchart_ironic_requests_total', undefined, { method, route, code: String(status) }),
  });
}
