/** The selector of a HostClaim: what its requirements mean, and what is wrong with those that mean nothing. Pure. */
import type { HostSelector, HostSelectorRequirement } from './host-claim.js';
import { labelNameProblems, labelValueProblems } from './label-syntax.js';

export interface SelectorProblem {
  /** Path below the selector, such as `matchExpressions[0].operator`. */
  readonly field: string;
  readonly problem: string;
}

type Labels = Readonly<Record<string, string>>;

interface Operator {
  /** How many values it takes, in words and as a test. */
  readonly takes: string;
  readonly isEnough: (count: number) => boolean;
  readonly holds: (value: string | undefined, wanted: readonly string[]) => boolean;
}

const one = { takes: 'exactly one value', isEnough: (count: number) => count === 1 };
const some = { takes: 'at least one value', isEnough: (count: number) => count > 0 };
const none = { takes: 'no values', isEnough: (count: number) => count === 0 };
const isAmong = (value: string | undefined, wanted: readonly string[]) => value !== undefined && wanted.includes(value);
const isNotAmong = (value: string | undefined, wanted: readonly string[]) => !isAmong(value, wanted);

const operators: Readonly<Record<string, Operator>> = {
  '=': { ...one, holds: isAmong },
  '==': { ...one, holds: isAmong },
  '!=': { ...one, holds: isNotAmong },
  in: { ...some, holds: isAmong },
  notin: { ...some, holds: isNotAmong },
  exists: { ...none, holds: (value) => value !== undefined },
  '!': { ...none, holds: (value) => value === undefined },
};

/** As it is shown in a message: cut where it is too long to be read. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
}

function operatorOf(name: string): Operator | undefined {
  return Object.hasOwn(operators, name) ? operators[name] : undefined;
}

export function selectorProblems({ matchLabels, matchExpressions }: HostSelector): SelectorProblem[] {
  const ofLabels = Object.entries(matchLabels ?? {}).flatMap(([name, value]) =>
    [...labelNameProblems(name), ...labelValueProblems(value)].map((problem) => ({
      field: 'matchLabels',
      problem: `${quoted(`${name}=${value}`)}: ${problem}`,
    })),
  );
  const ofExpressions = (matchExpressions ?? []).flatMap((requirement, index) =>
    requirementProblems(requirement, `matchExpressions[${index}]`),
  );
  return [...ofLabels, ...ofExpressions];
}

function requirementProblems({ key, operator: name, values }: HostSelectorRequirement, at: string): SelectorProblem[] {
  const ofKey = labelNameProblems(key).map((problem) => ({
    field: `${at}.key`,
    problem: `${quoted(key)}: ${problem}`,
  }));
  const operator = operatorOf(name);
  if (operator === undefined) {
    const known = Object.keys(operators).join(' ');
    const problem = `${quoted(name)} for the label ${quoted(key)} is none of ${known}`;
    return [...ofKey, { field: `${at}.operator`, problem }];
  }
  if (!operator.isEnough(values.length)) {
    const problem = `the operator ${name} takes ${operator.takes}, not ${values.length}`;
    return [...ofKey, { field: `${at}.values`, problem }];
  }
  const ofValues = values.flatMap((value, index) =>
    labelValueProblems(value).map((problem) => ({
      field: `${at}.values[${index}]`,
      problem: `${quoted(value)}: ${problem}`,
    })),
  );
  return [...ofKey, ...ofValues];
}

/** Objects that were stored without being judged may have operators in capitals: those mean the same. */
export function inLowerCase(selector: HostSelector): HostSelector {
  const { matchExpressions } = selector;
  if (matchExpressions === undefined) return selector;
  const lowered = matchExpressions.map((each) => ({ ...each, operator: each.operator.toLowerCase() }));
  return { ...selector, matchExpressions: lowered };
}

/** Whether labels fulfil a selector that has no problems. */
export function selects({ matchLabels, matchExpressions }: HostSelector, labels: Labels): boolean {
  for (const [name, value] of Object.entries(matchLabels ?? {})) {
    if (!Object.hasOwn(labels, name) || labels[name] !== value) return false;
  }
  return (matchExpressions ?? []).every(({ key, operator, values }) =>
    (operatorOf(operator)?.holds ?? (() => false))(Object.hasOwn(labels, key) ? labels[key] : undefined, values),
  );
}
