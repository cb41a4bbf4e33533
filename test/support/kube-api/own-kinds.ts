/** Objects of the kinds of the group, and what a server shows of each. */

export interface KindCase {
  readonly plural: string;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly spec: object | undefined;
  /** A field that `explain` tells of, below spec. */
  readonly field: string;
  /** Beyond the name, with what the example shows; `*`: with `-o wide` alone. Default: Age. */
  readonly columns?: readonly (readonly [string, unknown])[];
}

/** Unlike the others it is no fact of the example: a pattern. */
export const age = ['Age', /^\d+s$/] as const;

export const kindCases: readonly KindCase[] = [
  {
    ...{ plural: 'baremetalhosts', kind: 'BareMetalHost', shortNames: ['bmh', 'bmhost'], field: 'bmc' },
    spec: {
      ...{ online: true, consumerRef: { name: 'machine' } },
      bmc: { address: 'redfish://192.0.2.1/redfish/v1/Systems/1', credentialsName: 'bmc' },
    },
    columns: [
      ['Status*', null],
      ['State', null],
      ['Consumer', 'machine'],
      ['BMC*', 'redfish://192.0.2.1/redfish/v1/Systems/1'],
      ['Online', 'true'],
      ['Error', null],
      age,
    ],
  },
  { plural: 'hardwaredata', kind: 'HardwareData', shortNames: ['hd'], spec: { hardware: {} }, field: 'hardware' },
  {
    ...{ plural: 'preprovisioningimages', kind: 'PreprovisioningImage', shortNames: ['ppimg'], field: 'acceptFormats' },
    spec: { architecture: 'x86_64', acceptFormats: ['iso'] },
    columns: [
      ['Ready', null],
      ['Reason', null],
    ],
  },
  {
    ...{ plural: 'hostfirmwaresettings', kind: 'HostFirmwareSettings', shortNames: ['hfs'], field: 'settings' },
    spec: { settings: { NumLock: 'On', Delay: 5 } },
  },
  { plural: 'firmwareschemas', kind: 'FirmwareSchema', spec: { schema: {} }, field: 'schema' },
  {
    ...{ plural: 'hostfirmwarecomponents', kind: 'HostFirmwareComponents', field: 'updates' },
    spec: { updates: [{ component: 'bios', url: 'http://images.example.com/bios' }] },
  },
  {
    ...{ plural: 'hostupdatepolicies', kind: 'HostUpdatePolicy', field: 'firmwareUpdates' },
    spec: { firmwareUpdates: 'onReboot' },
  },
  { plural: 'dataimages', kind: 'DataImage', spec: { url: 'http://images.example.com/data.iso' }, field: 'url' },
  {
    ...{ plural: 'bmceventsubscriptions', kind: 'BMCEventSubscription', shortNames: ['bes', 'bmcevent'] },
    ...{ spec: { hostName: 'host', destination: 'https://events.example.com/' }, field: 'destination' },
    columns: [['Error', null], age],
  },
  { plural: 'hostclaims', kind: 'HostClaim', spec: { poweredOn: true }, field: 'hostSelector' },
  {
    plural: 'hostdeploypolicies',
    kind: 'HostDeployPolicy',
    spec: { hostClaimNamespaces: {} },
    field: 'hostClaimNamespaces',
  },
  {
    ...{
      plural: 'hostnetworkattachments',
      kind: 'HostNetworkAttachment',
      spec: { nativeVLAN: 5 },
      field: 'allowedVLANs',
    },
    columns: [['Mode', 'access'], ['Native VLAN', 5], age],
  },
  {
    ...{ plural: 'baremetalswitches', kind: 'BareMetalSwitch', shortNames: ['bms'], field: 'credentials' },
    spec: { address: '192.0.2.9', macAddress: '02:00:00:00:00:09', deviceType: 'netmiko_cisco_ios' },
    columns: [
      ['Driver', 'generic-switch'],
      ['Device Type', 'netmiko_cisco_ios'],
      ['Address', '192.0.2.9'],
      ['Valid', null],
    ],
  },
];

export const ownGroup = { group: 'metal3.io', version: 'v1alpha1' } as const;

/** As a person would write it. */
export function exampleOf({ kind, spec }: KindCase, namespace: string) {
  const { group, version } = ownGroup;
  return { apiVersion: `${group}/${version}`, kind, metadata: { name: 'example', namespace }, spec };
}
