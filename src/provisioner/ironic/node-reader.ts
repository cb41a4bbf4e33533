/** Reading nodes: the one door through which the phases see the fleet. */
import { isIronicError, type IronicClient } from './client/index.js';
import { summaryFields, toNode, toSummary, type IronicNode, type NodeSummary } from './node.js';

export interface NodeReader {
  /** undefined: Ironic has no such node. @throws IronicError */
  node(idOrName: string): Promise<IronicNode | undefined>;
  /** UUID of the node that has a port with this MAC address. @throws IronicError */
  nodeOfMAC(mac: string): Promise<string | undefined>;
  /** Every node, briefly; may be a few seconds old. @throws IronicError */
  summaries(): Promise<readonly NodeSummary[]>;
  /** A command was sent: what is known of the node is out of date. */
  changed(uuid: string): void;
}

/** Asks Ironic each time; the list comes from elsewhere, because many hosts share it. */
export class DirectNodeReader implements NodeReader {
  constructor(
    private readonly client: IronicClient,
    private readonly list: () => Promise<readonly NodeSummary[]>,
  ) {}

  async node(idOrName: string): Promise<IronicNode | undefined> {
    try {
      return toNode(await this.client.node(idOrName));
    } catch (error) {
      if (isIronicError(error, 'IRONIC_NOT_FOUND')) return undefined;
      throw error;
    }
  }

  async nodeOfMAC(mac: string): Promise<string | undefined> {
    const [port] = await this.client.ports({ address: mac });
    return typeof port?.node_uuid === 'string' ? port.node_uuid : undefined;
  }

  summaries(): Promise<readonly NodeSummary[]> {
    return this.list();
  }

  changed(): void {
    // Nothing is kept here.
  }
}

export async function listNodes(client: IronicClient): Promise<readonly NodeSummary[]> {
  return (await client.nodes(summaryFields)).map(toSummary);
}
