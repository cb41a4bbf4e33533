/** The objects of a host's own name, as people and the controllers of their kinds write them. */
import {
  dataImageKind,
  firmwareComponentsKind,
  firmwareSettingsKind,
  preprovisioningImageKind,
  updatePolicyKind,
} from '../../src/controllers/host/index.js';
import type { KubeApi, KubeObject, ObjectKey } from '../../src/kube/index.js';

export const companionKinds = {
  settings: firmwareSettingsKind,
  components: firmwareComponentsKind,
  policies: updatePolicyKind,
  dataImages: dataImageKind,
  images: preprovisioningImageKind,
} as const;
export type CompanionName = keyof typeof companionKinds;

export interface CompanionNews {
  readonly metadata?: object;
  readonly spec?: object;
  /** Conditions that name no generation are of the present one. */
  readonly status?: object;
}

/** Creates the object, or changes the one that is there. */
export async function putCompanion(
  api: KubeApi,
  name: CompanionName,
  key: ObjectKey,
  news: CompanionNews,
): Promise<void> {
  const kind = companionKinds[name];
  const { metadata, spec, status } = news;
  if ((await api.get(kind, key)) === undefined) {
    const object = { apiVersion: 'metal3.io/v1alpha1', kind: kind.kind, metadata: { ...key, ...metadata }, spec };
    await api.create(kind, object);
  } else if (spec !== undefined || metadata !== undefined) {
    await api.patch(kind, key, { spec, metadata });
  }
  if (status === undefined) return;
  const { generation } = (await api.get<KubeObject>(kind, key))!.metadata;
  const { conditions = [] } = status as { conditions?: object[] };
  const judged = conditions.map((condition) => ({ observedGeneration: generation, ...condition }));
  const patch = { status: { ...status, ...(judged.length > 0 ? { conditions: judged } : {}) } };
  await api.patch(kind, key, patch, { subresource: 'status' });
}
