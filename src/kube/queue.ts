/**
 * The work queue, with the semantics of client-go's: a key waits once however often it is added; one key is never worked on
 * twice at a time; one added while it is worked on comes again afterwards. A key's repeated failures space its tries, and a
 * key added for a reason of higher priority overtakes.
 */
import type { Clock, Timer } from '../clock.js';

/** Lower goes first. */
export const priority = { user: 0, node: 1, retry: 2, resync: 3 } as const;
export type Priority = (typeof priority)[keyof typeof priority];

/** What the handler wants of the queue: nothing, another look after `ms`, or another try with growing gaps. */
export type Decision =
  | { readonly kind: 'done' }
  | { readonly kind: 'after'; readonly ms: number }
  | { readonly kind: 'backoff'; readonly maxMs?: number };

export type Handler = (key: string, signal: AbortSignal) => Promise<Decision>;

export interface QueueObserver {
  onAdd?(key: string): void;
  /** `outcome`: a decision's kind, or `error` when the handler threw. */
  onDone?(key: string, outcome: Decision['kind'] | 'error', seconds: number): void;
  onError?(key: string, error: unknown): void;
}

const baseDelayMs = 5;
const maxDelayMs = 1_000_000;

export class WorkQueue {
  readonly #ready = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  readonly #processing = new Set<string>();
  readonly #again = new Map<string, Priority>();
  readonly #timers = new Map<string, { timer: Timer; at: number }>();
  /**
   * How often in a row a key came back for another try, by the bound that was given: tries that wait for others to mend
   * something say nothing of the steps that follow once it is mended, and those would else begin with the longest gap there is.
   */
  readonly #failures = { bounded: new Map<string, number>(), free: new Map<string, number>() };
  /** One for each key that is worked on, so that whatever listens to it goes with the work. */
  readonly #running = new Set<AbortController>();
  #isStopped = false;
  readonly #idle: (() => void)[] = [];
  #workers = 0;
  #handler: Handler | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly observer: QueueObserver = {},
    /** Of keys with the same priority the one with the least goes first; default: the one that was added first. */
    private readonly rankOf?: (key: string) => number,
  ) {}

  /** Keys that wait to be worked on at once. */
  get depth(): number {
    return this.#ready.reduce((sum, level) => sum + level.size, 0);
  }

  get busy(): number {
    return this.#processing.size;
  }

  /** Keys that wait for a time. */
  get scheduled(): number {
    return this.#timers.size;
  }

  add(key: string, level: Priority = priority.user): void {
    if (this.#isStopped) return;
    this.#cancelTimer(key);
    if (this.#processing.has(key)) {
      this.#again.set(key, Math.min(level, this.#again.get(key) ?? level) as Priority);
    } else {
      this.#enqueue(key, level);
    }
  }

  #enqueue(key: string, level: Priority): void {
    const waiting = this.#ready.findIndex((keys) => keys.has(key));
    if (waiting !== -1 && waiting <= level) return;
    this.#ready[waiting]?.delete(key);
    this.#ready[level]?.add(key);
    this.observer.onAdd?.(key);
    this.#pump();
  }

  /** A sooner time wins over a later one. */
  addAfter(key: string, ms: number, level: Priority = priority.retry): void {
    if (ms <= 0) return this.add(key, level);
    if (this.#isStopped) return;
    const at = this.clock.monotonic() + ms;
    const known = this.#timers.get(key);
    if (known !== undefined && known.at <= at) return;
    this.#cancelTimer(key);
    const timer = this.clock.after(ms, () => {
      this.#timers.delete(key);
      this.add(key, level);
    });
    this.#timers.set(key, { timer, at });
  }

  /** Starts working, `workers` keys at a time. */
  start(workers: number, handler: Handler): void {
    this.#workers = workers;
    this.#handler = handler;
    this.#pump();
  }

  /** Takes nothing new, aborts what runs, and resolves when it has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const controller of this.#running) controller.abort();
    for (const { timer } of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    for (const level of this.#ready) level.clear();
    if (this.#processing.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #cancelTimer(key: string): void {
    this.#timers.get(key)?.timer.cancel();
    this.#timers.delete(key);
  }

  #pump(): void {
    while (this.#handler !== undefined && this.#processing.size < this.#workers) {
      const level = this.#ready.find((keys) => keys.size > 0);
      if (level === undefined) return;
      const key = this.#firstOf(level);
      if (key === undefined) return;
      level.delete(key);
      this.#processing.add(key);
      void this.#work(key, this.#handler);
    }
  }

  #firstOf(keys: ReadonlySet<string>): string | undefined {
    const [oldest] = keys;
    if (this.rankOf === undefined || oldest === undefined) return oldest;
    let first = { key: oldest, rank: this.rankOf(oldest) };
    for (const key of keys) {
      const rank = this.rankOf(key);
      if (rank < first.rank) first = { key, rank };
    }
    return first.key;
  }

  async #work(key: string, handler: Handler): Promise<void> {
    const startedAt = this.clock.monotonic();
    const controller = new AbortController();
    this.#running.add(controller);
    let decision: Decision;
    let failed = false;
    try {
      decision = await handler(key, controller.signal);
    } catch (error) {
      failed = true;
      decision = { kind: 'backoff' };
      this.observer.onError?.(key, error);
    }
    this.#processing.delete(key);
    this.#running.delete(controller);
    this.observer.onDone?.(key, failed ? 'error' : decision.kind, (this.clock.monotonic() - startedAt) / 1000);
    if (this.#isStopped) return this.#settle();
    this.#follow(key, decision);
    this.#pump();
  }

  #settle(): void {
    if (this.#processing.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #follow(key: string, decision: Decision): void {
    const again = this.#again.get(key);
    this.#again.delete(key);
    if (decision.kind !== 'backoff') for (const counts of Object.values(this.#failures)) counts.delete(key);
    if (decision.kind === 'after') this.addAfter(key, decision.ms);
    if (decision.kind === 'backoff') this.addAfter(key, this.#nextDelay(key, decision.maxMs));
    if (again !== undefined) this.add(key, again);
  }

  #nextDelay(key: string, maxMs: number | undefined): number {
    const counts = maxMs === undefined ? this.#failures.free : this.#failures.bounded;
    const failures = counts.get(key) ?? 0;
    counts.set(key, failures + 1);
    return Math.min(maxMs ?? maxDelayMs, baseDelayMs * 2 ** Math.min(failures, 30));
  }
}
