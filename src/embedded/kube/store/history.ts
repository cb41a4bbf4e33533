import type { KubeObject } from '../object.js';

/** One committed write. `previous` is what it replaced or removed. */
export interface Change {
  rv: number;
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The store id of the resource, such as `baremetalhosts.metal3.io`. */
  resource: string;
  /** `namespace/name`, or `name` for a resource of the cluster. */
  key: string;
  /** With a DELETED change, the last state, carrying the resourceVersion of the deletion. */
  object: KubeObject;
  previous: KubeObject | undefined;
}

/** The last `size` changes of one resource: what watches resume from and old lists are rebuilt from. */
export class History {
  #changes: Change[] = [];
  #start = 0;
  #floor: number;

  /** `floor`: the resourceVersion up to which nothing is known. */
  constructor(
    readonly size: number,
    floor: number,
  ) {
    this.#floor = floor;
  }

  /** Watches and lists older than this resourceVersion are expired. */
  get floor(): number {
    return this.#floor;
  }

  add(change: Change): void {
    this.#changes.push(change);
    if (this.#changes.length - this.#start > this.size) this.#drop();
  }

  /** Forgets everything, as a compaction does. */
  compact(floor: number): void {
    this.#changes = [];
    this.#start = 0;
    this.#floor = floor;
  }

  /** The changes after `rv`, oldest first; undefined when some of them are forgotten. */
  since(rv: number): Change[] | undefined {
    if (rv < this.#floor) return undefined;
    let low = this.#start;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#changes[middle]!.rv <= rv) low = middle + 1;
      else high = middle;
    }
    return this.#changes.slice(low);
  }

  #drop(): void {
    this.#floor = this.#changes[this.#start]!.rv;
    this.#start += 1;
    // Cutting the array once in `size` drops keeps the cost of a change constant.
    if (this.#start < this.size) return;
    this.#changes = this.#changes.slice(this.#start);
    this.#start = 0;
  }
}
