/**
 * What brings a claim into the queue: its own object, and its status where another has written it; the host that it has, or had; and, while it waits, a host that becomes free,
 * a policy or the labels of its namespace. A host that becomes free wakes one claim, the oldest that may have it, and the next one
 * only if that one leaves it. Of the claims that are awake the oldest is worked on first.
 */
import { isSame } from '../../../machines/index.js';
import { type Decision, keyOf, type KubeObject, type ObjectStore, priority } from '../../kube/index.js';
import type { EventRecorder, StoreEvent, StoreSource, WorkQueue } from '../../kube/index.js';
import { kinds } from '../../apis/index.js';
import { concernsOperator } from '../change.js';
import type { Controller, Reconcile } from '../controller.js';
import type { Fleet } from './fleet.js';
import type { HostFacts } from './host-facts.js';
import type { NamespaceLabels } from './namespace-labels.js';
import { policyOf } from './policy.js';
import type { PolicyBook } from './policy-book.js';
import { hostClaimController } from './reconciler.js';
import type { WaitingLine } from './waiting-line.js';

export interface HostClaimSources {
  readonly claims: ObjectStore<KubeObject>;
  readonly policies: ObjectStore<KubeObject>;
  readonly fleet: Fleet;
  readonly book: PolicyBook;
  readonly labels: NamespaceLabels;
  readonly line: WaitingLine;
  readonly events: Pick<EventRecorder, 'publish'>;
}

export class HostClaimController implements Controller {
  readonly name = hostClaimController;
  #isStarted = false;
  /** Keys of hosts that claims were woken for. */
  readonly #wokenFor = new Map<string, Set<string>>();
  /** Keys of claims by the host in their status. */
  readonly #boundTo = new Map<string, Set<string>>();

