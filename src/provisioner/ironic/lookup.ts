/** Finding the node of a host: by ID, by name, by MAC address. */
import { IronchartError } from '../../errors.js';
import { NeedsRegistration } from '../results.js';
import { isIronicError } from './client/index.js';
import { wrapped, type HostSession } from './host-session.js';
import { derivedUUID, lookupNames, nodeName } from './identity.js';
import type { IronicNode } from './node.js';

/** The boot MAC address belongs to a node of another name. */
export class MACConflict extends IronchartError {
  override readonly name = 'MACConflict';

  constructor(mac: string, nodeName: string) {
    const problem = `MAC address ${mac} conflicts with existing node ${nodeName}`;
    const remedy = 'correct bootMACAddress, or delete that node in Ironic if no host uses it any more';
    super('MAC_CONFLICT', `${problem}: ${remedy}`, { retry: 'never' });
  }
}

/** For registering. undefined: the host has no node yet. @throws MACConflict, IronicError */
export async function findExistingNode(session: HostSession): Promise<IronicNode | undefined> {
  try {
    return await session.node();
  } catch (error) {
    if (!(error instanceof NeedsRegistration)) throw error;
  }
  return (await findByName(session, lookupNames(session.host))) ?? (await findByMAC(session));
}

/** The node that a lost answer to our own request may have left behind. */
export async function findCreatedNode(session: HostSession): Promise<IronicNode | undefined> {
  const derived = derivedUUID(session.host.uid);
  return findByName(session, [...(derived === undefined ? [] : [derived]), nodeName(session.host)]);
}

async function findByName(session: HostSession, names: readonly string[]): Promise<IronicNode | undefined> {
  for (const name of names) {
    const node = await wrapped(`failed to find node by name ${name}`, () => session.reader.node(name));
    if (node) return node;
  }
  return undefined;
}

async function findByMAC(session: HostSession): Promise<IronicNode | undefined> {
  const mac = session.host.bootMACAddress.toLowerCase();
  if (mac === '') return undefined;
  const uuid = await ownerOf(session, mac);
  if (uuid === undefined) return undefined;
  const node = await session.reader.node(uuid);
  if (!node) {
    const problem = `port ${mac} exists but linked node ${uuid} doesn't`;
    throw new IronchartError('IRONIC_PORT_WITHOUT_NODE', problem, { retry: 'backoff' });
  }
  if (node.name !== '') throw new MACConflict(mac, node.name);
  return node;
}

/** Ports that cannot be listed are taken for none: creating the node will tell. */
async function ownerOf(session: HostSession, mac: string): Promise<string | undefined> {
  try {
    return await session.reader.nodeOfMAC(mac);
  } catch (error) {
    if (isIronicError(error) && error.code !== 'IRONIC_ABORTED') return undefined;
    throw error;
  }
}
