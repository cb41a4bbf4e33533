/** FirmwareSchema: which BIOS settings a model of hardware has, and which values they take. */
import type { z } from 'zod';
import { typeMetaShape } from './type-meta.js';
import { choice, flag, integer, list, map, object, optional, required, text, type Known } from './wire.js';

export const firmwareAttributeTypes = ['Enumeration', 'String', 'Integer', 'Boolean', 'Password'] as const;

export const firmwareSettingRuleSchema = object(
  {
    allowable_values: optional(list(text('A value.'), 'Values that an Enumeration takes.')),
    attribute_type: optional(choice(firmwareAttributeTypes, 'What the value is; left out: anything.')),
    lower_bound: optional(integer('Smallest value of an Integer.')),
    max_length: optional(integer('Greatest length of a String, in bytes.')),
    min_length: optional(integer('Smallest length of a String, in bytes.')),
    read_only: optional(flag('The setting can be read, and not changed.')),
    unique: optional(flag('The value belongs to one machine, such as a serial number.')),
    upper_bound: optional(integer('Greatest value of an Integer.')),
  },
  'Rule for one setting.',
);
export type FirmwareSettingRule = Known<z.infer<typeof firmwareSettingRuleSchema>>;

export const firmwareSchemaSchema = object(
  {
    ...typeMetaShape,
    spec: object(
      {
        hardwareModel: optional(text('Model of the hardware.')),
        hardwareVendor: optional(text('Maker of the hardware.')),
        schema: required(map(firmwareSettingRuleSchema, 'Rules, by name of the setting.'), {}),
      },
      'The settings, and their rules.',
    ).prefault({}),
  },
  'BIOS settings that a model of hardware has. Created by the operator, shared by the hosts whose settings are alike.',
);
export type FirmwareSchema = Known<z.infer<typeof firmwareSchemaSchema>>;
