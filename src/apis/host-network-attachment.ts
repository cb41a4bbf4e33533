/** HostNetworkAttachment: what a switch port is to be like. */
import type { z } from 'zod';
import { typeMetaShape } from './type-meta.js';
import { choice, integer, list, object, optional, required, text, type Known } from './wire.js';

export const switchPortModes = ['access', 'trunk', 'hybrid'] as const;

export const hostNetworkAttachmentSpecSchema = object(
  {
    allowedVLANs: optional(
      list(
        text('A VLAN, `100`, or a range of them, `100-199`.', { pattern: '^\\d+(-\\d+)?$' }),
        'VLANs that the port carries with a tag, between 1 and 4094. Not for mode `access`.',
      ),
    ),
    mode: required(
      choice(switchPortModes, '`access`: one VLAN without a tag. `trunk`: VLANs with a tag. `hybrid`: both.', {
        default: 'access',
      }),
      'access',
    ),
    mtu: optional(integer('Greatest packet, in bytes.', { minimum: 68, maximum: 9216 })),
    nativeVLAN: required(integer('VLAN of packets without a tag.', { minimum: 1, maximum: 4094 }), 1),
  },
  'Settings of the port. They cannot be changed while a host uses them.',
);
export type HostNetworkAttachmentSpec = Known<z.infer<typeof hostNetworkAttachmentSpecSchema>>;

export const hostNetworkAttachmentSchema = object(
  {
    ...typeMetaShape,
    spec: hostNetworkAttachmentSpecSchema.prefault({}),
  },
  'Settings of a switch port, for the network interfaces of BareMetalHosts to refer to.',
);
export type HostNetworkAttachment = Known<z.infer<typeof hostNetworkAttachmentSchema>>;
