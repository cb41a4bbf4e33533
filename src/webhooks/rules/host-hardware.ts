/** Rules that depend on what drives the host. */
import { annotations, type BareMetalHost, inspectionDisabled, inspectionModes } from '../../apis/index.js';
import { type AccessDetails, accessDetails } from '../../hardware/index.js';
import { isMACAddress } from './mac-address.js';
import { type Findings, shown } from './verdict.js';

/** What drives the host; undefined where no BMC is named, or none that is known. */
export function checkAddress({ spec }: BareMetalHost, findings: Findings): AccessDetails | undefined {
  const address = spec.bmc?.address ?? '';
  if (address === '') return undefined;
  try {
    return accessDetails(address);
  } catch (error) {
    findings.refuse('spec.bmc.address', error instanceof Error ? error.message : 'cannot be used');
    return undefined;
  }
}

export function checkHardware(host: BareMetalHost, access: AccessDetails | undefined, findings: Findings): void {
  if (access === undefined) return;
  const { spec } = host;
  if ((spec.raid?.hardwareRAIDVolumes ?? []).length > 0 && access.interfaces.raid === 'no-raid') {
    findings.refuse('spec.raid.hardwareRAIDVolumes', `a BMC of type ${access.type} sets up no RAID`);
  }
  checkMAC(host, access, findings);
  if (spec.bootMode === 'UEFISecureBoot' && !access.supportsSecureBoot) {
    findings.refuse('spec.bootMode', `a BMC of type ${access.type} cannot turn on secure boot; use UEFI`);
  }
}

function checkMAC(host: BareMetalHost, access: AccessDetails, findings: Findings): void {
  const mac = host.spec.bootMACAddress ?? '';
  if (mac !== '') {
    if (!isMACAddress(mac)) findings.refuse('spec.bootMACAddress', `${shown(mac)} is no MAC address`);
  } else if (access.needsMAC) {
    findings.refuse('spec.bootMACAddress', `is needed for a BMC of type ${access.type}`);
  } else if (inspectionDisabled(host)) {
    findings.refuse(
      'spec.bootMACAddress',
      `is needed for a BMC of type ${access.type} while inspection, which would find it, is disabled`,
    );
  }
}

/** One finding at most: the first mistake explains the others. */
export function checkInspection(host: BareMetalHost, access: AccessDetails | undefined, findings: Findings): void {
  const mode = host.spec.inspectionMode ?? '';
  const problem = mode === '' ? undefined : inspectionProblem(mode, host, access);
  if (problem !== undefined) findings.refuse('spec.inspectionMode', problem);
}

function inspectionProblem(mode: string, host: BareMetalHost, access: AccessDetails | undefined): string | undefined {
  const annotation = host.metadata.annotations?.[annotations.inspect] ?? '';
  if (annotation !== '' && (annotation === 'disabled') !== (mode === 'disabled')) {
    return `is ${shown(mode)}, yet the annotation ${annotations.inspect} says ${shown(annotation)}; remove one`;
  }
  if (!(inspectionModes as readonly string[]).includes(mode)) {
    return `${shown(mode)} is none of ${inspectionModes.join(', ')}`;
  }
  const isBlind = access !== undefined && access.interfaces.inspect === undefined;
  return mode === 'fast' && isBlind
    ? `a BMC of type ${access.type} tells nothing of its hardware; use agent`
    : undefined;
}
