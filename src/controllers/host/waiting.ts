/** What a host waits for, in words that a person can act on. Coarse on purpose: it must not change with every look. Pure. */
import { afterWork, type Draft, heldByOthers, type Observed, restartedBy, shortened } from '../../../machines/index.js';
import { finalizers } from '../../apis/index.js';

const atWork: Readonly<Record<string, string>> = {
  registering: 'Ironic to take the host and reach its BMC',
  inspecting: 'the inspection to end',
  preparing: 'the preparation to end',
  provisioning: 'the image to be deployed',
  deprovisioning: 'the disks to be cleaned',
  'powering off before delete': 'the machine to be powered off',
  deleting: 'the Ironic node to be removed',
};

/** Characters of what went wrong. */
const longestQuote = 300;

/** "" when the host rests as it should. */
export function waitsFor(draft: Draft, observed: Observed): string {
  const { host } = observed;
  if (draft.result?.kind === 'deleteComplete') return heldByOthers(host, finalizers.host);
  const words = said(draft, observed) ?? restartedBy(host, draft.status) ?? plainly(draft, observed);
  return `${words}${afterWork(host, draft.status, finalizers.host)}`;
}

/** By how the pass ended. */
function said({ status, result }: Draft, observed: Observed): string | undefined {
  switch (result?.kind) {
    case 'delayed':
      return slotText(observed);
    case 'failed':
      return `${result.isFinal ? 'a change' : 'the next try'} after: ${shortened(status.errorMessage, longestQuote)}`;
    case 'retry':
      return shortened(result.message, longestQuote);
    case 'continue':
    case 'update':
      return result.waitsFor;
    default:
      return undefined;
  }
}

/** By where the host is. */
function plainly({ status }: Draft, { host }: Observed): string {
  if (status.operationalStatus === 'detached') return detachmentText(host.metadata.deletionTimestamp !== undefined);
  if (status.operationalStatus === 'servicing') return 'the firmware to be changed';
  if (status.provisioning.state === 'unmanaged') return 'BMC details in spec.bmc';
  return atWork[status.provisioning.state] ?? '';
}

/** A leaving host that is still there is one whose deletion was told to wait. */
function detachmentText(isLeaving: boolean): string {
  const text = 'its detached annotation to be removed';
  return isLeaving ? `${text}, or to have no deleteAction "delay" any more: its deletion waits for that` : text;
}

function slotText({ slot }: Observed): string {
  return slot.kind === 'waiting' ? `a free slot: at most ${slot.limit} hosts are worked on at once` : 'a free slot';
}
