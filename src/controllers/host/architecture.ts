/** The CPU architecture of a host (host-lifecycle spec §6.1). */
import type { BareMetalHost, BareMetalHostStatus } from '../../apis/index.js';

const own: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' };

/** What the host says, else what inspection found, else the operator's own. */
export function architectureOf(host: BareMetalHost, status: BareMetalHostStatus): string {
  return host.spec.architecture || status.hardware?.cpu?.arch || (own[process.arch] ?? process.arch);
}
