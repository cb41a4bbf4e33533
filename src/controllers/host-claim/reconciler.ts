/**
 * HostClaim: gets a host for it out of those that policies open to its namespace, and lets it go with the claim. Reads the caches
 * of claims, hosts, policies and namespaces, and hosts themselves where the cache must not be trusted; writes the claim and its
 * status, and who has the host. No Secret is read, and nothing about the host is changed but its consumer.
 */
import { kinds } from '../../apis/index.js';
import type { ClaimStanding } from '../../../machines/index.js';
import type { Clock, Random } from '../../clock.js';
import type { Decision, EventRecorder, KubeApi, KubeObject, ObjectStore } from '../../kube/index.js';
import { after, attempt, type AttemptLog, done } from '../attempt.js';
import { ObjectKeeper } from '../object-keeper.js';
import { runClaim } from './actors.js';
import { ClaimPass, type ClaimTools } from './claim-pass.js';
import type { Fleet } from './fleet.js';
import { HostWriter } from './host-writer.js';
import { NoteMemory } from './note-memory.js';
import type { PolicyBook } from './policy-book.js';
import type { WaitingLine } from './waiting-line.js';

export const hostClaimController = 'hostclaim';

/** Milliseconds until a host that was lost to another, or came just now, is sought again: at least, and at most. */
const soonMs = [100, 1_000] as const;
/** Until a claim that waits is looked at although nothing has woken it: its message comes to be true again. */
const waitingMs = 300_000;
/** The same, where changes of the labels of namespaces are not heard of. */
const unheardMs = 30_000;
const refusedMs = 30_000;
const unsettledMs = 10_000;

export interface HostClaimParts {
  readonly api: KubeApi;
  readonly claims: ObjectStore<KubeObject>;
  readonly hosts: ObjectStore<KubeObject>;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  readonly fleet: Fleet;
  readonly policies: PolicyBook;
  readonly line: WaitingLine;
  readonly events: Pick<EventRecorder, 'publish'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: AttemptLog;
}

export class HostClaimReconciler {
  readonly #tools: ClaimTools;

  constructor(private readonly parts: HostClaimParts) {
    const { api, claims, hosts, namespaces, fleet, policies, events, clock, random } = parts;
    this.#tools = {
      keeper: new ObjectKeeper(api, claims, kinds.hostClaim),
      writer: new HostWriter(api, hosts, namespaces),
      notes: new NoteMemory(clock),
      ...{ fleet, policies, events, clock, random },
    };
  }

  reconcile(key: string, signal: AbortSignal): Promise<Decision> {
    return attempt({ controller: hostClaimController, key, log: this.parts.log, signal }, () =>
      this.#pass(key, signal),
    );
  }

  async #pass(key: string, signal: AbortSignal): Promise<Decision> {
    const object = this.parts.claims.get(key);
    if (object === undefined) {
      this.parts.line.leave(key);
      return done;
    }
    const pass = new ClaimPass(this.#tools, object, signal);
    const standing = await runClaim(pass);
    if (standing.kind === 'waiting') this.parts.line.join(key, pass.demand);
    else this.parts.line.leave(key);
    return this.#next(standing, pass);
  }

  #next(standing: ClaimStanding, pass: ClaimPass): Decision {
    switch (standing.kind) {
      case 'waiting':
        return after(pass.hasChance ? this.#between(...soonMs) : this.#waiting());
      case 'contending':
        return after(this.#between(...soonMs));
      case 'settling':
      case 'leaving':
        return after(unsettledMs);
      case 'refused':
        return after(refusedMs);
      case 'stuck':
        return { kind: 'backoff', maxMs: refusedMs };
      default:
        return done;
    }
  }

  /** Spread, so that claims that came together are not looked at together for ever. */
  #waiting(): number {
    const ms = this.parts.namespaces.length === 0 ? waitingMs : unheardMs;
    return this.#between(ms * 0.8, ms);
  }

  #between(least: number, most: number): number {
    return least + this.parts.random.next() * (most - least);
  }
}
