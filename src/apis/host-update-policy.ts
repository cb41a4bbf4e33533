/** HostUpdatePolicy: when firmware of a host that is in use may be changed. */
import type { z } from 'zod';
import { typeMetaShape } from './type-meta.js';
import { choice, object, optional, type Known } from './wire.js';

export const updatePolicies = ['onPreparing', 'onReboot'] as const;
export type UpdatePolicy = (typeof updatePolicies)[number];

const policy = (what: string) =>
  optional(
    choice(
      updatePolicies,
      `When ${what}. \`onPreparing\`, and left out: only while the host is prepared for use. \`onReboot\`: also on a provisioned host, when it is next powered on.`,
    ),
  );

export const hostUpdatePolicySchema = object(
  {
    ...typeMetaShape,
    spec: object(
      {
        firmwareSettings: policy('BIOS settings may be changed'),
        firmwareUpdates: policy('firmware may be flashed'),
      },
      'What is allowed.',
    ).prefault({}),
    status: optional(object({}, 'Empty.')),
  },
  'Allows changes of firmware on the BareMetalHost of the same name while it is in use.',
);
export type HostUpdatePolicy = Known<z.infer<typeof hostUpdatePolicySchema>>;
