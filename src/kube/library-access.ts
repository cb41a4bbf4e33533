/** Accounts that need the client library: commands and providers that log in, proxies, several files in one. */
import type http from 'node:http';
import type https from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import type { ClusterAccess } from './cluster-access.js';
import { KubeError } from './errors.js';

/** @param file undefined: what the environment names. @throws when it cannot be read, or names no current cluster */
export async function loadWithLibrary(file: string | undefined): Promise<ClusterAccess> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  if (file === undefined) config.loadFromDefault();
  else config.loadFromFile(file);
  return new LibraryAccess(config);
}

class LibraryAccess implements ClusterAccess {
  readonly server: URL;

  constructor(private readonly config: KubeConfig) {
    const cluster = config.getCurrentCluster();
    if (!cluster) throw noCluster();
    this.server = new URL(cluster.server);
  }

  async requestOptions(): Promise<https.RequestOptions> {
    const options: https.RequestOptions = { headers: {} };
    await this.config.applyToHTTPSOptions(options);
    return options;
  }

  agent(options: https.RequestOptions): http.Agent | undefined {
    return this.config.getCurrentCluster()?.proxyUrl ? (options.agent as http.Agent) : undefined;
  }
}

export function noCluster(): KubeError {
  return new KubeError('KUBE_UNAVAILABLE', 'the kubeconfig names no current cluster', { retry: 'never' });
}
