/** The claims that wait for a host, oldest first. */
import type { KubeObject } from '../../kube/index.js';
import { keyOf } from '../../kube/index.js';
import type { Demand } from './choice.js';

interface Waiting {
  readonly key: string;
  readonly rank: number;
  readonly demand: Demand;
  isAwake: boolean;
}

/** Claims of one second go in the order in which they were first seen: so many may come within it. */
const perSecond = 1_000_000;

export class WaitingLine {
  readonly #waiting = new Map<string, Waiting>();
  readonly #ranks = new Map<string, { readonly uid: string; readonly rank: number }>();
  #sorted: readonly Waiting[] | undefined;
  #seen = 0;

  /** Gives a claim its place for good, whether or not it has to wait. */
  see({ metadata }: KubeObject): void {
    const key = keyOf({ metadata });
    const { uid = '', creationTimestamp = '' } = metadata;
    if (this.#ranks.get(key)?.uid === uid) return;
    const seconds = Math.floor(Date.parse(creationTimestamp) / 1000) || 0;
    this.#ranks.set(key, { uid, rank: seconds + (this.#seen % perSecond) / perSecond });
    this.#seen += 1;
  }

  forget(key: string): void {
    this.#ranks.delete(key);
    this.leave(key);
  }

  /** The older the smaller. */
  rankOf(key: string): number {
    return this.#ranks.get(key)?.rank ?? Infinity;
  }

  /** It has been looked at, and has to wait. */
  join(key: string, demand: Demand): void {
    this.#waiting.set(key, { key, rank: this.rankOf(key), demand, isAwake: false });
    this.#sorted = undefined;
  }

  leave(key: string): void {
    if (this.#waiting.delete(key)) this.#sorted = undefined;
  }

  get size(): number {
    return this.#waiting.size;
  }

  *claims(): Iterable<Pick<Waiting, 'key' | 'demand'>> {
    yield* this.#inOrder();
  }

  wake(key: string): void {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) waiting.isAwake = true;
  }

  /** The oldest that sleeps and wants it. @param afterRank only those that are younger than this */
  next(wants: (demand: Demand) => boolean, afterRank = -Infinity): string | undefined {
    const found = this.#inOrder().find(({ rank, isAwake, demand }) => rank > afterRank && !isAwake && wants(demand));
    return found?.key;
  }

  #inOrder(): readonly Waiting[] {
    this.#sorted ??= [...this.#waiting.values()].sort((a, b) => a.rank - b.rank);
    return this.#sorted;
  }
}
