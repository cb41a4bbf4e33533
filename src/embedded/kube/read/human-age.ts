import type { KubeObject } from '../object.js';

/** [below this many seconds, how it is written] */
const STEPS: [number, (seconds: number) => string][] = [
  [120, (s) => `${s}s`],
  [600, (s) => twoUnits(s, 60, 'm', 1, 's')],
  [10_800, (s) => `${Math.floor(s / 60)}m`],
  [28_800, (s) => twoUnits(s, 3600, 'h', 60, 'm')],
  [172_800, (s) => `${Math.floor(s / 3600)}h`],
  [691_200, (s) => twoUnits(s, 86_400, 'd', 3600, 'h')],
  [63_072_000, (s) => `${Math.floor(s / 86_400)}d`],
  [252_288_000, (s) => twoUnits(s, 31_536_000, 'y', 86_400, 'd')],
];

function twoUnits(seconds: number, big: number, bigUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % big) / small);
  return `${Math.floor(seconds / big)}${bigUnit}${rest === 0 ? '' : `${rest}${smallUnit}`}`;
}

/** A duration in ms as kubectl shows it: `5s`, `3m12s`, `47h`, `2y30d`. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  const step = STEPS.find(([below]) => seconds < below);
  return step ? step[1](seconds) : `${Math.floor(seconds / 31_536_000)}y`;
}

/** The age of an RFC 3339 time; `<invalid>` when it is none. */
export function ageSince(time: string, now: number): string {
  const then = Date.parse(time);
  return Number.isNaN(then) ? '<invalid>' : humanDuration(now - then);
}

export function ageOf(object: KubeObject, now: number): string {
  return object.metadata.creationTimestamp ? ageSince(object.metadata.creationTimestamp, now) : '<unknown>';
}
