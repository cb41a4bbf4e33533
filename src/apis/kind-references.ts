/** How the kinds are addressed on the wire. */
import { kindManifests } from './kind-manifests.js';
import { apiGroup, apiVersion } from './names.js';

export interface KindReference {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

export const kinds = {
  bareMetalHost: reference('BareMetalHost'),
  bareMetalSwitch: reference('BareMetalSwitch'),
  bmcEventSubscription: reference('BMCEventSubscription'),
  dataImage: reference('DataImage'),
  firmwareSchema: reference('FirmwareSchema'),
  hardwareData: reference('HardwareData'),
  hostClaim: reference('HostClaim'),
  hostDeployPolicy: reference('HostDeployPolicy'),
  hostFirmwareComponents: reference('HostFirmwareComponents'),
  hostFirmwareSettings: reference('HostFirmwareSettings'),
  hostNetworkAttachment: reference('HostNetworkAttachment'),
  hostUpdatePolicy: reference('HostUpdatePolicy'),
  preprovisioningImage: reference('PreprovisioningImage'),
} as const;

function reference(kind: string): KindReference {
  const manifest = kindManifests.find((one) => one.kind === kind);
  if (manifest === undefined) throw new Error(`no kind is called ${kind}`);
  return { group: apiGroup, version: apiVersion, kind, plural: manifest.plural };
}
