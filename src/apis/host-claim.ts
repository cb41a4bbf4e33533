/** HostClaim: asks for a host, whichever fits, without rights on the hosts themselves. */
import type { z } from 'zod';
import { conditionSchema } from './condition.js';
import { customDeploySchema, imageSchema } from './image.js';
import { objectReferenceSchema, secretReferenceSchema } from './references.js';
import { typeMetaShape } from './type-meta.js';
import { flag, list, map, object, optional, required, text, time, type Known } from './wire.js';

export const hostSelectorRequirementSchema = object(
  {
    key: required(text('Name of the label.'), ''),
    operator: required(text('`=`, `==`, `!=`, `in`, `notin`, `exists`, or `!` for a label that is absent.'), ''),
    values: required(
      list(
        text('A value.'),
        'One value for `=`, `==` and `!=`; one or more for `in` and `notin`; none, written `[]`, for the others.',
      ),
      [],
    ),
  },
  'A requirement on one label.',
);
export type HostSelectorRequirement = Known<z.infer<typeof hostSelectorRequirementSchema>>;

export const hostSelectorSchema = object(
  {
    inNamespace: optional(text('Only hosts of this namespace; left out: of every namespace that allows it.')),
    matchExpressions: optional(list(hostSelectorRequirementSchema, 'Requirements on labels; all must hold.')),
    matchLabels: optional(map(text('Value of the label.'), 'Labels that the host must have.')),
  },
  'Which hosts will do; left out: any.',
);
export type HostSelector = Known<z.infer<typeof hostSelectorSchema>>;

export const hostClaimSpecSchema = object(
  {
    consumerRef: optional(objectReferenceSchema, 'Who the host is for.'),
    customDeploy: optional(customDeploySchema, 'How the host is to be provisioned, instead of by writing `image`.'),
    failureDomain: optional(text('Failure domain that the host is taken from, if it has a free one.')),
    hostSelector: optional(hostSelectorSchema),
    image: optional(imageSchema, 'The image that is to be installed.'),
    metaData: optional(secretReferenceSchema, 'Secret whose `metaData` goes to the config drive.'),
    networkData: optional(secretReferenceSchema, 'Secret whose `networkData` goes to the config drive.'),
    poweredOn: required(flag('The host is to be powered on.'), false),
    userData: optional(secretReferenceSchema, 'Secret whose `userData` goes to the config drive.'),
  },
  'What is wanted.',
);
export type HostClaimSpec = Known<z.infer<typeof hostClaimSpecSchema>>;

const located = (what: string) =>
  optional(object({ name: required(text('Its name.'), ''), namespace: required(text('Its namespace.'), '') }, what));

export const hostClaimStatusSchema = object(
  {
    bareMetalHost: located('The host that was found.'),
    conditions: optional(
      list(conditionSchema, 'Associated: a host was found. Ready: summary of the others, for `kubectl wait`.'),
    ),
    hardwareData: located('The HardwareData of the host; not filled in.'),
    lastUpdated: optional(time('When this status was last written; not filled in.')),
    poweredOn: optional(flag('The host was last seen powered on; not filled in.')),
  },
  'What came of it. Written by the operator alone.',
);
export type HostClaimStatus = Known<z.infer<typeof hostClaimStatusSchema>>;

export const hostClaimSchema = object(
  {
    ...typeMetaShape,
    spec: hostClaimSpecSchema.prefault({}),
    status: optional(hostClaimStatusSchema),
  },
  'A claim on a BareMetalHost. Which hosts it may have is up to the HostDeployPolicy objects in the namespaces of the hosts.',
);
export type HostClaim = Known<z.infer<typeof hostClaimSchema>>;
