import type { Clock, Random } from '../../clock.js';

/**
 * Times as Ironic writes them, with microseconds. Each is later than the one before, also while the clock stands still:
 * a client that asks for "what changed since" must see every change.
 */
export class Stamps {
  private last = 0;

  constructor(private readonly clock: Clock) {}

  next(): string {
    this.last = Math.max(Math.floor(this.clock.now() * 1000), this.last + 1);
    const micros = String(this.last % 1000).padStart(3, '0');
    const millis = new Date(Math.floor(this.last / 1000)).toISOString().slice(0, -1);
    return `${millis}${micros}+00:00`;
  }

  /** Never again hands out a time at or before this one (used after a restart). */
  reserve(stamp: string | null): void {
    if (stamp === null) return;
    const [, head, micros] = /^(.*\.\d{3})(\d{3})\+00:00$/.exec(stamp) ?? [];
    if (head === undefined) return;
    this.last = Math.max(this.last, Date.parse(`${head}Z`) * 1000 + Number(micros));
  }
}

/** A version 4 UUID out of the injected randomness, so that a seed replays a run. */
export function randomUuid(random: Random): string {
  const digit = () => Math.floor(random.next() * 16).toString(16);
  const block = (length: number) => Array.from({ length }, digit).join('');
  const variant = (8 + Math.floor(random.next() * 4)).toString(16);
  return `${block(8)}-${block(4)}-4${block(3)}-${variant}${block(3)}-${block(12)}`;
}

export function isUuid(text: unknown): boolean {
  return typeof text === 'string' && /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(text);
}
