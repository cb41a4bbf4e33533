/**
 * Leader election by a Lease, compatible with client-go's, so that Ironchart and upstream exclude each other during a swap.
 * Whoever holds the lease and could not renew it within the renew deadline, by a clock that never jumps, has lost it: no
 * command and no write after that.
 */
import type { Clock, Random } from '../clock.js';
import { messageOf } from '../errors.js';
import type { KubeApi } from './api.js';
import { isKubeError } from './errors.js';
import { apiVersionOf, type KubeObject, leaseKind, type ObjectKey } from './kinds.js';

export interface LeaseOptions {
  readonly lease: ObjectKey;
  readonly identity: string;
  /** Milliseconds that a follower waits after the last observed renewal. */
  readonly durationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  readonly onError?: (message: string) => void;
}

interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export class LeaderElector {
  readonly #abort = new AbortController();
  /** The attempt that is under way. */
  #trying: AbortController | undefined;
  #renewedAt: number | undefined;
  /** The record as last read, and when it was first seen so: another's clock is never trusted. */
  #seen = { version: '', at: 0 };

  constructor(
    private readonly api: KubeApi,
    private readonly clock: Clock,
    private readonly random: Random,
    private readonly options: LeaseOptions,
  ) {}

  /** True while commands and writes are allowed. */
  isLeader(): boolean {
    return this.#renewedAt !== undefined && this.#leftMs() > 0;
  }

  /** Milliseconds until the renew deadline; the whole of it for who does not lead yet. */
  #leftMs(): number {
    const now = this.clock.monotonic();
    return this.options.renewDeadlineMs - (now - (this.#renewedAt ?? now));
  }

  /** Resolves once the lease is ours; `onLost` is called at most once, when it no longer is. */
  async lead(onLost: () => void): Promise<void> {
    const { retryPeriodMs } = this.options;
    while (!(await this.#tryRenew())) {
      await this.clock.sleep(retryPeriodMs * (1 + this.random.next() * 0.2), this.#abort.signal);
    }
    void this.#keep(onLost);
  }

  /** Gives the lease back, so that the next one need not wait for it to expire. */
  async release(): Promise<void> {
    this.#abort.abort();
    this.#trying?.abort(new Error('the lease is given back'));
    if (!this.isLeader()) return;
    this.#renewedAt = undefined;
    const { lease } = this.options;
    const current = await this.api.get<Lease>(leaseKind, lease);
    if (current?.spec?.holderIdentity !== this.options.identity) return;
    const { resourceVersion } = current.metadata;
    const spec = { holderIdentity: '', leaseDurationSeconds: 1, renewTime: this.#microTime() };
    await this.api.patch(leaseKind, lease, { metadata: { resourceVersion }, spec });
  }

  async #keep(onLost: () => void): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      // Not beyond the deadline: who has lost the lease is told so at once.
      await this.clock.sleep(Math.min(this.options.retryPeriodMs, this.#leftMs()), signal).catch(() => undefined);
      if (signal.aborted) return;
      // After a standstill past the deadline another may have led meanwhile: what is under way here rests on old news.
      if (this.isLeader()) await this.#tryRenew();
      if (signal.aborted) return;
      if (!this.isLeader()) return onLost();
    }
  }

  /** Given up at the renew deadline, whatever the server is doing: an answer after it is of no use. */
  async #tryRenew(): Promise<boolean> {
    const startedAt = this.clock.monotonic();
    const controller = new AbortController();
    this.#trying = controller;
    const timer = this.clock.after(this.#leftMs(), () =>
      controller.abort(new Error('no answer before the renew deadline')),
    );
    try {
      const isOurs = await this.#renew(controller.signal);
      // A lease that was given back meanwhile is not ours any more, whatever was written.
      if (!isOurs || this.#abort.signal.aborted) return false;
      this.#renewedAt = startedAt;
      return true;
    } catch (error) {
      if (this.#abort.signal.aborted) return false;
      if (!isKubeError(error, 'KUBE_CONFLICT') && !isKubeError(error, 'KUBE_ALREADY_EXISTS')) {
        this.options.onError?.(`lease ${this.options.lease.name}: ${messageOf(error)}`);
      }
      return false;
    } finally {
      timer.cancel();
    }
  }

  async #renew(signal: AbortSignal): Promise<boolean> {
    const current = await this.api.get<Lease>(leaseKind, this.options.lease, signal);
    if (current === undefined) await this.#create(signal);
    else if (this.#mayTake(current)) await this.#take(current, signal);
    else return false;
    return true;
  }

  #mayTake(lease: Lease): boolean {
    const { resourceVersion = '' } = lease.metadata;
    const now = this.clock.monotonic();
    if (resourceVersion !== this.#seen.version) this.#seen = { version: resourceVersion, at: now };
    const holder = lease.spec?.holderIdentity ?? '';
    if (holder === '' || holder === this.options.identity) return true;
    return now - this.#seen.at >= (lease.spec?.leaseDurationSeconds ?? 15) * 1000;
  }

  async #create(signal: AbortSignal): Promise<void> {
    const { lease } = this.options;
    const [apiVersion, spec] = [apiVersionOf(leaseKind), this.#spec(0, this.#microTime())];
    await this.api.create(leaseKind, { apiVersion, kind: 'Lease', metadata: { ...lease }, spec }, signal);
  }

  async #take(current: Lease, signal: AbortSignal): Promise<void> {
    const isOurs = current.spec?.holderIdentity === this.options.identity;
    const transitions = (current.spec?.leaseTransitions ?? 0) + (isOurs ? 0 : 1);
    const acquired = (isOurs ? current.spec?.acquireTime : undefined) ?? this.#microTime();
    const { resourceVersion } = current.metadata;
    const patch = { metadata: { resourceVersion }, spec: this.#spec(transitions, acquired) };
    await this.api.patch(leaseKind, this.options.lease, patch, { signal });
  }

  #spec(leaseTransitions: number, acquireTime: string) {
    return {
      holderIdentity: this.options.identity,
      leaseDurationSeconds: Math.round(this.options.durationMs / 1000),
      acquireTime,
      renewTime: this.#microTime(),
      leaseTransitions,
    };
  }

  #microTime(): string {
    return new Date(this.clock.now()).toISOString().replace('Z', '000Z');
  }
}
