/** The kinds of the group, and what their manifests say beyond the schemas. */
import type { z } from 'zod';
import { bareMetalHostSchema } from './bare-metal-host.js';
import { bareMetalSwitchSchema } from './bare-metal-switch.js';
import { bmcEventSubscriptionSchema } from './bmc-event-subscription.js';
import { dataImageSchema } from './data-image.js';
import { firmwareSchemaSchema } from './firmware-schema.js';
import { hardwareDataSchema } from './hardware-data.js';
import { hostClaimSchema } from './host-claim.js';
import { hostDeployPolicySchema } from './host-deploy-policy.js';
import { hostFirmwareComponentsSchema } from './host-firmware-components.js';
import { hostFirmwareSettingsSchema } from './host-firmware-settings.js';
import { hostNetworkAttachmentSchema } from './host-network-attachment.js';
import { hostUpdatePolicySchema } from './host-update-policy.js';
import { preprovisioningImageSchema } from './preprovisioning-image.js';

export interface PrinterColumn {
  name: string;
  type: 'string' | 'integer' | 'date';
  jsonPath: string;
  description?: string;
  /** 1: shown with `-o wide` only. */
  priority?: 1;
}

/** What a manifest needs beyond the schema. */
export interface KindManifest {
  kind: string;
  plural: string;
  shortNames?: string[];
  labels?: Record<string, string>;
  /** `/status` is an endpoint of its own. */
  hasStatus: boolean;
  columns?: PrinterColumn[];
  schema: z.ZodType;
}

const age: PrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'Time since it was created',
};
const string = (name: string, jsonPath: string, description: string, priority?: 1): PrinterColumn => ({
  name,
  type: 'string',
  jsonPath,
  description,
  ...(priority && { priority }),
});

/** So that `clusterctl move` takes the objects along. */
const moved = { 'clusterctl.cluster.x-k8s.io': '', 'clusterctl.cluster.x-k8s.io/move': '' };

export const kindManifests: readonly KindManifest[] = [
  {
    kind: 'BareMetalHost',
    plural: 'baremetalhosts',
    shortNames: ['bmh', 'bmhost'],
    labels: { ...moved, 'clusterctl.cluster.x-k8s.io/move-hierarchy': '' },
    hasStatus: true,
    columns: [
      string('Status', '.status.operationalStatus', 'How the host is', 1),
      string('State', '.status.provisioning.state', 'Where it is in its lifecycle'),
      string('Consumer', '.spec.consumerRef.name', 'Who uses it'),
      string('BMC', '.spec.bmc.address', 'Address of its BMC', 1),
      string('Online', '.spec.online', 'Whether it is to be powered on'),
      string('Error', '.status.errorType', 'At what it last failed'),
      age,
    ],
    schema: bareMetalHostSchema,
  },
  {
    kind: 'HardwareData',
    plural: 'hardwaredata',
    shortNames: ['hd'],
    labels: moved,
    hasStatus: false,
    columns: [age],
    schema: hardwareDataSchema,
  },
  {
    kind: 'PreprovisioningImage',
    plural: 'preprovisioningimages',
    shortNames: ['ppimg'],
    hasStatus: true,
    columns: [
      string('Ready', ".status.conditions[?(@.type=='Ready')].status", 'Whether the image can be fetched'),
      string('Reason', ".status.conditions[?(@.type=='Ready')].reason", 'Why it can, or cannot'),
    ],
    schema: preprovisioningImageSchema,
  },
  {
    kind: 'HostFirmwareSettings',
    plural: 'hostfirmwaresettings',
    shortNames: ['hfs'],
    hasStatus: true,
    schema: hostFirmwareSettingsSchema,
  },
  { kind: 'FirmwareSchema', plural: 'firmwareschemas', hasStatus: false, schema: firmwareSchemaSchema },
  {
    kind: 'HostFirmwareComponents',
    plural: 'hostfirmwarecomponents',
    hasStatus: true,
    schema: hostFirmwareComponentsSchema,
  },
  { kind: 'HostUpdatePolicy', plural: 'hostupdatepolicies', hasStatus: false, schema: hostUpdatePolicySchema },
  { kind: 'DataImage', plural: 'dataimages', hasStatus: true, schema: dataImageSchema },
  {
    kind: 'BMCEventSubscription',
    plural: 'bmceventsubscriptions',
    shortNames: ['bes', 'bmcevent'],
    hasStatus: true,
    columns: [string('Error', '.status.error', 'What went wrong last'), age],
    schema: bmcEventSubscriptionSchema,
  },
  { kind: 'HostClaim', plural: 'hostclaims', hasStatus: true, schema: hostClaimSchema },
  { kind: 'HostDeployPolicy', plural: 'hostdeploypolicies', hasStatus: true, schema: hostDeployPolicySchema },
  {
    kind: 'HostNetworkAttachment',
    plural: 'hostnetworkattachments',
    hasStatus: true,
    columns: [
      string('Mode', '.spec.mode', 'Mode of the port'),
      { name: 'Native VLAN', type: 'integer', jsonPath: '.spec.nativeVLAN', description: 'VLAN without a tag' },
      age,
    ],
    schema: hostNetworkAttachmentSchema,
  },
  {
    kind: 'BareMetalSwitch',
    plural: 'baremetalswitches',
    shortNames: ['bms'],
    hasStatus: true,
    columns: [
      string('Driver', '.spec.driver', 'What drives the switch'),
      string('Device Type', '.spec.deviceType', 'Type of the switch'),
      string('Address', '.spec.address', 'Address of its management port'),
      string('Valid', '.status.conditions[?(@.type=="Valid")].status', 'Whether Ironic has it'),
    ],
    schema: bareMetalSwitchSchema,
  },
];
