/** All that the rules of admission are held to: as functions, over the wire of the embedded server, and on a real one. */
import type { AdmissionCase } from './admission-case.js';
import { bareMetalHostCases } from './bare-metal-host.js';
import { dataImageCases, firmwareCases } from './fetched-files.js';
import { hostClaimCases } from './host-claim.js';
import { networkAttachmentCases } from './network-attachment.js';
import { subscriptionCases } from './subscription.js';

export { type AdmissionCase, type CaseObject, caseNamespace } from './admission-case.js';

export const admissionCases: readonly AdmissionCase[] = [
  ...bareMetalHostCases,
  ...dataImageCases,
  ...firmwareCases,
  ...subscriptionCases,
  ...hostClaimCases,
  ...networkAttachmentCases,
];

const verbs = { CREATE: 'made', UPDATE: 'changed', DELETE: 'deleted' } as const;
const order = Object.keys(verbs);

/** Rows for `it.each`. What is made comes first: then nothing of its name is there yet. */
export const titled = [...admissionCases]
  .sort((a, b) => order.indexOf(a.operation) - order.indexOf(b.operation))
  .map((one) => {
    const { kind } = (one.object ?? one.old)!;
    return [`${kind}, ${verbs[one.operation]}: ${one.title}`, one] as const;
  });
