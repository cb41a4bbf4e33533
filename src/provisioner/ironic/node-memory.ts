/**
 * What is remembered of nodes from one pass to the next, so that looks cost little: the node as it was a moment ago, ports
 * that are known to be there, and for how long a host has been waiting. All of it may be lost at any time.
 */
import type { Clock } from '../../clock.js';
import type { IronicNode } from './node.js';

/** How much is looked at anew. Milliseconds. */
export interface LookPolicy {
  /** The first look after a command; the gaps grow from there. Infinity: always the longest gap that the operation allows. */
  readonly firstLookMs: number;
  /** For how long a node that was read serves the passes that follow at once. 0: each pass reads it. */
  readonly nodeFreshForMs: number;
  /** For how long ports that were seen are taken to be there still. 0: each pass lists them. */
  readonly portsFreshForMs: number;
}

export const sparingLooks: LookPolicy = { firstLookMs: 1000, nodeFreshForMs: 500, portsFreshForMs: 300_000 };

/** A wait during which nobody asked for so long was over, and this is another one. */
const forgottenAfterMs = 30_000;

/** The same for what keeps a host from going on: between two looks at it there may be troubles of another kind. */
const outlivedAfterMs = 120_000;

interface Wait {
  readonly since: number;
  readonly askedAt: number;
}

interface Hold extends Wait {
  readonly what: string;
  /** Milliseconds since the epoch. */
  readonly sinceTime: number;
}

export class NodeMemory {
  readonly #nodes = new Map<string, { readonly node: IronicNode; readonly until: number }>();
  readonly #ports = new Map<string, { readonly wanted: string; readonly until: number }>();
  readonly #waits = new Map<string, Wait>();
  /** Since when something is missing. */
  readonly #missing = new Map<string, number>();
  readonly #holds = new Map<string, Hold>();

  constructor(
    private readonly clock: Clock,
    private readonly policy: LookPolicy,
  ) {}

  node(uuid: string): IronicNode | undefined {
    const kept = this.#nodes.get(uuid);
    return kept !== undefined && this.clock.monotonic() < kept.until ? kept.node : undefined;
  }

  keepNode(node: IronicNode): void {
    if (this.policy.nodeFreshForMs <= 0) return;
    this.#nodes.set(node.uuid, { node, until: this.clock.monotonic() + this.policy.nodeFreshForMs });
  }

  /** The node is to be read again, though nothing was commanded. */
  dropNode(uuid: string): void {
    this.#nodes.delete(uuid);
  }

  /** A command was taken: a new wait begins, and what was read before is out of date. */
  commanded(uuid: string): void {
    this.#nodes.delete(uuid);
    const now = this.clock.monotonic();
    this.#waits.set(uuid, { since: now, askedAt: now });
    this.#missing.delete(uuid);
    this.#holds.delete(uuid);
  }

  /**
   * What keeps a host from going on: since when (milliseconds since the epoch) and for how long it was seen to. One thing at a
   * time: another one, or a command that was taken, begins anew.
   * @param what tells one from the other
   */
  heldBy(uuid: string, what: string): { readonly since: number; readonly forMs: number } {
    const now = this.clock.monotonic();
    const known = this.#holds.get(uuid);
    const isSame = known?.what === what && now - known.askedAt <= outlivedAfterMs;
    const hold = isSame ? { ...known, askedAt: now } : { what, since: now, sinceTime: this.clock.now(), askedAt: now };
    this.#holds.set(uuid, hold);
    return { since: hold.sinceTime, forMs: now - hold.since };
  }

  /** Nothing keeps the host any more, though nothing was commanded. */
  goesOn(uuid: string): void {
    this.#holds.delete(uuid);
  }

  /** For how long the node has lacked something that is to be read of it, since this was first asked after a command. Milliseconds. */
  missingForMs(uuid: string): number {
    const now = this.clock.monotonic();
    const since = this.#missing.get(uuid) ?? now;
    this.#missing.set(uuid, since);
    return now - since;
  }

  /**
   * Until the next look at a node that has something under way: a quarter of the time that it has been at it, so that the gaps
   * grow with the wait and what is over is seen soon, in proportion.
   * @param longestMs the gap of the specification, which is never exceeded
   */
  gap(uuid: string, longestMs: number): number {
    const now = this.clock.monotonic();
    const known = this.#waits.get(uuid);
    const isOver = known === undefined || now - known.askedAt > forgottenAfterMs;
    const since = isOver ? now : known.since;
    this.#waits.set(uuid, { since, askedAt: now });
    return Math.min(longestMs, Math.max(this.policy.firstLookMs, (now - since) / 4));
  }

  hasPorts(uuid: string, wanted: string): boolean {
    const kept = this.#ports.get(uuid);
    return kept?.wanted === wanted && this.clock.monotonic() < kept.until;
  }

  keepPorts(uuid: string, wanted: string): void {
    if (this.policy.portsFreshForMs <= 0) return;
    this.#ports.set(uuid, { wanted, until: this.clock.monotonic() + this.policy.portsFreshForMs });
  }

  /** The node is gone, or is another one of the same identity. */
  forget(uuid: string): void {
    this.#nodes.delete(uuid);
    this.#ports.delete(uuid);
    this.#waits.delete(uuid);
    this.#missing.delete(uuid);
    this.#holds.delete(uuid);
  }
}
