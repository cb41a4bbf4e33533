/** Rules for BareMetalHost. */
import { bareMetalHostSchema, type BareMetalHost } from '../../apis/index.js';
import { advise } from './host-advice.js';
import { checkAnnotations } from './host-annotations.js';
import { checkAddress, checkHardware, checkInspection } from './host-hardware.js';
import { checkName, checkSecrets } from './host-identity.js';
import { checkInterfaces } from './host-interfaces.js';
import { checkRAID } from './host-raid.js';
import { checkImage } from './image.js';
import { isUntouched, type KindRules, type Neighbours } from './kind-rules.js';
import { type Findings, shown } from './verdict.js';

export const bareMetalHostRules: KindRules<BareMetalHost> = {
  schema: bareMetalHostSchema,
  create,
  update(host, old, findings, neighbours) {
    if (isUntouched(host, old)) return;
    create(host, findings, neighbours);
    checkAddressChange(host, old, findings);
    checkMACChange(host, old, findings);
    checkTakeOver(host, old, findings);
  },
};

function create(host: BareMetalHost, findings: Findings, neighbours: Neighbours): void {
  const { spec } = host;
  const access = checkAddress(host, findings);
  if (spec.firmware !== undefined) findings.refuse('spec.firmware', 'is retired; use a HostFirmwareSettings object');
  checkSecrets(host, findings);
  checkRAID(spec, findings);
  checkHardware(host, access, findings);
  checkName(host, findings);
  checkRootDevice(host, findings);
  checkImage(spec.image, 'spec.image', findings);
  checkAnnotations(host, findings);
  checkInspection(host, access, findings);
  if (spec.disablePowerOff === true && !spec.online) {
    findings.refuse('spec.online', 'is false, yet disablePowerOff keeps the host from being switched off');
  }
  checkInterfaces(spec, findings);
  advise(host, access, neighbours, findings);
}

function checkRootDevice({ spec }: BareMetalHost, findings: Findings): void {
  const name = spec.rootDeviceHints?.deviceName ?? '';
  if (name === '') return;
  const field = 'spec.rootDeviceHints.deviceName';
  if (!name.startsWith('/dev/')) findings.refuse(field, `${shown(name)} does not begin with /dev/`);
  else if (
    name
      .slice('/dev/'.length)
      .replace(/^disk\/by-path\//, '')
      .includes('/')
  ) {
    findings.refuse(field, `${shown(name)} must be of the form /dev/NAME or /dev/disk/by-path/NAME`);
  }
}

/** Judged by what the host was, since the same request could claim anything of what it is. */
function checkAddressChange({ spec }: BareMetalHost, old: BareMetalHost, findings: Findings): void {
  const before = old.spec.bmc?.address ?? '';
  if (before === '' || before === (spec.bmc?.address ?? '') || isAddressOpen(old)) return;
  findings.refuse('spec.bmc.address', 'can be changed only while the host is detached or is being registered');
}

function isAddressOpen({ status }: BareMetalHost): boolean {
  return status?.operationalStatus === 'detached' || status?.provisioning.state === 'registering';
}

function checkMACChange({ spec }: BareMetalHost, old: BareMetalHost, findings: Findings): void {
  const before = old.spec.bootMACAddress ?? '';
  if (before === '' || before.toLowerCase() === (spec.bootMACAddress ?? '').toLowerCase()) return;
  findings.refuse('spec.bootMACAddress', `cannot be changed once set; it is ${before}`);
}

function checkTakeOver({ spec }: BareMetalHost, old: BareMetalHost, findings: Findings): void {
  if (spec.externallyProvisioned !== true || old.spec.externallyProvisioned === true) return;
  const state = old.status?.provisioning.state ?? '';
  if (state === 'available') return;
  findings.refuse(
    'spec.externallyProvisioned',
    `can be set only on a host that is available; this one is ${shown(state)}`,
  );
}
