/** What a person asks of a host. */
import type { z } from 'zod';
import { firmwareConfigSchema } from './firmware-config.js';
import { customDeploySchema, imageSchema } from './image.js';
import { raidConfigSchema } from './raid.js';
import { objectReferenceSchema, secretReferenceSchema } from './references.js';
import { rootDeviceHintsSchema } from './root-device-hints.js';
import {
  choice,
  flag,
  list,
  macPattern,
  object,
  optional,
  required,
  text,
  time,
  type Known,
  wholeMACPattern,
} from './wire.js';

export const bootModes = ['UEFI', 'UEFISecureBoot', 'legacy'] as const;
export const inspectionModes = ['disabled', 'agent', 'fast'] as const;
export const automatedCleaningModes = ['metadata', 'disabled'] as const;

export const bmcDetailsSchema = object(
  {
    address: required(
      text(
        'URL of the BMC. Its scheme names the driver, such as `redfish-virtualmedia://10.0.0.5/redfish/v1/Systems/1` or `ipmi://10.0.0.5`.',
      ),
      '',
    ),
    credentialsName: required(
      text("Name of the Secret in the host's namespace that holds `username` and `password` of the BMC."),
      '',
    ),
    disableCertificateVerification: optional(flag('Accept whatever TLS certificate the BMC shows.')),
  },
  'Access to the baseboard management controller (BMC).',
);
export type BMCDetails = Known<z.infer<typeof bmcDetailsSchema>>;

export const networkInterfaceSchema = object(
  {
    hostNetworkAttachment: optional(
      object(
        {
          name: optional(text('Name of the HostNetworkAttachment.', { maxLength: 253 })),
          namespace: optional(text("Its namespace; left out: the host's.", { maxLength: 63 })),
        },
        'The network that the switch port is to be in.',
      ),
    ),
    macAddress: optional(
      text('Selects the interface by MAC address; not together with `name`.', { pattern: wholeMACPattern }),
    ),
    name: optional(
      text('Selects the interface by Linux name; not together with `macAddress`.', { pattern: '^[a-zA-Z0-9._-]+$' }),
    ),
    switchPort: optional(
      object(
        {
          portID: required(text('Port on the switch.'), ''),
          switchID: required(
            text('MAC address of the management port of the switch.', { pattern: wholeMACPattern }),
            '',
          ),
        },
        'Where the interface is plugged in, for switches that announce nothing by LLDP.',
      ),
    ),
  },
  'How one interface is wired to a switch.',
);
export type NetworkInterface = Known<z.infer<typeof networkInterfaceSchema>>;

const taint = object(
  {
    effect: required(text('Effect.'), ''),
    key: required(text('Key.'), ''),
    timeAdded: optional(time('When it was added.')),
    value: optional(text('Value.')),
  },
  'A taint; without effect.',
);

export const bareMetalHostSpecSchema = object(
  {
    architecture: optional(text('CPU architecture, such as `x86_64`. Filled in from inspection when left out.')),
    automatedCleaningMode: optional(
      choice(
        automatedCleaningModes,
        'Cleaning between two uses. `metadata` erases partition tables and the like; `disabled` leaves the disks untouched.',
        { default: 'metadata' },
      ),
    ),
    bmc: optional(bmcDetailsSchema),
    bootMACAddress: optional(
      text('MAC address of the interface that the host boots from. Cannot be changed once set.', {
        pattern: macPattern,
      }),
    ),
    bootMode: optional(choice(bootModes, 'Firmware boot mode; left out: UEFI.')),
    consumerRef: optional(
      objectReferenceSchema,
      'Who uses the host. Set, the host is taken: nothing else should choose it.',
    ),
    customDeploy: optional(
      customDeploySchema,
      'Provision by a custom deploy step. Setting it starts provisioning; with `image` the step gets that image.',
    ),
    description: optional(text('A note for people.')),
    disablePowerOff: optional(flag('Never switch the host off: reboot it where it would be switched off.')),
    externallyProvisioned: optional(
      flag('Something else installed the operating system: only the power is managed, nothing is ever written.'),
    ),
    firmware: optional(firmwareConfigSchema),
    hardwareProfile: optional(text('Retired: root-device hints by name of a profile. Use `rootDeviceHints`.')),
    image: optional(
      imageSchema,
      'The image to install. Setting it on an available host starts provisioning; changing or removing it deprovisions the host first.',
    ),
    inspectionMode: optional(
      choice(
        inspectionModes,
        'How hardware is found out. `agent` boots an agent image; `fast` asks the BMC only; `disabled` skips it.',
      ),
    ),
    metaData: optional(secretReferenceSchema, 'Secret whose `metaData` goes to the config drive, over the defaults.'),
    networkData: optional(secretReferenceSchema, 'Secret whose `networkData` goes to the config drive.'),
    networkInterfaces: optional(
      list(networkInterfaceSchema, 'Wishes for the switch ports of the host. Checked and stored, not acted upon yet.'),
    ),
    online: required(flag('The host is to be powered on.'), false),
    preprovisioningNetworkDataName: optional(
      text(
        "Name of a Secret in the host's namespace with network data for the agent image. Also used for the config drive when `networkData` is left out.",
      ),
    ),
    raid: optional(raidConfigSchema),
    rootDeviceHints: optional(rootDeviceHintsSchema, 'Which disk the image goes to.'),
    taints: optional(list(taint, 'Without effect.')),
    userData: optional(secretReferenceSchema, 'Secret whose `userData` (or `value`) goes to the config drive.'),
  },
  'What is wanted of the host.',
);
export type BareMetalHostSpec = Known<z.infer<typeof bareMetalHostSpecSchema>>;