  constructor(
    private readonly sources: HostClaimSources,
    private readonly queue: WorkQueue,
    private readonly reconcile: Reconcile,
  ) {
    const { claims, policies, fleet, labels } = sources;
    claims.listen((event, source) => this.#onClaim(event, source));
    fleet.listen((before, after) => this.#onHost(before, after));
    policies.listen((event) => this.#onPolicy(event));
    labels.followed?.listen((event) => this.#onNamespace(event));
  }

  /** The claims are few, and the hosts are handed out one at a time: one worker, whatever is asked for. */
  start(): void {
    this.#isStarted = true;
    const { claims, policies, line } = this.sources;
    for (const policy of policies.values()) this.#tellOfProblem(policy);
    for (const claim of [...claims.values()].sort(byAge)) {
      line.see(claim);
      this.#add(keyOf(claim));
    }
    this.queue.start(1, (key, signal) => this.#work(key, signal));
  }

  stop(): Promise<void> {
    return this.queue.stop();
  }

  /** All with one priority: age alone is to decide. */
  #add(key: string): void {
    if (!this.#isStarted) return;
    this.sources.line.wake(key);
    this.queue.add(key, priority.retry);
  }

  async #work(key: string, signal: AbortSignal): Promise<Decision> {
    const decision = await this.reconcile(key, signal);
    const offered = this.#wokenFor.get(key) ?? [];
    this.#wokenFor.delete(key);
    for (const host of offered) this.#offer(host, this.sources.line.rankOf(key));
    return decision;
  }

  /** To the oldest claim that sleeps and may have it, if it is free. */
  #offer(hostKey: string, afterRank?: number): void {
    const { fleet, book, line } = this.sources;
    const host = fleet.get(hostKey);
    if (!this.#isStarted || host === undefined || host.obstacle !== undefined) return;
    const claim = line.next(
      ({ namespace, inNamespace, isWanted, problem }) =>
        problem === undefined &&
        (inNamespace ?? host.namespace) === host.namespace &&
        isWanted(host) &&
        book.mayBeOpen(host.namespace, namespace),
      afterRank,
    );
    if (claim === undefined) return;
    this.#wokenFor.set(claim, (this.#wokenFor.get(claim) ?? new Set()).add(hostKey));
    this.#add(claim);
  }

  #onClaim(event: StoreEvent<KubeObject>, source: StoreSource): void {
    const key = keyOf(event.object);
    this.#follow(event);
    if (event.type === 'deleted') {
      this.sources.line.forget(key);
      for (const host of this.#wokenFor.get(key) ?? []) this.#offer(host);
      this.#wokenFor.delete(key);
      return;
    }
    if (!this.#isStarted) return;
    this.sources.line.see(event.object);
    if (concernsOperator(event) || isStatusOfOthers(event, source)) this.#add(key);
  }

  #follow(event: StoreEvent<KubeObject>): void {
    const key = keyOf(event.object);
    const old =
      event.type === 'updated' ? boundOf(event.before) : event.type === 'deleted' ? boundOf(event.object) : '';
    const now = event.type === 'deleted' ? '' : boundOf(event.object);
    if (old !== now) this.#boundTo.get(old)?.delete(key);
    if (this.#boundTo.get(old)?.size === 0) this.#boundTo.delete(old);
    if (now !== '') this.#boundTo.set(now, (this.#boundTo.get(now) ?? new Set()).add(key));
  }

  #onHost(before: HostFacts | undefined, after: HostFacts | undefined): void {
    const key = (after ?? before)?.key ?? '';
    if (hasChangedHands(before, after)) {
      const ofOthers = [before, after].map((host) => host?.claim ?? '');
      for (const claim of new Set([...ofOthers, ...(this.#boundTo.get(key) ?? [])])) {
        if (this.sources.claims.get(claim) !== undefined) this.#add(claim);
      }
    }
    if (mayInterestOthers(before, after)) this.#offer(key);
  }

  /** Who waits is looked at again where it makes a difference: what there is may be enough, and the reason is another. */
  #onPolicy(event: StoreEvent<KubeObject>): void {
    if (!this.#isStarted) return;
    if (event.type !== 'deleted') this.#tellOfProblem(event.object);
    const versions = event.type === 'updated' ? [event.before, event.object] : [event.object];
    const opens = versions.map(policyOf);
    for (const { key, demand } of [...this.sources.line.claims()]) {
      if (opens.some((policy) => policy.opensTo(demand.namespace) !== 'no')) this.#add(key);
    }
  }

  #onNamespace(event: StoreEvent<KubeObject>): void {
    const { metadata } = event.object;
    if (event.type === 'updated' && isSame(event.before.metadata.labels, metadata.labels)) return;
    for (const { key, demand } of [...this.sources.line.claims()]) {
      if (demand.namespace === metadata.name) this.#add(key);
    }
  }

  #tellOfProblem(object: KubeObject): void {
    const { problem } = policyOf(object);
    if (problem === undefined) return;
    const { namespace = '', name, uid = '' } = object.metadata;
    const { kind, group, version } = kinds.hostDeployPolicy;
    const subject = { apiVersion: `${group}/${version}`, kind, namespace, name, uid };
    this.sources.events.publish({ subject, reason: 'InvalidPolicy', message: problem, type: 'Warning' });
  }
}

/**
 * The host that a claim has stands in its status: one who edits it must not have the last word. What was written here comes back
 * by its answer, before the watch. Should the watch be quicker, one look more finds nothing to be written.
 */
function isStatusOfOthers(event: StoreEvent<KubeObject>, source: StoreSource): boolean {
  return source === 'watch' && event.type === 'updated' && !isSame(event.before.status, event.object.status);
}

function handsOf(host: HostFacts | undefined) {
  return host === undefined ? undefined : { claim: host.claim, isTaken: host.isTaken };
}

/** A host that came or went counts too. */
function hasChangedHands(before: HostFacts | undefined, after: HostFacts | undefined): boolean {
  return !isSame(handsOf(before), handsOf(after));
}

function mayInterestOthers(before: HostFacts | undefined, after: HostFacts | undefined): boolean {
  if (after === undefined || after.obstacle !== undefined) return false;
  return before?.obstacle !== undefined || !isSame(before?.labels, after.labels);
}

function boundOf({ status }: KubeObject): string {
  const { bareMetalHost: host } = (status ?? {}) as { bareMetalHost?: { namespace: string; name: string } };
  return host === undefined ? '' : `${host.namespace}/${host.name}`;
}

function byAge(a: KubeObject, b: KubeObject): number {
  const [first = '', second = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  if (first !== second) return first < second ? -1 : 1;
  return keyOf(a) < keyOf(b) ? -1 : 1;
}
