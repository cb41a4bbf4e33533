/** BMCEventSubscription: subscribes once its host is registered, and unsubscribes before the object goes. */
import {
  type BMCEventSubscription,
  bmcEventSubscriptionSchema,
  type BMCEventSubscriptionStatus,
  finalizers,
  kinds,
} from '../../apis/index.js';
import type { Clock } from '../../clock.js';
import { IronchartError, messageOf } from '../../errors.js';
import type { Decision, EventRecorder, KubeApi, KubeObject, ObjectStore, SecretStore } from '../../kube/index.js';
import { keyOf } from '../../kube/index.js';
import {
  type Provisioner,
  ProvisionerNotReady,
  type ProvisionerFactory,
  type SubscriptionTarget,
} from '../../provisioner/index.js';
import { attempt, type AttemptLog, done } from '../attempt.js';
import { clipped } from '../conditions.js';
import { type HostView, hostOf, provisionerOf } from '../host-view.js';
import { ObjectKeeper } from '../object-keeper.js';
import { type Headers, maskOfHeaders, readHeaders } from './headers.js';
import { idsOfOthers, unclaimed } from './ownership.js';
import { isPatienceOver, removalOf } from './removal.js';

export const eventSubscriptionController = 'bmceventsubscription';

/** Longest gap, milliseconds, between tries at a BMC that takes no subscription, and at one that does not let it go. */
const subscribeAgainMs = 600_000;
const removeAgainMs = 60_000;

export interface EventSubscriptionParts {
  readonly api: KubeApi;
  readonly subscriptions: ObjectStore<KubeObject>;
  readonly hosts: ObjectStore<KubeObject>;
  readonly secrets: Pick<SecretStore, 'read'>;
  readonly provisioners: ProvisionerFactory;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly log: AttemptLog;
}

/** One object in one pass. */
interface Case {
  readonly object: KubeObject;
  readonly subscription: BMCEventSubscription;
  readonly host: HostView | undefined;
  readonly hostKey: string;
  readonly signal: AbortSignal;
}

export class EventSubscriptionReconciler {
  readonly #keeper: ObjectKeeper;
  /** What BMCs have answered, until it stands in the status: asking a second time would make a second subscription. */
  readonly #made = new Map<string, { readonly hostKey: string; readonly id: string }>();
  /** Uids by keys of objects that were unsubscribed from and are to go: a BMC that is asked again has nothing to unsubscribe from. */
  readonly #leaving = new Map<string, string>();

  constructor(private readonly parts: EventSubscriptionParts) {
    this.#keeper = new ObjectKeeper(parts.api, parts.subscriptions, kinds.bmcEventSubscription);
  }

  reconcile(key: string, signal: AbortSignal): Promise<Decision> {
    const { log } = this.parts;
    return attempt({ controller: eventSubscriptionController, key, log, signal }, () => this.#pass(key, signal));
  }

  #pass(key: string, signal: AbortSignal): Promise<Decision> {
    const object = this.parts.subscriptions.get(key);
    if (object?.metadata.uid !== this.#leaving.get(key)) this.#leaving.delete(key);
    if (object === undefined) return Promise.resolve(done);
    const subscription = bmcEventSubscriptionSchema.parse(object) as BMCEventSubscription;
    const hostKey = `${object.metadata.namespace ?? ''}/${subscription.spec.hostName ?? ''}`;
    const host = hostOf(this.parts.hosts, hostKey);
    const one: Case = { object, subscription, host, hostKey, signal };
    return object.metadata.deletionTimestamp === undefined ? this.#subscribe(one) : this.#remove(one);
  }

  async #subscribe(one: Case): Promise<Decision> {
    const { subscription, host, signal } = one;
    const { subscriptionID = '' } = subscription.status ?? {};
    // What once went wrong may stand there still: another operator keeps it.
    if (subscriptionID !== '') return this.#keep(one.object, subscriptionID);
    const { hostName = '' } = subscription.spec;
    if (host === undefined) {
      return this.#rest(one, `the host ${hostName} does not exist in this namespace: create it, or correct the name`);
    }
    const wasHeld = isHeld(one.object);
    const object = await this.#keeper.hold(one.object, { finalizer: finalizers.bmcEventSubscription }, signal);
    if (host.provisionerID === '') return this.#rest({ ...one, object }, `the host ${hostName} is not registered yet`);
    const answer = await this.#ask({ ...one, object }, host, wasHeld);
    return 'id' in answer
      ? this.#keep(object, answer.id)
      : this.#fail({ ...one, object }, answer.problem, subscribeAgainMs);
  }

