import { badRequest } from '../wire/status-error.js';

type Labels = Record<string, string>;
export type LabelTest = (labels: Labels) => boolean;

const KEY = String.raw`[A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?`;
const SET = new RegExp(String.raw`^(${KEY})\s+(in|notin)\s*\(([^()]*)\)$`);
const EQUALITY = new RegExp(String.raw`^(${KEY})\s*(==|=|!=|>|<)\s*([-A-Za-z0-9_.]*)$`);
const EXISTENCE = new RegExp(String.raw`^(!?)\s*(${KEY})$`);

/** Splits at commas outside parentheses. */
function requirementsOf(selector: string): string[] {
  return selector.split(/,(?![^()]*\))/).map((part) => part.trim());
}

function equality(key: string, operator: string, value: string): LabelTest {
  if (operator === '!=') return (labels) => labels[key] !== value;
  if (operator === '>') return (labels) => Number(labels[key]) > Number(value);
  if (operator === '<') return (labels) => Number(labels[key]) < Number(value);
  return (labels) => labels[key] === value;
}

function requirement(text: string): LabelTest {
  const set = SET.exec(text);
  if (set) {
    const [, key, operator, list] = set as unknown as [string, string, string, string];
    const values = new Set(list.split(',').map((value) => value.trim()));
    const inside: LabelTest = (labels) => labels[key] !== undefined && values.has(labels[key]);
    return operator === 'in' ? inside : (labels) => !inside(labels);
  }
  const equal = EQUALITY.exec(text);
  if (equal) return equality(equal[1]!, equal[2]!, equal[3]!);
  const exists = EXISTENCE.exec(text);
  if (!exists)
    throw badRequest(
      `unable to parse requirement: found '${text.split(/\s+/)[1] ?? text}', expected: in, notin, =, ==, !=, gt, lt`,
    );
  const [, not, key] = exists as unknown as [string, string, string];
  return (labels) => (labels[key] !== undefined) === (not === '');
}

/** Compiles a label selector, equality- or set-based; undefined for an empty one. Throws StatusError 400. */
export function labelSelector(selector: string | null | undefined): LabelTest | undefined {
  if (!selector?.trim()) return undefined;
  const tests = requirementsOf(selector).map(requirement);
  return (labels) => tests.every((test) => test(labels));
}
