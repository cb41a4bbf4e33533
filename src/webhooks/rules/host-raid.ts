/** Rules for the RAID volumes of a host. */
import type { BareMetalHostSpec, HardwareRAIDVolume, SoftwareRAIDVolume } from '../../apis/index.js';
import type { Findings } from './verdict.js';

export function checkRAID({ raid, rootDeviceHints }: BareMetalHostSpec, findings: Findings): void {
  if (raid === undefined) return;
  const [hardware, software] = [raid.hardwareRAIDVolumes ?? [], raid.softwareRAIDVolumes ?? []];
  if (hardware.length > 0 && software.length > 0) {
    findings.refuse('spec.raid', 'hardware and software volumes exclude each other; empty one of the lists');
  }
  for (const [index, volume] of hardware.entries()) {
    checkHardwareVolume(volume, `spec.raid.hardwareRAIDVolumes[${index}]`, findings);
  }
  checkRoot(software, rootDeviceHints !== undefined, findings);
}

function checkHardwareVolume(volume: HardwareRAIDVolume, field: string, findings: Findings): void {
  const { controller = '', numberOfPhysicalDisks, physicalDisks = [] } = volume;
  if (physicalDisks.length === 0) return;
  if (controller === '') findings.refuse(`${field}.controller`, 'is needed where physicalDisks is given');
  if (numberOfPhysicalDisks !== undefined && numberOfPhysicalDisks !== physicalDisks.length) {
    findings.refuse(
      `${field}.numberOfPhysicalDisks`,
      `is ${numberOfPhysicalDisks}, yet physicalDisks names ${physicalDisks.length}; leave it out, or let both agree`,
    );
  }
}

function checkRoot(software: readonly SoftwareRAIDVolume[], hasHints: boolean, findings: Findings): void {
  const list = 'spec.raid.softwareRAIDVolumes';
  const roots = [...software.entries()].filter(([, { rootVolume }]) => rootVolume === true);
  if (roots.length > 1) findings.refuse(list, 'several volumes are marked as rootVolume; mark one');
  if (roots.length === 1 && hasHints) {
    findings.refuse(`${list}[${roots[0]![0]}].rootVolume`, 'and spec.rootDeviceHints exclude each other; give one');
  }
  for (const [index, { level }] of roots) {
    if (level !== '1') findings.refuse(`${list}[${index}].level`, `is ${level}; the root volume needs level 1`);
  }
}
