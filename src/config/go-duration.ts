/** Durations as Go writes them: `5s`, `1m30s`, `1.5h`, `-2ms`, `0`. */

const milliseconds: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const part = String.raw`(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)`;

/** Milliseconds; undefined when the text is no duration. */
export function parseGoDuration(text: string): number | undefined {
  const match = /^([+-]?)(.+)$/.exec(text);
  if (!match) return undefined;
  const [, sign, rest] = match as unknown as [string, string, string];
  if (rest === '0') return 0;
  if (!new RegExp(`^(?:${part})+$`).test(rest)) return undefined;
  let total = 0;
  for (const [, number, unit] of rest.matchAll(new RegExp(part, 'g'))) total += Number(number) * milliseconds[unit!]!;
  return sign === '-' ? -total : total;
}
