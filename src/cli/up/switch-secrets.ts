/** The Secrets that Ironic would mount: nobody else makes them here. */
import { kinds } from '../../apis/index.js';
import type { SwitchTargets } from '../../controllers/bare-metal-switch/index.js';
import { isKubeError, type KubeApi, secretKind } from '../../kube/index.js';
import type { Manifest } from '../manifests.js';

export const switchTargets: SwitchTargets = {
  configsSecret: 'metal3-switch-configs',
  credentialsSecret: 'metal3-switch-credentials',
  credentialsPath: '/etc/ironic/switch-credentials',
};

/** In the namespace `default`, and in each one where a manifest has a switch. What is there already stays as it is. */
export async function makeTargets(
  api: Pick<KubeApi, 'create'>,
  manifests: readonly Manifest[],
  { configsSecret, credentialsSecret }: SwitchTargets,
): Promise<void> {
  const { kind: switchName } = kinds.bareMetalSwitch;
  const switches = manifests.filter(({ kind }) => kind.kind === switchName);
  const namespaces = new Set(['default', ...switches.map(({ object }) => object.metadata.namespace ?? 'default')]);
  for (const namespace of namespaces) {
    for (const name of [configsSecret, credentialsSecret]) {
      const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name } };
      await api.create(secretKind, secret).catch((error: unknown) => {
        if (!isKubeError(error, 'KUBE_ALREADY_EXISTS')) throw error;
      });
    }
  }
}
