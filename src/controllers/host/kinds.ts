/** The kinds that the host controller reads and writes, as the Kubernetes room addresses them. */
import type { KindRef, KubeObject, OwnerRef } from '../../kube/index.js';
import { apiGroup, apiVersion, groupVersion, type ObjectMeta } from '../../apis/index.js';

function kindOf(kind: string, plural: string): KindRef {
  return { group: apiGroup, version: apiVersion, kind, plural };
}

export const hostKind = kindOf('BareMetalHost', 'baremetalhosts');
export const hardwareDataKind = kindOf('HardwareData', 'hardwaredata');
export const firmwareSettingsKind = kindOf('HostFirmwareSettings', 'hostfirmwaresettings');
export const firmwareComponentsKind = kindOf('HostFirmwareComponents', 'hostfirmwarecomponents');
export const updatePolicyKind = kindOf('HostUpdatePolicy', 'hostupdatepolicies');
export const dataImageKind = kindOf('DataImage', 'dataimages');
export const preprovisioningImageKind = kindOf('PreprovisioningImage', 'preprovisioningimages');

/** A plain owner reference; `controller: true` marks the one object that is in charge. */
export function ownerOf(metadata: ObjectMeta, controller = false): OwnerRef {
  const owner = { apiVersion: groupVersion, kind: 'BareMetalHost', name: metadata.name ?? '', uid: metadata.uid ?? '' };
  return controller ? { ...owner, controller: true, blockOwnerDeletion: true } : owner;
}

/** Whether the object goes when the host goes, as one of those that merely belong to it. */
export function belongsTo({ metadata }: Pick<KubeObject, 'metadata'>, host: ObjectMeta): boolean {
  return (metadata.ownerReferences ?? []).some(({ uid, controller }) => uid === host.uid && controller === undefined);
}
