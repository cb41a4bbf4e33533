/** Rules for HostNetworkAttachment: what a host uses stays as it is. */
import { isDeepStrictEqual } from 'node:util';
import {
  hostNetworkAttachmentSchema,
  type HostNetworkAttachment,
  type HostNetworkAttachmentSpec,
  networkInterfaceKey,
} from '../../apis/index.js';
import type { KindRules, Neighbours } from './kind-rules.js';
import { type Findings, shown } from './verdict.js';

export const hostNetworkAttachmentRules: KindRules<HostNetworkAttachment> = {
  schema: hostNetworkAttachmentSchema,
  create: ({ spec }, findings) => checkSpec(spec, findings),
  update(attachment, old, findings, neighbours) {
    if (isDeepStrictEqual(withoutEmptyList(attachment.spec), withoutEmptyList(old.spec))) return;
    checkSpec(attachment.spec, findings);
    if (findings.refusals.length > 0) return;
    refuseWhileUsed(attachment, 'cannot be changed', findings, neighbours);
  },
  remove(old, findings, neighbours) {
    const users = refuseWhileUsed(old, 'cannot be deleted', findings, neighbours);
    // A deletion of many things at once shows what was refused and this: whoever sees one of the two knows which hosts to look at.
    if (users.length > 0) findings.warn('spec', `is used by ${users.join(', ')}`);
  },
};

/** Unknown hosts may be using it. @returns who uses it, such as `ns/host[eth0]` */
function refuseWhileUsed(
  attachment: HostNetworkAttachment,
  what: string,
  findings: Findings,
  { hosts }: Neighbours,
): string[] {
  if (hosts === undefined) {
    findings.refuse('spec', `${what} now: which hosts use it cannot be told; try again`);
    return [];
  }
  const users = hosts.flatMap((host) => {
    const space = host.metadata.namespace ?? '';
    return (host.spec?.networkInterfaces ?? [])
      .filter(({ hostNetworkAttachment: used }) => used?.name === attachment.metadata.name)
      .filter(({ hostNetworkAttachment: used }) => (used?.namespace || space) === (attachment.metadata.namespace ?? ''))
      .map((nic) => `${space}/${host.metadata.name}[${nic.name || networkInterfaceKey(nic)}]`);
  });
  if (users.length > 0) findings.refuse('spec', `${what} while hosts use it: ${users.join(', ')}`);
  return users;
}

function withoutEmptyList({ allowedVLANs, ...rest }: HostNetworkAttachmentSpec) {
  return allowedVLANs === undefined || allowedVLANs.length === 0 ? rest : { ...rest, allowedVLANs };
}

function checkSpec({ mode, allowedVLANs = [] }: HostNetworkAttachmentSpec, findings: Findings): void {
  if (mode === 'access' && allowedVLANs.length > 0) {
    findings.refuse('spec.allowedVLANs', 'is not for the mode access; use trunk or hybrid');
  }
  for (const [index, entry] of allowedVLANs.entries()) {
    const problem = vlanProblem(entry);
    if (problem !== undefined) findings.refuse(`spec.allowedVLANs[${index}]`, `${shown(entry)}: ${problem}`);
  }
}

function vlanProblem(entry: string): string | undefined {
  const dash = entry.indexOf('-');
  const [low, high] = dash < 0 ? [entry, undefined] : [entry.slice(0, dash), entry.slice(dash + 1)];
  const problem = idProblem(low) ?? (high === undefined ? undefined : idProblem(high));
  if (problem !== undefined || high === undefined) return problem;
  return Number(low) < Number(high) ? undefined : 'a range must begin below its end';
}

function idProblem(text: string): string | undefined {
  if (!/^[+-]?\d+$/.test(text)) return `${shown(text)} is no number`;
  const id = Number(text);
  return id >= 1 && id <= 4094 ? undefined : `${text} is not between 1 and 4094`;
}
