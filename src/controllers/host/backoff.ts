/** How long a host waits after a failure (host-lifecycle spec §0.5). */
import type { Random } from '../../clock.js';

const capExponent = 9;

/** Milliseconds: doubles from a minute with each failure, up to about eight hours and a half, less up to half of it. */
export function backoffMs(failures: number, random: Random): number {
  const base = 2 ** Math.min(failures, capExponent) * 60_000;
  return base - random.next() * base * 0.5;
}