  /** @param isRetry the BMC may have been asked before, with nobody to hear its answer */
  async #ask(one: Case, host: HostView, isRetry: boolean): Promise<Answer> {
    const known = this.#idOf(one);
    if (known !== '') return { id: known };
    let headers: Headers = [];
    try {
      const { httpHeadersRef } = one.subscription.spec;
      headers = await readHeaders(this.parts.secrets, one.object.metadata.namespace ?? '', httpHeadersRef, one.signal);
      // What has been asked for is waited for, also while the operator ends: nobody could tell later what came of it.
      const provisioner = await provisionerOf(this.parts.provisioners, one.hostKey, host);
      const earlier = isRetry ? await this.#find(one, provisioner) : undefined;
      return earlier === undefined ? await this.#add(one, provisioner, headers) : { id: earlier };
    } catch (error) {
      if (isForLater(error, one.signal)) throw error;
      return { problem: maskOfHeaders(headers)(messageOf(error)) };
    }
  }

  async #add(one: Case, provisioner: Provisioner, headers: Headers): Promise<Answer> {
    const { result, subscriptionID: id } = await provisioner.addBMCEventSubscription({ ...targetOf(one), headers });
    if (result.kind === 'failed') return { problem: maskOfHeaders(headers)(result.message) };
    if (result.kind === 'inProgress') return { problem: 'the BMC is still at it' };
    if (id !== '') this.#made.set(one.object.metadata.uid ?? '', { hostKey: one.hostKey, id });
    return { id };
  }

  /** One that the BMC has already, as wished for, and that is no other object's. */
  async #find(one: Case, provisioner: Provisioner): Promise<string | undefined> {
    const found = await provisioner.findBMCEventSubscriptions?.(targetOf(one));
    const others = idsOfOthers(one.object, this.parts.subscriptions.values());
    const unnoted = [...this.#made.values()].filter(({ hostKey }) => hostKey === one.hostKey).map(({ id }) => id);
    const id = unclaimed(found ?? [], [...others, ...unnoted]);
    // Taken at once: another object may be looking for its own at this moment.
    if (id !== undefined) this.#made.set(one.object.metadata.uid ?? '', { hostKey: one.hostKey, id });
    return id;
  }

  /**
   * Should this write fail, the next pass knows the answer still, and makes no second subscription. A back end that only pretends
   * has no name for what it made, and nothing to be removed later.
   */
  async #keep(object: KubeObject, subscriptionID: string): Promise<Decision> {
    await this.#save(object, { subscriptionID: subscriptionID || undefined, error: undefined });
    this.#made.delete(object.metadata.uid ?? '');
    return done;
  }

  async #remove(one: Case): Promise<Decision> {
    const { object, host } = one;
    if (!isHeld(object)) return done;
    if (this.#leaving.has(keyOf(object))) return this.#release(one);
    const id = this.#idOf(one) || (await this.#unheard(one));
    const removal = removalOf(id, host);
    if (removal === 'rest') return this.#rest(one, 'waits for its host to be registered, to be unsubscribed from');
    if (removal === 'abandon') return this.#abandon(one, id, 'its host has left the back end');
    if (removal === 'go' || host === undefined) return this.#release(one);
    return this.#unsubscribed(one, id, await this.#unsubscribe(one, host, id));
  }

  /** The one that may have been made with nobody to hear of it; "": none, or nobody can tell. */
  async #unheard(one: Case): Promise<string> {
    const { host, hostKey, signal } = one;
    if (host === undefined || host.provisionerID === '') return '';
    try {
      const provisioner = await provisionerOf(this.parts.provisioners, hostKey, host, signal);
      return (await this.#find(one, provisioner)) ?? '';
    } catch (error) {
      if (isForLater(error, signal)) throw error;
      return '';
    }
  }

  #idOf({ object, subscription }: Case): string {
    return subscription.status?.subscriptionID || (this.#made.get(object.metadata.uid ?? '')?.id ?? '');
  }

  /** @param problem undefined: there was none */
  #unsubscribed(one: Case, id: string, problem: string | undefined): Promise<Decision> {
    if (problem === undefined) {
      this.#leaving.set(keyOf(one.object), one.object.metadata.uid ?? '');
      return this.#letGo(one.object);
    }
    const isOver = isPatienceOver(one.object.metadata.deletionTimestamp, this.parts.clock.now());
    return isOver ? this.#abandon(one, id, problem) : this.#fail(one, problem, removeAgainMs);
  }

  /** Why it did not work; undefined: it did. */
  async #unsubscribe({ hostKey, signal }: Case, host: HostView, id: string): Promise<string | undefined> {
    try {
      // As when it is made, that is brought to its end also while the operator ends: the next one could not tell that it was.
      const provisioner = await provisionerOf(this.parts.provisioners, hostKey, host);
      const result = await provisioner.removeBMCEventSubscription(id);
      if (result.kind === 'complete') return undefined;
      return result.kind === 'failed' ? result.message : 'the BMC is still at it';
    } catch (error) {
      if (isForLater(error, signal)) throw error;
      return messageOf(error);
    }
  }

  async #abandon(one: Case, id: string, why: string): Promise<Decision> {
    const message = `Deleted without being unsubscribed from; the BMC may still hold the subscription ${id}: ${clipped(why)}`;
    const subject = this.#keeper.subject(one.object);
    const decision = await this.#release(one);
    this.parts.events.publish({ subject, reason: 'SubscriptionAbandoned', type: 'Warning', message });
    return decision;
  }

  #release({ object, signal }: Case): Promise<Decision> {
    return this.#letGo(object, signal);
  }

  async #letGo(object: KubeObject, signal?: AbortSignal): Promise<Decision> {
    await this.#keeper.release(object, finalizers.bmcEventSubscription, signal);
    this.#made.delete(object.metadata.uid ?? '');
    return done;
  }

  /** Until the host changes, which brings the object into the queue. */
  async #rest({ object, signal }: Case, error: string): Promise<Decision> {
    await this.#save(object, { error }, signal);
    return done;
  }

  async #fail({ object, signal }: Case, problem: string, maxMs: number): Promise<Decision> {
    await this.#save(object, { error: clipped(problem) }, signal);
    return { kind: 'backoff', maxMs };
  }

  async #save(object: KubeObject, news: BMCEventSubscriptionStatus, signal?: AbortSignal): Promise<void> {
    await this.#keeper.saveStatus(object, { ...(object.status as object | undefined), ...news }, {}, signal);
  }
}

type Answer = { readonly id: string } | { readonly problem: string };

function targetOf({ subscription: { spec } }: Case): SubscriptionTarget {
  const { destination = '', context = '' } = spec;
  return { destination, context };
}

/** The finalizer is set before the BMC is first asked. */
function isHeld({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(finalizers.bmcEventSubscription) === true;
}

/** Not this subscription's trouble. */
function isForLater(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || error instanceof ProvisionerNotReady || !(error instanceof IronchartError);
}
