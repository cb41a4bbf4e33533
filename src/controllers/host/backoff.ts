/** How long a host waits after a failure (host-lifecycle spec §0.5). */
import type { Random } from '../../clock.js';

const capExponent = 9;

/** Tries within five minutes, in which a BMC has started again. */
const soonTries = 5;
const soonMs = 10_000;

/**
 * Milliseconds to wait for a BMC that gives no answer: from ten seconds, doubling, then the ordinary pause, as if the first
 * failures had been fewer.
 */
export function silenceMs(failures: number, random: Random): number {
  if (failures > soonTries) return backoffMs(failures - 3, random);
  const base = soonMs * 2 ** (Math.max(failures, 1) - 1);
  return base - random.next() * base * 0.5;
}

/** Milliseconds: doubles from a minute with each failure, up to about eight hours and a half, less up to half of it. */
export function backoffMs(failures: number, random: Random): number {
  const base = 2 ** Math.min(failures, capExponent) * 60_000;
  return base - random.next() * base * 0.5;
}
