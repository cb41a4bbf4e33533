/** How busy Ironic is. Provisioner spec, section 3.4. */
import type { CapacityView } from '../provisioner.js';
import { wrapped, type HostSession } from './host-session.js';
import { hostKeyOf } from './identity.js';
import type { NodeSummary } from './node.js';

const busyStates = new Set([
  'cleaning',
  'clean wait',
  'inspecting',
  'inspect wait',
  'deploying',
  'wait call-back',
  'deleting',
]);

/** A node that boots from virtual media does not load the network that the limit protects. */
export function isBusy(node: NodeSummary): boolean {
  return busyStates.has(node.provisionState) && !node.bootInterface.includes('virtual-media');
}

export async function capacity(session: HostSession): Promise<CapacityView> {
  // What cannot be read is told by the registration, and holds up no deletion.
  const isReadable = session.addressProblem() === undefined;
  if (isReadable && session.access().supportsISOPreprovisioningImage) return { exempt: true, busy: [] };
  const nodes = await wrapped('failed to list nodes', () => session.reader.summaries());
  const busy = nodes.filter(isBusy).map((node) => hostKeyOf(node.name) ?? (node.name || node.uuid));
  return { exempt: false, busy, look: nodes };
}
