/** Rules for HostClaim. */
import { hostClaimSchema, type HostClaim, type HostSelectorRequirement } from '../../apis/index.js';
import { checkImage } from './image.js';
import { sameForAll } from './kind-rules.js';
import { labelNameProblems, labelValueProblems } from './label-syntax.js';
import { checkReboots } from './reboot-annotations.js';
import { type Findings, shown } from './verdict.js';

export const hostClaimRules = sameForAll<HostClaim>(hostClaimSchema, ({ metadata, spec }, findings) => {
  for (const [name, value] of Object.entries(spec.hostSelector?.matchLabels ?? {})) {
    const field = 'spec.hostSelector.matchLabels';
    for (const problem of [...labelNameProblems(name), ...labelValueProblems(value)]) {
      findings.refuse(field, `${shown(`${name}=${value}`)}: ${problem}`);
    }
  }
  for (const [index, requirement] of (spec.hostSelector?.matchExpressions ?? []).entries()) {
    checkRequirement(requirement, `spec.hostSelector.matchExpressions[${index}]`, findings);
  }
  checkReboots(metadata.annotations, findings);
  checkImage(spec.image, 'spec.image', findings);
});

/** How many values an operator takes, in words and as a test. */
const arities: Readonly<Record<string, readonly [string, (count: number) => boolean]>> = {
  '=': ['exactly one value', (count) => count === 1],
  '==': ['exactly one value', (count) => count === 1],
  '!=': ['exactly one value', (count) => count === 1],
  in: ['at least one value', (count) => count > 0],
  notin: ['at least one value', (count) => count > 0],
  exists: ['no values', (count) => count === 0],
  '!': ['no values', (count) => count === 0],
};

function checkRequirement({ key, operator, values }: HostSelectorRequirement, field: string, findings: Findings): void {
  for (const problem of labelNameProblems(key)) findings.refuse(`${field}.key`, `${shown(key)}: ${problem}`);
  const arity = Object.hasOwn(arities, operator) ? arities[operator] : undefined;
  if (arity === undefined) {
    const known = Object.keys(arities).join(' ');
    return findings.refuse(`${field}.operator`, `${shown(operator)} for the label ${shown(key)} is none of ${known}`);
  }
  const [wanted, isEnough] = arity;
  if (!isEnough(values.length)) {
    return findings.refuse(`${field}.values`, `the operator ${operator} takes ${wanted}, not ${values.length}`);
  }
  for (const [index, value] of values.entries()) {
    for (const problem of labelValueProblems(value)) {
      findings.refuse(`${field}.values[${index}]`, `${shown(value)}: ${problem}`);
    }
  }
}
