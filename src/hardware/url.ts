/**
 * A URL parser with the rules that BMC addresses are written for: paths are not normalised, an address without `//` is opaque,
 * a colon in the first segment of a path without scheme is refused. The WHATWG rules differ in each of these.
 */
export interface ParsedURL {
  /** Lower case; "" when there is none. */
  readonly scheme: string;
  /** `host[:port]`, brackets of an IPv6 address kept, user info dropped. */
  readonly host: string;
  /** Percent-decoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** What follows `scheme:` when no slash does; "" otherwise. */
  readonly opaque: string;
}

/** Why a text is no URL; the caller makes its own error of it. */
export class URLSyntaxError extends Error {}

export function parseURL(raw: string): ParsedURL {
  if (/[\u0000-\u001f\u007f]/.test(raw)) throw new URLSyntaxError('invalid control character in URL');
  const { scheme, rest: afterScheme } = splitScheme(cut(raw, '#')[0]);
  const [rest, query] = cut(afterScheme, '?');
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { scheme, host: '', path: '', query, opaque: rest };
    if (cut(rest, '/')[0].includes(':')) throw new URLSyntaxError('first path segment in URL cannot contain colon');
  }
  if (!hasAuthority(scheme, rest)) return { scheme, host: '', path: unescape(rest), query, opaque: '' };
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  const path = slash < 0 ? '' : rest.slice(slash);
  return { scheme, host: hostOf(authority), path: unescape(path), query, opaque: '' };
}

function hasAuthority(scheme: string, rest: string): boolean {
  return rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
}

function cut(value: string, separator: string): [string, string] {
  const at = value.indexOf(separator);
  return at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)];
}

function splitScheme(raw: string): { scheme: string; rest: string } {
  if (raw.startsWith(':')) throw new URLSyntaxError('missing protocol scheme');
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(raw);
  return match ? { scheme: match[1]!.toLowerCase(), rest: raw.slice(match[0].length) } : { scheme: '', rest: raw };
}

function hostOf(authority: string): string {
  const at = authority.lastIndexOf('@');
  if (at >= 0) checkUserInfo(authority.slice(0, at));
  const host = authority.slice(at + 1);
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    if (end < 0) throw new URLSyntaxError("missing ']' in host");
    checkPort(host.slice(end + 1));
  } else if (host.includes(':')) {
    checkPort(host.slice(host.lastIndexOf(':')));
  }
  return unescape(host);
}

function checkPort(colonPort: string): void {
  if (!/^(:[0-9]*)?$/.test(colonPort)) throw new URLSyntaxError(`invalid port ${JSON.stringify(colonPort)} after host`);
}

/** The text is never repeated in the error: it may hold a password. */
function checkUserInfo(text: string): void {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(text)) throw new URLSyntaxError('invalid user information');
}

function unescape(text: string): string {
  const bad = /%(?![0-9a-fA-F]{2}).{0,2}/s.exec(text);
  if (bad) throw new URLSyntaxError(`invalid URL escape ${JSON.stringify(bad[0])}`);
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (run) =>
    new TextDecoder().decode(Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16))),
  );
}

/** `host:port` taken apart; the port is digits only, or absent. */
export function splitHost(host: string): { hostname: string; port: string } {
  const match = /:([0-9]*)$/.exec(host);
  // A bare IPv6 address cannot stand here: it is always in brackets.
  const bare = match ? host.slice(0, match.index) : host;
  const hostname = bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : bare;
  return { hostname, port: match?.[1] ?? '' };
}

/** Whether the text has the form `host:port`, with an IPv6 host in brackets and a port that may be empty. */
export function isHostPort(text: string): boolean {
  return /^(\[[^[\]]*\]|[^[\]:]*):[^[\]:/]*$/.test(text);
}

/** One parameter of a query; undefined when absent, or when the query as a whole is malformed. */
export function queryParameter(query: string, name: string): string | undefined {
  let found: string | undefined;
  for (const pair of query.split('&')) {
    if (pair.includes(';')) return undefined;
    const [key, value] = cut(pair, '=').map((part) => tryUnescape(part.replaceAll('+', ' ')));
    if (key === undefined || value === undefined) return undefined;
    if (key === name) found ??= value;
  }
  return found;
}

function tryUnescape(text: string): string | undefined {
  try {
    return unescape(text);
  } catch {
    return undefined;
  }
}
