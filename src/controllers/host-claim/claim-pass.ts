/** What a pass does about one claim: the steps that the chart names. Each may be repeated, and each write is at one version. */
import type {
  BoundOutcome,
  ChoiceOutcome,
  ClaimChoice,
  ClaimObserved,
  ClaimStanding,
  NotedOutcome,
  ReleaseOutcome,
  TakeOutcome,
} from '../../../machines/index.js';
import { annotations, finalizers, type HostClaim, hostClaimSchema } from '../../apis/index.js';
import type { Clock, Random } from '../../clock.js';
import { messageOf } from '../../errors.js';
import { timestamp } from '../../clock.js';
import type { EventRecorder, KubeObject } from '../../kube/index.js';
import type { ObjectKeeper } from '../object-keeper.js';
import { candidates, type Demand, demandOf, isStillFit, pick } from './choice.js';
import type { Fleet } from './fleet.js';
import { type HostFacts, noteOf, readNote } from './host-facts.js';
import { type HostWriter, isRefusal } from './host-writer.js';
import type { NoteMemory } from './note-memory.js';
import type { PolicyBook } from './policy-book.js';
import { whyNone } from './reasons.js';
import { newsIn, statusAfter, statusReleased, type ToldStanding } from './standing.js';

export interface ClaimTools {
  readonly keeper: ObjectKeeper;
  readonly writer: HostWriter;
  readonly fleet: Fleet;
  readonly policies: PolicyBook;
  readonly notes: NoteMemory;
  readonly events: Pick<EventRecorder, 'publish'>;
  readonly clock: Clock;
  readonly random: Random;
}

export class ClaimPass {
  readonly demand: Demand;
  readonly #claim: HostClaim;
  readonly #uid: string;
  readonly #noted: ClaimChoice | undefined;
  #open: ReadonlySet<string> = new Set();

  constructor(
    private readonly tools: ClaimTools,
    private object: KubeObject,
    private readonly signal: AbortSignal,
  ) {
    this.#claim = hostClaimSchema.parse(object) as HostClaim;
    this.#uid = object.metadata.uid ?? '';
    this.#noted = readNote(object.metadata.annotations?.[annotations.chosenHost]);
    this.demand = demandOf(this.#claim);
  }

  observed(): ClaimObserved {
    const { deletionTimestamp, finalizers: held = [] } = this.object.metadata;
    const { bareMetalHost: host } = this.#claim.status ?? {};
    return {
      isDeleting: deletionTimestamp !== undefined,
      isHeld: held.includes(finalizers.hostClaim),
      bound: host?.name ? `${host.namespace}/${host.name}` : undefined,
      noted: this.#noted,
      holder: this.#holder(),
    };
  }

  /** Should there be several, it is the same one each time. */
  #holder(): string | undefined {
    return [...this.tools.fleet.of(this.demand.claim)].sort()[0];
  }

  async catchUp(): Promise<string | undefined> {
    await this.tools.writer.catchUp();
    return this.#holder();
  }

