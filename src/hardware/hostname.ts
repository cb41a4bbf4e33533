/** Which texts can name a BMC on the network. */

export function isIPv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

/** An IPv6 address without a zone. */
export function isIPv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.map(countGroups);
  if (groups.includes(undefined) || (halves.length === 2 && endsInIPv4(halves[0]!))) return false;
  const total = groups.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  return halves.length === 2 ? total < 8 : total === 8;
}

const endsInIPv4 = (half: string) => half.includes('.');

/** How many 16-bit groups a colon-separated run holds; undefined: it is malformed. An IPv4 tail counts for two. */
function countGroups(run: string): number | undefined {
  if (run === '') return 0;
  const parts = run.split(':');
  const tail = parts.at(-1)!;
  const dotted = tail.includes('.');
  if (dotted && !isIPv4(tail)) return undefined;
  const hex = dotted ? parts.slice(0, -1) : parts;
  if (!hex.every((part) => /^[0-9a-fA-F]{1,4}$/.test(part))) return undefined;
  return hex.length + (dotted ? 2 : 0);
}

const label = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;

export function isDNSName(text: string): boolean {
  return text.split('.').every((part) => label.test(part));
}

export function isHostname(text: string): boolean {
  return isIPv4(text) || isIPv6(text) || isDNSName(text);
}
