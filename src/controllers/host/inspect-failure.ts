/** Adds to a failed inspection what a person can look at. Pure. */
import type { BootMode, InspectionMode } from '../../provisioner/index.js';

interface Inspection {
  readonly inspectionMode: InspectionMode | undefined;
  readonly bootMode: BootMode | undefined;
}

/** Ironic says only that time ran out, and what the BMC refused: neither what has not happened nor what may help. */
export function explainInspectFailure(message: string, { inspectionMode, bootMode = 'UEFI' }: Inspection): string {
  // A fast inspection asks the BMC alone, so that no agent is waited for.
  if (inspectionMode !== 'fast' && /time-?out reached while inspecting/i.test(message)) {
    return (
      `${message} (the agent never called back: look at the console of the machine, at its boot network (DHCP, ` +
      "spec.bootMACAddress) or virtual media, and whether it can reach Ironic's API)"
    );
  }
  if (/boot[ _]?mode|BootSourceOverrideMode/i.test(message)) {
    return (
      `${message} (${bootMode} was wanted: set it in the firmware setup of the machine, or try spec.bootMode with the ` +
      'mode that the machine has; it is taken when an inspection begins anew, as after the host is deleted and created again)'
    );
  }
  return message;
}
