/** What a host waits for, in words that a person can act on. Coarse on purpose: it must not change with every look. Pure. */
import type { Draft, Observed } from '../../../machines/index.js';

const atWork: Readonly<Record<string, string>> = {
  registering: 'Ironic to take the host and reach its BMC',
  inspecting: 'the inspection to end',
  preparing: 'the preparation to end',
  provisioning: 'the image to be deployed',
  deprovisioning: 'the disks to be cleaned',
  'powering off before delete': 'the machine to be powered off',
  deleting: 'the Ironic node to be removed',
};

/** "" when the host rests as it should. */
export function waitsFor(draft: Draft, observed: Observed): string {
  return said(draft, observed) ?? plainly(draft);
}

/** By how the pass ended. */
function said({ status, result }: Draft, observed: Observed): string | undefined {
  switch (result?.kind) {
    case 'delayed':
      return slotText(observed);
    case 'failed':
      return `the next try after: ${status.errorMessage.slice(0, 300)}`;
    case 'retry':
      return result.message.slice(0, 300);
    case 'continue':
    case 'update':
      return result.waitsFor;
    default:
      return undefined;
  }
}

/** By where the host is. */
function plainly({ status }: Draft): string {
  if (status.operationalStatus === 'detached') return 'its detached annotation to be removed';
  if (status.operationalStatus === 'servicing') return 'the firmware to be changed';
  if (status.provisioning.state === 'unmanaged') return 'BMC details in spec.bmc';
  return atWork[status.provisioning.state] ?? '';
}

function slotText({ slot }: Observed): string {
  return slot.kind === 'waiting' ? `a free slot: at most ${slot.limit} hosts are worked on at once` : 'a free slot';
}
