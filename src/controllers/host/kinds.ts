/** The kinds that the host controller reads and writes, as the Kubernetes room addresses them. */
import type { KindRef, OwnerRef } from '../../kube/index.js';
import { apiGroup, apiVersion, groupVersion, type ObjectMeta } from '../../apis/index.js';

export const hostKind: KindRef = {
  group: apiGroup,
  version: apiVersion,
  kind: 'BareMetalHost',
  plural: 'baremetalhosts',
};

export const hardwareDataKind: KindRef = {
  group: apiGroup,
  version: apiVersion,
  kind: 'HardwareData',
  plural: 'hardwaredata',
};

/** A plain owner reference; `controller: true` marks the one object that is in charge. */
export function ownerOf(metadata: ObjectMeta, controller = false): OwnerRef {
  const owner = { apiVersion: groupVersion, kind: 'BareMetalHost', name: metadata.name ?? '', uid: metadata.uid ?? '' };
  return controller ? { ...owner, controller: true, blockOwnerDeletion: true } : owner;
}
