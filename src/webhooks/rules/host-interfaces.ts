/** Rules for the network interfaces of a host. */
import type { BareMetalHostSpec } from '../../apis/index.js';
import { type Findings, shown } from './verdict.js';

export function checkInterfaces({ networkInterfaces = [] }: BareMetalHostSpec, findings: Findings): void {
  const seen = new Set<string>();
  for (const [index, { name = '', macAddress = '' }] of networkInterfaces.entries()) {
    const field = `spec.networkInterfaces[${index}]`;
    const written = macAddress || name;
    if (written === '') findings.refuse(field, 'selects no interface; give name or macAddress');
    else if (name !== '' && macAddress !== '')
      findings.refuse(field, 'name and macAddress exclude each other; give one');
    else if (seen.has(written.toLowerCase())) findings.refuse(field, `${shown(written)} was selected before`);
    else seen.add(written.toLowerCase());
  }
}
