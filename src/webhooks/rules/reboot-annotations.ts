/** Rules for the annotations that ask for a reboot. */
import { annotations } from '../../apis/index.js';
import { annotationField } from './annotation-field.js';
import { type Findings, shown } from './verdict.js';

const modes = ['hard', 'soft'];

export function checkReboots(given: Readonly<Record<string, string>> | undefined, findings: Findings): void {
  for (const [name, value] of Object.entries(given ?? {})) {
    if (name !== annotations.reboot && !name.startsWith(annotations.rebootPrefix)) continue;
    const problem = value === '' ? undefined : problemOf(value);
    if (problem !== undefined) findings.refuse(annotationField(name), problem);
  }
}

function problemOf(value: string): string | undefined {
  let wish: unknown;
  try {
    wish = JSON.parse(value);
  } catch {
    wish = undefined;
  }
  if (wish === null) return undefined;
  if (typeof wish !== 'object' || Array.isArray(wish)) {
    return 'must be empty, or JSON such as {"mode": "hard", "force": false}';
  }
  for (const [name, one] of Object.entries(wish)) {
    const problem = one === null ? undefined : entryProblem(name.toLowerCase(), one);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function entryProblem(name: string, value: unknown): string | undefined {
  if (name === 'force' && typeof value !== 'boolean') return 'force must be true or false';
  if (name !== 'mode' || value === '') return undefined;
  if (typeof value === 'string' && modes.includes(value)) return undefined;
  return `mode ${shown(String(JSON.stringify(value)))} is none of ${modes.join(', ')}`;
}
