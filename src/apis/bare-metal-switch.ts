/** BareMetalSwitch: a network switch that Ironic may set up. */
import type { z } from 'zod';
import { conditionsByType } from './condition.js';
import { secretReferenceSchema } from './references.js';
import { typeMetaShape } from './type-meta.js';
import { choice, flag, integer, object, optional, required, text, type Known, wholeMACPattern } from './wire.js';

export const switchDrivers = ['generic-switch'] as const;

export const bareMetalSwitchSpecSchema = object(
  {
    address: required(text('Address of the management port: an IP address or a host name.'), ''),
    credentials: optional(
      secretReferenceSchema,
      'Secret with `username` and `password` or `ssh-privatekey`, and `admin-password` where the switch asks for one.',
    ),
    deviceType: required(text('Type of the switch, in the words of its driver, such as `netmiko_cisco_ios`.'), ''),
    disableCertificateVerification: optional(flag('Accept whatever TLS certificate the switch shows.')),
    driver: optional(choice(switchDrivers, 'What drives the switch.', { default: 'generic-switch' })),
    macAddress: required(text('MAC address of the management port.', { pattern: wholeMACPattern }), ''),
    port: optional(
      integer('TCP port of the management port; left out: the usual one.', {
        format: 'int32',
        minimum: 1,
        maximum: 65535,
      }),
    ),
  },
  'How the switch is reached.',
);
export type BareMetalSwitchSpec = Known<z.infer<typeof bareMetalSwitchSpecSchema>>;

export const bareMetalSwitchStatusSchema = object(
  { conditions: optional(conditionsByType('Valid: the switch was handed to Ironic.')) },
  'What came of it. Written by the operator alone.',
);

export const bareMetalSwitchSchema = object(
  {
    ...typeMetaShape,
    spec: bareMetalSwitchSpecSchema.prefault({}),
    status: optional(bareMetalSwitchStatusSchema),
  },
  'A network switch whose ports Ironic may set up.',
);
export type BareMetalSwitch = Known<z.infer<typeof bareMetalSwitchSchema>>;
