/** The network interfaces of a host as ports of its node. */
import { IronchartError } from '../../errors.js';
import type { HardwareDetails } from '../../apis/index.js';
import { wrapped, type HostSession } from './host-session.js';
import type { IronicNode } from './node.js';

const settled = new Set([
  'enroll',
  'manageable',
  'available',
  'active',
  'adopt failed',
  'inspect failed',
  'clean failed',
  'deploy failed',
  'service failed',
  'error',
]);

/**
 * Creates what is missing, in states where Ironic allows it. What was seen a while ago is not looked for again.
 * @throws when a MAC address belongs to another node
 */
export async function ensurePorts(
  session: HostSession,
  node: IronicNode,
  isNew: boolean,
  hardware: HardwareDetails | undefined,
): Promise<void> {
  const wanted = wantedPorts(session.host.bootMACAddress, hardware);
  if (wanted.size === 0 || !settled.has(node.provisionState)) return;
  const named = [...wanted.keys()].sort().join(' ');
  if (session.memory.hasPorts(node.uuid, named)) return;
  const present = isNew
    ? []
    : await wrapped('failed to list ports', () => session.client.ports({ node_uuid: node.uuid }));
  for (const port of present) wanted.delete(String(port.address).toLowerCase());
  for (const [address, pxe] of wanted) await ensurePort(session, node, address, pxe);
  session.memory.keepPorts(node.uuid, named);
}

/** MAC address to whether it boots from the network. The boot MAC always does. */
function wantedPorts(bootMAC: string, hardware: HardwareDetails | undefined): Map<string, boolean> {
  const ports = new Map<string, boolean>();
  for (const nic of hardware?.nics ?? []) {
    if (nic.mac) ports.set(nic.mac.toLowerCase(), nic.pxe ?? false);
  }
  if (bootMAC !== '') ports.set(bootMAC.toLowerCase(), true);
  return ports;
}

async function ensurePort(session: HostSession, node: IronicNode, address: string, pxe: boolean): Promise<void> {
  const owner = await wrapped(`failed to look for port ${address}`, () => session.reader.nodeOfMAC(address));
  if (owner === node.uuid) return;
  if (owner !== undefined) {
    const problem = `port ${address} of node ${node.name} belongs to another node ${owner}`;
    throw new IronchartError('IRONIC_PORT_CONFLICT', problem, { retry: 'never' });
  }
  await wrapped(`failed to create port ${address}`, () =>
    session.client.createPort({ node_uuid: node.uuid, address, pxe_enabled: pxe }),
  );
}
