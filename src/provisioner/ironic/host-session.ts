/** What the phases of one pass over one host share: the connection, the node as last read, delays, events. */
import { timestamp, type Random } from '../../clock.js';
import { IronchartError, messageOf } from '../../errors.js';
import { accessDetails, BMCAddressError, type AccessDetails, type DriverRegistry } from '../../hardware/index.js';
import type { EventPublisher, HostAccess } from '../provisioner.js';
import { awaiting, inProgress, NeedsRegistration, type OperationResult } from '../results.js';
import { isIronicError, type IronicClient } from './client/index.js';
import type { IronicConfig } from './config.js';
import type { NodeMemory } from './node-memory.js';
import type { NodeReader } from './node-reader.js';
import type { IronicNode } from './node.js';
import { refusalOf } from './node-refusal.js';

/** Turns the name of a BMC into an IP address; undefined: it has none. */
export type Resolver = (hostname: string) => Promise<string | undefined>;

export interface HostSessionParts {
  readonly client: IronicClient;
  readonly reader: NodeReader;
  readonly memory: NodeMemory;
  readonly config: IronicConfig;
  readonly host: HostAccess;
  readonly publish: EventPublisher;
  readonly random: Random;
  readonly drivers: DriverRegistry;
  readonly resolve: Resolver;
}

/**
 * What holds a host up is over in a moment, mostly, and each word of it is a write of the host: it is told once it has lasted for
 * so long. Milliseconds. A soft power-off may take as long without anything being wrong.
 */
const untoldForMs = 180_000;

export class HostSession {
  readonly client: IronicClient;
  readonly reader: NodeReader;
  readonly memory: NodeMemory;
  readonly config: IronicConfig;
  readonly host: HostAccess;
  readonly publish: EventPublisher;
  readonly resolve: Resolver;
  #access: AccessDetails | undefined;
  #node: IronicNode | undefined;
  #seen: IronicNode | undefined;

  constructor(private readonly parts: HostSessionParts) {
    ({ client: this.client, reader: this.reader, memory: this.memory, config: this.config, host: this.host } = parts);
    ({ publish: this.publish, resolve: this.resolve } = parts);
  }

  get features() {
    return this.client.version.features;
  }

  /** @throws IronchartError with the code of the BMCAddressError. */
  access(): AccessDetails {
    try {
      return (this.#access ??= accessDetails(this.host.bmcAddress, {
        disableCertificateVerification: this.host.disableCertificateVerification,
        drivers: this.parts.drivers,
      }));
    } catch (error) {
      const code = error instanceof BMCAddressError ? error.code : 'BMC_ADDRESS_UNPARSABLE';
      throw new IronchartError(code, messageOf(error), { retry: 'never' });
    }
  }

  /** Why the BMC address cannot be used; undefined: it can. */
  addressProblem(): string | undefined {
    try {
      this.access();
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** The host's node, read once in a pass. @throws NeedsRegistration when there is none. */
  async node(): Promise<IronicNode> {
    if (this.#node) return this.#node;
    const id = this.host.provisionerID;
    if (id === '') throw new NeedsRegistration();
    const remembered = this.memory.node(id);
    if (remembered) return (this.#seen = this.#node = remembered);
    const node = await wrapped(`failed to find node by ID ${id}`, () => this.reader.node(id));
    if (!node) {
      this.memory.forget(id);
      throw new NeedsRegistration();
    }
    return this.keep(node);
  }

  /** The node as it was last seen in this pass, even if a command has been sent since. */
  get lastSeen(): IronicNode | undefined {
    return this.#seen;
  }

  keep(node: IronicNode): IronicNode {
    this.#node = node;
    this.#seen = node;
    this.memory.keepNode(node);
    return node;
  }

  /** A command was accepted: the node must be read again. */
  drop(uuid: string): void {
    this.#node = undefined;
    this.memory.commanded(uuid);
    this.reader.changed(uuid);
  }

  /** Locked, or no longer as it was read (409): soon, with a new look. Whatever else `error` is, is thrown on. */
  refused(node: IronicNode, error: unknown): OperationResult {
    if (!isIronicError(error, 'IRONIC_CONFLICT')) throw error;
    this.memory.dropNode(node.uuid);
    const { what, tell } = refusalOf(node, error);
    return this.held(node.uuid, what, this.soon(), tell);
  }

  /**
   * The same answer, which says what is waited for, and since when, once that has lasted for a while.
   * @param what tells this wait from others of the node
   * @param tell the words, given the time since when; by default both one after the other
   */
  held(
    uuid: string,
    what: string,
    result: OperationResult,
    tell: (since: string) => string = (since) => `${what}, as it has been at least since ${since}`,
  ): OperationResult {
    const { since, forMs } = this.memory.heldBy(uuid, what);
    return forMs < untoldForMs ? result : awaiting(result, tell(timestamp(since)));
  }

  /** The node is in the midst of something that has to end before `purpose`. */
  busy({ uuid, provisionState }: IronicNode, purpose: string, result: OperationResult): OperationResult {
    const what = `its Ironic node to be done with ${JSON.stringify(provisionState)} before ${purpose}`;
    return this.held(uuid, what, result);
  }

  /** At once, with a new look: what was read is not all there is to be read. */
  again({ uuid }: IronicNode): OperationResult {
    this.#node = undefined;
    this.memory.dropNode(uuid);
    return atOnce;
  }

  /** For verifying, power, locks: 3 s at most. */
  soon(): OperationResult {
    return this.#after(3000);
  }

  /** For the work of an agent, and for a node at fault: 10 s at most. */
  later(): OperationResult {
    return this.#after(10_000);
  }

  /** Sooner after a command than later on, and up to an eighth more, so that hosts do not march in step. */
  #after(longestMs: number): OperationResult {
    const uuid = this.#seen?.uuid ?? this.host.provisionerID;
    const ms = this.memory.gap(uuid, longestMs);
    return inProgress(ms + this.parts.random.next() * (ms / 8));
  }
}

export const atOnce: OperationResult = inProgress(0);

/** Says what was being done; the code and the retry class stay. */
export async function wrapped<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isIronicError(error)) throw error;
    throw error.during(doing);
  }
}