  async chooseHost(): Promise<ChoiceOutcome> {
    const { fleet, policies, random } = this.tools;
    const { demand } = this;
    await this.#readPolicies();
    const host = pick(this.#candidates(), demand.failureDomain, random);
    if (host !== undefined) return { kind: 'chosen', choice: { host: host.key, version: host.version } };
    return { kind: 'none', message: whyNone(fleet, demand, this.#open, policies.unreadable(demand.inNamespace)) };
  }

  async #readPolicies(): Promise<void> {
    const { namespace, inNamespace } = this.demand;
    this.#open = await this.tools.policies.openTo(namespace, inNamespace, this.signal);
  }

  /** Whether there is a host by now that was not there when the claim was left waiting. */
  get hasChance(): boolean {
    return this.#candidates().length > 0;
  }

  #candidates(): HostFacts[] {
    return candidates(this.tools.fleet, this.demand, this.#open, this.#noted);
  }

  async noteChoice(choice: ClaimChoice): Promise<void> {
    const note = { [annotations.chosenHost]: noteOf(choice) };
    const hold = { finalizer: finalizers.hostClaim, annotations: note };
    this.object = await this.tools.keeper.hold(this.object, hold, this.signal);
    this.tools.notes.see(this.#uid, choice);
  }

  async takeHost(choice: ClaimChoice): Promise<TakeOutcome> {
    const outcome = await this.tools.writer.take(choice, this.demand.claim, this.signal);
    if (outcome.kind === 'refused') this.tools.notes.refuse(this.#uid, choice);
    return outcome;
  }

  /** The note is a tenant's to change: what it says is held to the policies like any choice. */
  async readNoted(choice: ClaimChoice): Promise<NotedOutcome> {
    const { notes, writer } = this.tools;
    const host = await writer.read(choice.host, this.signal);
    if (host?.claim === this.demand.claim) return { kind: 'ours' };
    // Of a host that is not free at this version, nobody can have sent a write that takes it.
    if (host === undefined || host.version !== choice.version || host.obstacle !== undefined) return { kind: 'over' };
    await this.#readPolicies();
    const isSettled = notes.isSettled(this.#uid, choice);
    const isGivenUp = isSettled && notes.isRefused(this.#uid, choice);
    if (isStillFit(host, this.demand, this.#open) && !isGivenUp) return { kind: 'open' };
    return { kind: isSettled ? 'over' : 'unsettled' };
  }

  /** What the cache says is asked for again where it is bad news: the cache may be behind. */
  async readBound(key: string): Promise<BoundOutcome> {
    const isOurs = (host: HostFacts | undefined) => host?.claim === this.demand.claim;
    if (isOurs(this.tools.fleet.get(key))) return { kind: 'ours' };
    const host = await this.tools.writer.read(key, this.signal);
    if (host === undefined) return { kind: 'gone' };
    if (isOurs(host)) return { kind: 'ours' };
    return { kind: host.isTaken ? 'others' : 'free' };
  }

  async releaseHosts({ bound, noted }: ClaimObserved): Promise<ReleaseOutcome> {
    const places = new Set([bound, noted?.host, ...this.tools.fleet.of(this.demand.claim)]);
    try {
      for (const key of places) {
        const host = key === undefined ? undefined : await this.tools.writer.read(key, this.signal);
        if (host === undefined) continue;
        if (host.claim === this.demand.claim) await this.#release(host);
        else if (bound === undefined && this.#mayBeTakenStill(host)) return { kind: 'unsettled' };
      }
      return { kind: 'released' };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { kind: 'failed', message: messageOf(error) };
    }
  }

  async #release(host: HostFacts): Promise<void> {
    await this.tools.writer.free(host, this.signal);
    this.#tell('BareMetalHostReleased', `Released the host ${host.key}`, 'Normal');
  }

  /** A write of another process that ended after it had noted its choice may be on its way. */
  #mayBeTakenStill({ key, version, obstacle }: HostFacts): boolean {
    const noted = this.#noted;
    if (noted === undefined || noted.host !== key || noted.version !== version || obstacle !== undefined) return false;
    return !this.tools.notes.isSettled(this.#uid, noted);
  }

  async letGo(): Promise<void> {
    const { keeper, notes } = this.tools;
    const others = (this.object.metadata.finalizers ?? []).filter((name) => name !== finalizers.hostClaim);
    if (others.length > 0) {
      const status = statusReleased(this.#claim.status ?? {}, this.object.metadata.generation, this.#now());
      this.object = await keeper.saveStatus(this.object, status, {}, this.signal);
    }
    await keeper.release(this.object, finalizers.hostClaim, this.signal);
    notes.forget(this.#uid);
  }

  async recordStanding(standing: ClaimStanding): Promise<void> {
    const { keeper } = this.tools;
    if (standing.kind === 'associated') {
      this.object = await keeper.hold(this.object, { finalizer: finalizers.hostClaim }, this.signal);
    }
    const before = this.#claim.status ?? {};
    const after = statusAfter(before, standing as ToldStanding, this.object.metadata.generation, this.#now());
    this.object = await keeper.saveStatus(this.object, after, {}, this.signal);
    const news = newsIn(before, after);
    if (news === undefined) return;
    const isGood = standing.kind === 'associated';
    this.#tell(
      news.reason,
      isGood ? `Associated with the host ${standing.host}` : news.message,
      isGood ? 'Normal' : 'Warning',
    );
  }

  #tell(reason: string, message: string, type: 'Normal' | 'Warning'): void {
    this.tools.events.publish({ subject: this.tools.keeper.subject(this.object), reason, message, type });
  }

  #now(): string {
    return timestamp(this.tools.clock.now());
  }
}
