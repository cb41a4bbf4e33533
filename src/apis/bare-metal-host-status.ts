/** What the operator says of a host. */
import type { z } from 'zod';
import { bootModes } from './bare-metal-host-spec.js';
import { conditionsByType } from './condition.js';
import { firmwareConfigSchema } from './firmware-config.js';
import { hardwareDetailsSchema } from './hardware-details.js';
import { customDeploySchema, imageSchema } from './image.js';
import { errorTypes, operationalStatuses } from './names.js';
import { raidConfigSchema } from './raid.js';
import { secretReferenceSchema } from './references.js';
import { rootDeviceHintsSchema } from './root-device-hints.js';
import { anyObject, choice, fact, flag, integer, object, optional, required, text, time, type Known } from './wire.js';

export const credentialsStatusSchema = object(
  {
    credentials: optional(secretReferenceSchema, 'The Secret.'),
    credentialsVersion: optional(text('`resourceVersion` of the Secret at the time.')),
  },
  'BMC credentials in one version of their Secret.',
);
export type CredentialsStatus = Known<z.infer<typeof credentialsStatusSchema>>;

const moment = (description: string) => fact(time(description).nullish(), { nullable: true });

export const operationMetricSchema = object(
  { end: moment('When it was done; null: not yet.'), start: moment('When it began; null: never.') },
  'When an operation began and ended.',
);
export type OperationMetric = Known<z.infer<typeof operationMetricSchema>>;

export const operationHistorySchema = object(
  {
    deprovision: optional(operationMetricSchema, 'The last deprovisioning.'),
    inspect: optional(operationMetricSchema, 'The last inspection.'),
    provision: optional(operationMetricSchema, 'The last provisioning.'),
    register: optional(operationMetricSchema, 'The last registration.'),
  },
  'When the operations on the host took place.',
);
export type OperationHistory = Known<z.infer<typeof operationHistorySchema>>;

export const provisionStatusSchema = object(
  {
    ID: required(
      text('Identifier of the host in the back end: the UUID of the Ironic node. Empty: not registered.'),
      '',
    ),
    bootMode: optional(choice(bootModes, 'Boot mode in use.')),
    customDeploy: optional(customDeploySchema, 'The custom deploy that was carried out.'),
    firmware: optional(firmwareConfigSchema),
    image: optional(imageSchema, 'The image on the host; an empty URL: none.'),
    raid: optional(raidConfigSchema, 'RAID volumes that were set up.'),
    rootDeviceHints: optional(rootDeviceHintsSchema, 'Root-device hints in use.'),
    state: required(
      text(
        'Where the host is in its lifecycle: `unmanaged`, `registering`, `inspecting`, `preparing`, `available`, `provisioning`, `provisioned`, `externally provisioned`, `deprovisioning`, `powering off before delete` or `deleting`. Empty: not looked at yet.',
      ),
      '',
    ),
  },
  'What the back end that drives the host is doing with it.',
);
export type ProvisionStatus = Known<z.infer<typeof provisionStatusSchema>>;

export const lifecycleStatusSchema = object(
  {
    begunDeploy: optional(
      text(
        'Method of the custom deploy by which the host is being provisioned; empty: without one. Left out: it is not.',
      ),
    ),
    begunSettings: optional(
      text('Change of the HostFirmwareSettings, as generation and time, that was begun last: it is begun once.'),
    ),
    begunUpdates: optional(text('Change of the HostFirmwareComponents that is under way, as generation and time.')),
    chart: optional(text('Name and version of the lifecycle chart that wrote this, such as `host/1`.')),
    nextRetryAt: optional(time('When the next try is due, while the host waits after a failure.')),
    nodeCreatedAt: optional(
      text('When the back end made the node of the host, as it says itself: another time is another node.'),
    ),
    since: optional(time('Since when the host is in its present state.')),
    snapshot: optional(anyObject('Where the chart rested; lets the operator go on from there after a restart.')),
    state: optional(text('State that the snapshot belongs to. Another one than `provisioning.state`: not used.')),
    waitsFor: optional(text('What the host waits for, in words; left out: for nothing.')),
  },
  'Position in the lifecycle chart. A refinement of `provisioning.state`, safe to remove.',
);
export type LifecycleStatus = Known<z.infer<typeof lifecycleStatusSchema>>;

const count = (description: string) => required(integer(description, { default: 0 }), 0);

export const bareMetalHostStatusSchema = object(
  {
    conditions: optional(
      conditionsByType(
        'Ready, AvailableForProvisioning, Healthy, Manageable, Progressing and Provisioned, for programs and `kubectl wait`.',
        { maxItems: 32 },
      ),
    ),
    errorCount: count('Failures since the last success. The more, the longer the pause before the next try.'),
    errorMessage: required(text('What went wrong last; empty: nothing.'), ''),
    errorType: optional(choice(errorTypes, 'At what it went wrong; left out: nothing is wrong.')),
    goodCredentials: optional(credentialsStatusSchema, 'The BMC credentials that last worked.'),
    hardware: optional(
      hardwareDetailsSchema,
      'Hardware that inspection found; the HardwareData object of the same name holds it too.',
    ),
    hardwareProfile: optional(text('Hardware profile in effect; it is chosen once.')),
    lastAttemptedImage: optional(imageSchema, 'The image of the last try to provision.'),
    lastUpdated: optional(time('When this status was last written; left out: never.')),
    // An unreadable refinement is as good as none.
    lifecycle: lifecycleStatusSchema.optional().catch(undefined),
    operationHistory: optional(operationHistorySchema),
    operationalStatus: required(
      choice(
        operationalStatuses,
        '`OK`; `discovered`: no BMC is known; `error`: see errorType and errorMessage; `delayed`: waits for its turn; `detached`: on request not managed; `servicing`: firmware is changed on the running host.',
      ),
      '',
    ),
    poweredOn: required(flag('The host was last seen powered on.'), false),
    provisioning: required(provisionStatusSchema, { ID: '', state: '' }),
    provisioningFailCount: count('Failures in a row to provision the same image.'),
    triedCredentials: optional(credentialsStatusSchema, 'The BMC credentials that were tried last.'),
  },
  'What is known of the host. Written by the operator alone.',
);
export type BareMetalHostStatus = Known<z.infer<typeof bareMetalHostStatusSchema>>;
