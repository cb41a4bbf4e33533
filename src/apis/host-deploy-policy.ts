/** HostDeployPolicy: which namespaces may claim the hosts of this one. */
import type { z } from 'zod';
import { typeMetaShape } from './type-meta.js';
import { list, object, optional, required, text, type Known } from './wire.js';

export const hostClaimNamespacesSchema = object(
  {
    hasLabels: optional(
      list(
        object(
          {
            name: required(text('Name of the label.'), ''),
            value: optional(text('Value of the label; empty: any.')),
          },
          'A label.',
        ),
        'Labels that the namespace must have, all of them.',
      ),
    ),
    nameMatches: optional(
      text(
        'Regular expression that must match somewhere in the name of the namespace; put it between `^` and `$` to match all of it.',
      ),
    ),
    names: optional(list(text('Name of a namespace.'), 'Namespaces by name; `[]`: none.')),
  },
  'Namespaces whose claims may have hosts of this one. All rules that are given must hold; `{}`: every namespace. Left out, the policy allows nothing.',
);
export type HostClaimNamespaces = Known<z.infer<typeof hostClaimNamespacesSchema>>;

export const hostDeployPolicySchema = object(
  {
    ...typeMetaShape,
    spec: object({ hostClaimNamespaces: optional(hostClaimNamespacesSchema) }, 'What is allowed.').prefault({}),
    status: optional(object({}, 'Empty.')),
  },
  'Allows HostClaims of other namespaces to take the BareMetalHosts of this one. Several policies add up.',
);
export type HostDeployPolicy = Known<z.infer<typeof hostDeployPolicySchema>>;
