/** HostFirmwareSettings: the BIOS settings of one host, those it has and those it is to have. */
import type { z } from 'zod';
import { conditionsByType } from './condition.js';
import { typeMetaShape } from './type-meta.js';
import { intOrString, map, object, optional, required, text, time, type Known } from './wire.js';

export const firmwareSchemaReferenceSchema = object(
  {
    name: required(text('Name of the FirmwareSchema.'), ''),
    namespace: required(text('Namespace of the FirmwareSchema.'), ''),
  },
  'The FirmwareSchema with the rules for these settings.',
);
export type FirmwareSchemaReference = Known<z.infer<typeof firmwareSchemaReferenceSchema>>;

export const hostFirmwareSettingsStatusSchema = object(
  {
    conditions: optional(
      conditionsByType(
        'ChangeDetected: the wanted settings differ from those of the host. Valid: all wanted settings keep the rules.',
      ),
    ),
    lastUpdated: optional(time('When this status was last written.')),
    schema: optional(firmwareSchemaReferenceSchema),
    settings: required(map(text('Value of the setting.'), 'Settings of the host, as last read from its BMC.'), {}),
  },
  'Settings that the host has. Written by the operator alone.',
);
export type HostFirmwareSettingsStatus = Known<z.infer<typeof hostFirmwareSettingsStatusSchema>>;

export const hostFirmwareSettingsSchema = object(
  {
    ...typeMetaShape,
    spec: object(
      {
        settings: required(
          map(
            intOrString('Value that the setting is to have.'),
            'Settings to change, by name; `status.settings` lists the names. A setting that is left out stays as it is.',
          ),
          {},
        ),
      },
      'Settings that the host is to have.',
    ).prefault({}),
    status: optional(hostFirmwareSettingsStatusSchema),
  },
  'BIOS settings of the BareMetalHost of the same name. Created by the operator once the host is registered.',
);
export type HostFirmwareSettings = Known<z.infer<typeof hostFirmwareSettingsSchema>>;
export type HostFirmwareSettingsSpec = HostFirmwareSettings['spec'];
