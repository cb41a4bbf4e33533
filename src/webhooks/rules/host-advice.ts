/** What is allowed and yet most likely not meant. */
import type { BareMetalHost } from '../../apis/index.js';
import type { AccessDetails } from '../../hardware/index.js';
import type { HostView, Neighbours } from './kind-rules.js';
import type { Findings } from './verdict.js';

export function advise(
  host: BareMetalHost,
  access: AccessDetails | undefined,
  { hosts = [] }: Neighbours,
  findings: Findings,
): void {
  warnOfTwins(host, hosts, findings);
  if (access !== undefined && isLocal(access.hostname)) {
    findings.warn('spec.bmc.address', `${access.hostname} means the machine that Ironic runs on, or its own link`);
  }
  if ((host.spec.hardwareProfile ?? '') !== '') {
    findings.warn('spec.hardwareProfile', 'is retired; use rootDeviceHints');
  }
}

function warnOfTwins(host: BareMetalHost, hosts: readonly HostView[], findings: Findings): void {
  const [mac, address] = [macOf(host), addressOf(host)];
  for (const other of hosts) {
    if (isSameObject(other, host)) continue;
    if (mac !== '' && macOf(other) === mac) {
      findings.warn('spec.bootMACAddress', `${mac} is also that of ${nameFor(host, other)}; Ironic takes one of them`);
    }
    if (address !== '' && addressOf(other) === address) {
      findings.warn('spec.bmc.address', `is also that of ${nameFor(host, other)}; both would steer one machine`);
    }
  }
}

const macOf = ({ spec }: HostView) => spec?.bootMACAddress?.toLowerCase() ?? '';
const addressOf = ({ spec }: HostView) => spec?.bmc?.address ?? '';

function isSameObject(a: HostView, b: HostView): boolean {
  return a.metadata.name === b.metadata.name && (a.metadata.namespace ?? '') === (b.metadata.namespace ?? '');
}

/** Who may see one namespace need not learn what is in another. */
function nameFor(host: HostView, other: HostView): string {
  const isNear = (host.metadata.namespace ?? '') === (other.metadata.namespace ?? '');
  return isNear ? `the host ${other.metadata.name}` : 'a host of another namespace';
}

function isLocal(hostname: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|169\.254\.\d+\.\d+|::1|fe[89ab][0-9a-f]:.*)$/i.test(hostname);
}
