/** Whether RAID volumes differ from what is wished for. Pure. Provisioner spec, section 8.2. */
import { isDeepStrictEqual } from 'node:util';
import type { RAIDConfig } from '../../apis/index.js';

/** null and absent leave a half alone, `[]` wipes it; a software wish hides the hardware one. */
export function raidMustChange(target: RAIDConfig | undefined, actual: RAIDConfig | undefined): boolean {
  const software = target?.softwareRAIDVolumes;
  if (isGiven(software)) {
    const present = actual?.softwareRAIDVolumes;
    const nothingToWipe = software.length === 0 && !present?.length;
    return !nothingToWipe && !isDeepStrictEqual(software, present);
  }
  const hardware = target?.hardwareRAIDVolumes;
  return isGiven(hardware) && !isDeepStrictEqual(hardware, actual?.hardwareRAIDVolumes);
}

function isGiven<T>(volumes: T[] | null | undefined): volumes is T[] {
  return volumes !== undefined && volumes !== null;
}
