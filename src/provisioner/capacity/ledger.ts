/**
 * Who may keep the back end busy. One ledger serves the whole process: a slot is taken in the same step in which it is asked
 * for, so that hosts which decide at the same moment never take more than there are. Slots go out first come, first served.
 * It is rebuilt from what the back end says (`observe`); nothing is stored.
 */
export type Reservation =
  | { readonly granted: true }
  | {
      readonly granted: false;
      /** 1: next in line. */
      readonly rank: number;
      readonly waiting: number;
      readonly limit: number;
    };

export type GrantListener = (key: string) => void;

const granted: Reservation = Object.freeze({ granted: true });

export class CapacityLedger {
  readonly #holders = new Set<string>();
  /** In order of arrival. */
  readonly #waiters = new Set<string>();
  #busy: ReadonlySet<string> = new Set();
  readonly #listeners = new Set<GrantListener>();

  /** @param limit how many may be busy at once; Infinity: no bound. */
  constructor(readonly limit: number) {}

  /**
   * Takes a slot, or a place in line. A host that holds one keeps it; one that the back end already reports busy gets one,
   * for refusing it would free nothing.
   */
  reserve(key: string): Reservation {
    if (this.#holders.has(key)) return granted;
    const isNext = this.#waiters.size === 0 || this.#first() === key;
    if (this.#busy.has(key) || (isNext && this.#hasRoom())) {
      this.#waiters.delete(key);
      this.#holders.add(key);
      return granted;
    }
    this.#waiters.add(key);
    return { granted: false, rank: this.#rank(key), waiting: this.#waiters.size, limit: this.limit };
  }

  /** Gives the slot back, or leaves the line. What the back end said of the host before no longer counts. */
  release(key: string): void {
    this.#holders.delete(key);
    this.#waiters.delete(key);
    if (this.#busy.has(key)) this.#busy = new Set([...this.#busy].filter((other) => other !== key));
    this.#promote();
  }

  /** Everything that is busy in the back end now, our own hosts or not. Replaces what was said before. */
  observe(busyKeys: Iterable<string>): void {
    this.#busy = new Set(busyKeys);
    this.#promote();
  }

  /** Called for each host that moves from the line to a slot, after the ledger has settled. */
  onGranted(listener: GrantListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  holds(key: string): boolean {
    return this.#holders.has(key);
  }

  holders(): string[] {
    return [...this.#holders];
  }

  /** In order of arrival. */
  waiters(): string[] {
    return [...this.#waiters];
  }

  /** Slots that are taken: by holders, and by what else is busy in the back end. */
  get taken(): number {
    let foreign = 0;
    for (const key of this.#busy) if (!this.#holders.has(key)) foreign += 1;
    return this.#holders.size + foreign;
  }

  #hasRoom(): boolean {
    return this.taken < this.limit;
  }

  #first(): string | undefined {
    return this.#waiters.values().next().value;
  }

  #rank(key: string): number {
    return [...this.#waiters].indexOf(key) + 1;
  }

  #promote(): void {
    const promoted: string[] = [];
    for (const key of [...this.#waiters]) {
      // A host that is busy already takes no slot that another could have.
      if (!this.#busy.has(key) && !(this.#first() === key && this.#hasRoom())) continue;
      this.#waiters.delete(key);
      this.#holders.add(key);
      promoted.push(key);
    }
    for (const key of promoted) for (const listener of this.#listeners) listener(key);
  }
}
