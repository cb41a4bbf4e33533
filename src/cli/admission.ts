/** The rules of admission as the embedded API server asks for them: what a cluster refuses, `ironchart up` refuses too. */
import type { Admit, AdmissionVerdict } from '../embedded/kube/index.js';
import { guarded, type HostView, judge, refusalOf, sentence, UnreadableObjectError } from '../webhooks/rules/index.js';

/** @param hosts all there are; undefined: not known yet. */
export function admission(hosts: () => readonly HostView[] | undefined): Admit {
  return ({ operation, kind: { group, kind }, subresource, object, oldObject }) => {
    const found = guarded.find((one) => one.kind.group === group && one.kind.kind === kind);
    if (found === undefined || subresource !== '' || !found.operations.includes(operation)) return undefined;
    const deniedBy = `admission webhook "${kind.toLowerCase()}.${group}" denied the request`;
    try {
      const { refusals, warnings } = judge({ kind, operation, object, oldObject }, { hosts: hosts() });
      const told = { warnings: warnings.map(sentence) };
      if (refusals.length === 0) return { allowed: true, ...told };
      const { message, details } = refusalOf(found.kind, (object ?? oldObject)?.metadata.name ?? '', refusals);
      return { allowed: false, message: `${deniedBy}: ${message}`, details, ...told };
    } catch (error) {
      if (!(error instanceof UnreadableObjectError)) throw error;
      const unreadable: AdmissionVerdict = {
        allowed: false,
        code: 400,
        reason: 'BadRequest',
        message: `${deniedBy}: ${error.message}`,
      };
      return unreadable;
    }
  };
}
