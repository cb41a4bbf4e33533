/** Whether a Secret is held back from going, and by which hosts. Pure. */
import { finalizers } from '../../apis/index.js';
import type { KubeObject } from '../../kube/index.js';

/** It is deleted, and there only because a host once said that it needs it. */
export function isHeld({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && metadata.finalizers?.includes(finalizers.secret) === true;
}

export interface Use {
  readonly host: KubeObject;
  /** Where the host names the Secret. */
  readonly field: string;
}

export function hostsThatName({ metadata: { namespace, name } }: KubeObject, hosts: Iterable<KubeObject>): Use[] {
  return [...hosts].flatMap((host) => {
    if (host.metadata.namespace !== namespace) return [];
    const spec = (host.spec ?? {}) as { bmc?: { credentialsName?: string }; preprovisioningNetworkDataName?: string };
    if (spec.bmc?.credentialsName === name) return [{ host, field: 'spec.bmc.credentialsName' }];
    if (spec.preprovisioningNetworkDataName === name) return [{ host, field: 'spec.preprovisioningNetworkDataName' }];
    return [];
  });
}
