/** HostFirmwareComponents: the firmware of one host, and what is to be flashed. */
import type { z } from 'zod';
import { conditionsByType } from './condition.js';
import { typeMetaShape } from './type-meta.js';
import { list, object, optional, required, text, time, type Known } from './wire.js';

export const firmwareUpdateSchema = object(
  {
    component: required(text('Name of the component: `bios`, `bmc`, or `nic:` with an identifier.'), ''),
    url: required(text('Where the BMC fetches the firmware file from: http, https, ftp, gopher or oci.'), ''),
  },
  'A firmware file for a component.',
);
export type FirmwareUpdate = Known<z.infer<typeof firmwareUpdateSchema>>;

export const firmwareComponentSchema = object(
  {
    component: required(text('Name of the component.'), ''),
    currentVersion: optional(text('Version that runs now.')),
    initialVersion: required(text('Version that the component had when the host was registered.'), ''),
    lastVersionFlashed: optional(text('Version that was flashed last.')),
    updatedAt: optional(time('When it was flashed last; left out: never.')),
  },
  'Firmware of a component.',
);
export type FirmwareComponent = Known<z.infer<typeof firmwareComponentSchema>>;

export const hostFirmwareComponentsStatusSchema = object(
  {
    components: optional(list(firmwareComponentSchema, 'Components of the host, as last read.')),
    conditions: optional(
      conditionsByType(
        'ChangeDetected: other updates are wanted than those begun. Valid: every wanted update names a component that can be updated.',
      ),
    ),
    lastUpdated: optional(time('When this status was last written.')),
    updates: optional(list(firmwareUpdateSchema, 'Updates that were begun or are done.')),
  },
  'Firmware that the host has. Written by the operator alone.',
);
export type HostFirmwareComponentsStatus = Known<z.infer<typeof hostFirmwareComponentsStatusSchema>>;

export const hostFirmwareComponentsSchema = object(
  {
    ...typeMetaShape,
    spec: object(
      {
        updates: required(
          list(firmwareUpdateSchema, 'Firmware to flash; `status.components` lists what the host has. `[]`: none.'),
          [],
        ),
      },
      'Firmware that the host is to have.',
    ).prefault({}),
    status: optional(hostFirmwareComponentsStatusSchema),
  },
  'Firmware of the BareMetalHost of the same name. Created by the operator when the back end reports any.',
);
export type HostFirmwareComponents = Known<z.infer<typeof hostFirmwareComponentsSchema>>;
export type HostFirmwareComponentsSpec = HostFirmwareComponents['spec'];
