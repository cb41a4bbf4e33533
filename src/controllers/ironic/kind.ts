/** The kind by which a cluster's Ironic operator offers an Ironic. Only what is read of it. */
import type { KindRef, KubeObject } from '../../kube/index.js';

export const ironicKind: KindRef = {
  group: 'ironic.metal3.io',
  version: 'v1alpha1',
  kind: 'Ironic',
  plural: 'ironics',
};

export interface IronicObject extends KubeObject {
  readonly spec?: {
    /** Secret with `username` and `password`. */
    readonly apiCredentialsName?: string;
    readonly tls?: {
      /** Secret with the certificate; given: Ironic is met by https. */
      readonly certificateName?: string;
    };
  };
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly observedGeneration?: number;
      readonly message?: string;
    }[];
  };
}
