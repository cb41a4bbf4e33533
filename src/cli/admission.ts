/** The rules of admission as the embedded API server asks for them: what a cluster refuses, `ironchart up` refuses too. */
import type { Admit, AdmissionVerdict } from '../embedded/kube/index.js';
import type { KubeObject } from '../kube/index.js';
import {
  type Guarded,
  guarded,
  type HostView,
  judge,
  refusalOf,
  sentence,
  UnreadableObjectError,
} from '../webhooks/rules/index.js';
import { foreseen } from './foresight.js';

type Question = Parameters<Admit>[0];

/** @param hosts all there are; undefined: not known yet. */
export function admission(hosts: () => readonly HostView[] | undefined): Admit {
  return (question) => {
    const { group, kind } = question.kind;
    const found = guarded.find((one) => one.kind.group === group && one.kind.kind === kind);
    if (question.subresource !== '') return undefined;
    if (found === undefined) return advice(question);
    return found.operations.includes(question.operation) ? verdictOn(question, found, hosts()) : undefined;
  };
}

function verdictOn(
  { operation, kind: { group, kind }, object, oldObject }: Question,
  found: Guarded,
  hosts: readonly HostView[] | undefined,
): AdmissionVerdict {
  const deniedBy = `admission webhook "${kind.toLowerCase()}.${group}" denied the request`;
  try {
    const { refusals, warnings } = judge({ kind, operation, object, oldObject }, { hosts });
    const told = { warnings: warnings.map(sentence) };
    if (refusals.length === 0) return { allowed: true, ...told };
    const { message, details } = refusalOf(found.kind, (object ?? oldObject)?.metadata.name ?? '', refusals);
    return { allowed: false, message: `${deniedBy}: ${message}`, details, ...told };
  } catch (error) {
    if (!(error instanceof UnreadableObjectError)) throw error;
    return { allowed: false, code: 400, reason: 'BadRequest', message: `${deniedBy}: ${error.message}` };
  }
}

/** Of a kind without rules: what its controller is going to say. A cluster's webhooks are not asked about these. */
function advice({ kind, object }: Question): AdmissionVerdict | undefined {
  const warnings = object === undefined ? [] : foreseen(kind, object as unknown as KubeObject);
  return warnings.length === 0 ? undefined : { allowed: true, warnings };
}
