import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CapacityLedger } from '../../../src/provisioner/capacity/ledger.js';

describe('the capacity ledger', () => {
  it('grants up to the limit and tells the rest their rank', () => {
    const ledger = new CapacityLedger(2);
    expect(ledger.reserve('a')).toEqual({ granted: true });
    expect(ledger.reserve('b')).toEqual({ granted: true });
    expect(ledger.reserve('c')).toEqual({ granted: false, rank: 1, waiting: 1, limit: 2 });
    expect(ledger.reserve('d')).toEqual({ granted: false, rank: 2, waiting: 2, limit: 2 });
    expect(ledger.reserve('c')).toEqual({ granted: false, rank: 1, waiting: 2, limit: 2 });
    expect(ledger.reserve('a')).toEqual({ granted: true });
  });

  it('passes a slot to the first in line, and says so', () => {
    const ledger = new CapacityLedger(1);
    const told: string[] = [];
    const stop = ledger.onGranted((key) => told.push(key));
    for (const key of ['a', 'b', 'c']) ledger.reserve(key);
    ledger.release('a');
    expect(told).toEqual(['b']);
    expect(ledger.holders()).toEqual(['b']);
    ledger.release('c');
    ledger.release('b');
    expect(told).toEqual(['b']);
    stop();
    expect(ledger.waiters()).toEqual([]);
  });

  it('lets a newcomer not pass those who wait', () => {
    const ledger = new CapacityLedger(1);
    ledger.observe(['foreign']);
    ledger.reserve('a');
    ledger.observe([]);
    expect(ledger.holders()).toEqual(['a']);
    expect(ledger.reserve('b')).toMatchObject({ granted: false, rank: 1 });
  });

  it('counts what else is busy, and forgets it with the next observation', () => {
    const ledger = new CapacityLedger(2);
    ledger.observe(['x', 'y']);
    expect(ledger.reserve('a')).toMatchObject({ granted: false });
    ledger.observe(['y']);
    expect(ledger.holders()).toEqual(['a']);
    expect(ledger.taken).toBe(2);
    ledger.observe([]);
    expect(ledger.taken).toBe(1);
  });

  it('grants a host that is busy already, even over the limit: refusing would free nothing', () => {
    const ledger = new CapacityLedger(1);
    ledger.observe(['a', 'b']);
    expect(ledger.reserve('a')).toEqual({ granted: true });
    expect(ledger.reserve('b')).toEqual({ granted: true });
    expect(ledger.reserve('c')).toMatchObject({ granted: false });
  });

  it('knows no bound when there is none, and grants nothing when the limit is 0', () => {
    expect(new CapacityLedger(Infinity).reserve('a')).toEqual({ granted: true });
    expect(new CapacityLedger(0).reserve('a')).toEqual({ granted: false, rank: 1, waiting: 1, limit: 0 });
  });

  it('serves a listener that asks back at once', () => {
    const ledger = new CapacityLedger(1);
    ledger.onGranted((key) => ledger.release(key));
    for (const key of ['a', 'b', 'c', 'd']) ledger.reserve(key);
    ledger.release('a');
    expect(ledger.holders()).toEqual([]);
    expect(ledger.waiters()).toEqual([]);
  });

  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const busyKeys = fc.uniqueArray(fc.constantFrom('a', 'b', 'x', 'y', 'z'));
  const step = fc.oneof(
    {
      weight: 4,
      arbitrary: key.map(
        (k): Step =>
          (audit) =>
            audit.reserve(k),
      ),
    },
    {
      weight: 3,
      arbitrary: key.map(
        (k): Step =>
          (audit) =>
            audit.release(k),
      ),
    },
    {
      weight: 1,
      arbitrary: busyKeys.map(
        (busy): Step =>
          (audit) =>
            audit.observe(busy),
      ),
    },
  );

  it('keeps its promises whatever the interleaving', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), fc.array(step, { maxLength: 60 }), (limit, steps) => {
        const audit = new Audit(limit);
        for (const take of steps) audit.step(take);
        audit.drain();
      }),
      { numRuns: 1000 },
    );
  });
});

type Step = (audit: Audit) => void;

/** Takes steps on a ledger and checks after each that every promise holds. */
class Audit {
  readonly ledger: CapacityLedger;
  #line: string[] = [];
  #busy = new Set<string>();
  /** Granted from the line in this step, although not busy. */
  #promoted: string[] = [];

  constructor(readonly limit: number) {
    this.ledger = new CapacityLedger(limit);
    this.ledger.onGranted((k) => this.#busy.has(k) || this.#promoted.push(k));
  }

  step(take: Step): void {
    this.#promoted = [];
    take(this);
    if (this.#promoted.length > 0) expect(this.ledger.taken).toBeLessThanOrEqual(this.limit);
    this.#checkOrder();
    this.#checkNoLostSlot();
    this.#line = this.ledger.waiters();
  }

  reserve(k: string): void {
    const held = this.ledger.holders().includes(k);
    const verdict = this.ledger.reserve(k);
    if (!verdict.granted) expect(this.ledger.waiters()[verdict.rank - 1]).toBe(k);
    else if (!held && !this.#busy.has(k)) {
      expect(this.ledger.taken).toBeLessThanOrEqual(this.limit);
      expect([undefined, k]).toContain(this.#line[0]);
    }
  }

  release(k: string): void {
    this.#busy.delete(k);
    this.ledger.release(k);
    expect([...this.ledger.holders(), ...this.ledger.waiters()]).not.toContain(k);
  }

  observe(busy: string[]): void {
    this.#busy = new Set(busy);
    this.ledger.observe(busy);
  }

  /** Nobody starves: when slots are given back one by one, everybody who waits is served. */
  drain(): void {
    this.ledger.observe([]);
    for (let turn = 0; this.limit > 0 && this.ledger.waiters().length > 0; turn++) {
      expect(turn).toBeLessThan(20);
      this.ledger.release(this.ledger.holders()[0]!);
    }
  }

  /** First come, first served: the line keeps its order, and who was served stood before those who still wait. */
  #checkOrder(): void {
    const now = this.ledger.waiters();
    const stayed = this.#line.filter((k) => now.includes(k));
    expect(now.slice(0, stayed.length)).toEqual(stayed);
    const ahead = stayed[0] === undefined ? this.#line.length : this.#line.indexOf(stayed[0]);
    for (const k of this.#promoted) expect(this.#line.indexOf(k)).toBeLessThan(ahead);
  }

  #checkNoLostSlot(): void {
    const waiting = this.ledger.waiters();
    if (waiting.length > 0) expect(this.ledger.taken).toBeGreaterThanOrEqual(this.limit);
    expect(waiting.filter((k) => this.ledger.holders().includes(k))).toEqual([]);
  }
}
