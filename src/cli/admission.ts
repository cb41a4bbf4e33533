/** The rules of admission as the embedded API server asks for them: what a cluster refuses, `ironchart up` refuses too. */
import { apiGroup } from '../apis/index.js';
import type { Admit } from '../embedded/kube/index.js';
import { judge, type HostView, sentence } from '../webhooks/rules/index.js';

/** @param hosts all there are; undefined: not known yet. */
export function admission(hosts: () => readonly HostView[] | undefined): Admit {
  return ({ operation, kind: { group, kind }, subresource, object, oldObject }) => {
    if (group !== apiGroup || subresource !== '') return undefined;
    const { refusals, warnings } = judge({ kind, operation, object, oldObject }, { hosts: hosts() });
    const told = { warnings: warnings.map(sentence) };
    if (refusals.length === 0) return { allowed: true, ...told };
    return { allowed: false, message: refusalText(kind, refusals.map(sentence)), ...told };
  };
}

/** As the API server words a refusal by a webhook. */
function refusalText(kind: string, messages: readonly string[]): string {
  const list = messages.length === 1 ? messages[0]! : `[${messages.join(', ')}]`;
  return `admission webhook "${kind.toLowerCase()}.${apiGroup}" denied the request: ${list}`;
}
