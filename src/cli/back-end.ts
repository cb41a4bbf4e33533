/** The back end that a command drives hosts with, by its name. */
import type { Clock, Random } from '../clock.js';
import type { Log } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { DemoProvisionerFactory } from '../provisioner/demo/index.js';
import { FixtureProvisionerFactory } from '../provisioner/fixture/index.js';
import type { ProvisionerFactory } from '../provisioner/index.js';
import { loadPlugin, resolveOwnModules } from '../provisioner/plugin/index.js';
import { type IronicConfig, type IronicEndpointSource, IronicProvisionerFactory } from '../provisioner/ironic/index.js';

export interface BackEndParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Where provisioners of third parties lie. */
  readonly pluginFolder: string;
  /** Each host boots an agent image of its own, so that a plugin may name the formats that it takes. */
  readonly buildsImages: boolean;
  /** Says where Ironic is, instead of the configuration. */
  readonly endpointSource?: IronicEndpointSource | undefined;
}

/** The back ends that the operator brings along. */
export const builtInBackEnds = ['ironic', 'fixture', 'demo'];

/**
 * @param config asked only when the back end is Ironic: the others need no settings.
 * @throws InputError when a plugin cannot be used
 */
export async function backEnd(
  name: string,
  config: () => IronicConfig,
  parts: BackEndParts,
): Promise<ProvisionerFactory> {
  if (name === 'demo') return new DemoProvisionerFactory();
  if (name === 'fixture') return new FixtureProvisionerFactory();
  const { clock, random, metrics, log, endpointSource, pluginFolder, buildsImages } = parts;
  if (name !== 'ironic') {
    resolveOwnModules();
    const importModule = (url: string): Promise<unknown> => import(url);
    const features = { preprovisioningImage: buildsImages };
    return loadPlugin({ name, folder: pluginFolder, importModule }, { log, clock, random, features });
  }
  return new IronicProvisionerFactory({
    config: config(),
    clock,
    random,
    endpointSource,
    onRequest: ({ method, route, status }) =>
      metrics.count('ironchart_ironic_requests_total', undefined, { method, route, code: String(status) }),
  });
}
