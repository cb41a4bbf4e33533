/** Rules for HostClaim. */
import { hostClaimSchema, type HostClaim, selectorProblems } from '../../apis/index.js';
import { checkImage } from './image.js';
import { sameForAll } from './kind-rules.js';
import { checkReboots } from './reboot-annotations.js';

export const hostClaimRules = sameForAll<HostClaim>(hostClaimSchema, ({ metadata, spec }, findings) => {
  for (const { field, problem } of selectorProblems(spec.hostSelector ?? {})) {
    findings.refuse(`spec.hostSelector.${field}`, problem);
  }
  checkReboots(metadata.annotations, findings);
  checkImage(spec.image, 'spec.image', findings);
});
