/**
 * URLs that somebody else will fetch from: an absolute URL or an absolute path, well-formed as far as clients rely on it, and a
 * scheme of a short list. Looser than the WHATWG rules: the host may be empty, the path may hold blanks.
 */
export interface RequestURL {
  /** Lower case; empty for an absolute path. */
  readonly scheme: string;
  /** With a port, without user information; may be empty. */
  readonly host: string;
  /** As written; empty when there is none. */
  readonly path: string;
}

/** The parts, or what is wrong in words that follow "is no URL:". User information is never repeated. */
export function parseRequestURL(text: string): RequestURL | { readonly problem: string } {
  if (text === '') return { problem: 'it is empty' };
  if (/[\u0000-\u001f\u007f]/.test(text)) return { problem: 'it holds a control character' };
  if (text.startsWith(':')) return { problem: 'the scheme is missing' };
  const [head = '', scheme = ''] = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text) ?? [];
  const [rest = ''] = text.slice(head.length).split('?');
  if (rest.startsWith('/')) return rooted(scheme.toLowerCase(), rest);
  // What follows is of the scheme's own making, such as a mail address.
  if (scheme !== '') return { scheme: scheme.toLowerCase(), host: '', path: '' };
  return { problem: 'it must begin with a scheme, such as https://' };
}

function rooted(scheme: string, rest: string): RequestURL | { readonly problem: string } {
  const isRemote = scheme !== '' && rest.startsWith('//');
  const [, authority = '', path = ''] = isRemote ? (/^\/\/([^/]*)(.*)$/s.exec(rest) ?? []) : [rest, '', rest];
  const problem = authorityProblem(authority) ?? escapeProblem(path);
  if (problem !== undefined) return { problem };
  return { scheme, host: authority.slice(authority.lastIndexOf('@') + 1), path };
}

function authorityProblem(authority: string): string | undefined {
  const at = authority.lastIndexOf('@');
  if (at >= 0 && !/^[A-Za-z0-9\-._~!$&'()*+,;=:%@]*$/.test(authority.slice(0, at))) {
    return 'the user information holds a character that must be escaped';
  }
  const host = authority.slice(at + 1);
  if (host.startsWith('[') && !host.includes(']')) return 'the closing bracket of the host is missing';
  if (!/^(:\d*)?$/.test(portOf(host))) return 'the port is no number';
  if (/[\s\\^`{|}#]/.test(host)) return 'the host holds a character that no host has';
  return hostEscapeProblem(host);
}

/** With its colon. */
function portOf(host: string): string {
  const end = host.startsWith('[') ? host.lastIndexOf(']') + 1 : host.lastIndexOf(':');
  return end < 0 ? '' : host.slice(end);
}

/** In a host only letters beyond ASCII are escaped, and the percent sign of a zone. */
function hostEscapeProblem(host: string): string | undefined {
  if (host.startsWith('[') && host.includes('%25')) return escapeProblem(host);
  return (
    escapeProblem(host) ?? (/%[0-7]/.test(host) ? 'the host holds an escape that is not allowed there' : undefined)
  );
}

function escapeProblem(text: string): string | undefined {
  return /%(?![0-9a-fA-F]{2})/.test(text) ? 'it holds a percent sign that begins no escape' : undefined;
}

export const fetchSchemes = ['http', 'https', 'ftp', 'gopher', 'oci'] as const;

/** Why Ironic or a BMC is not sent to this URL; undefined: it is. */
export function fetchProblem(text: string): string | undefined {
  const url = parseRequestURL(text);
  if ('problem' in url) return `is no URL: ${url.problem}`;
  if ((fetchSchemes as readonly string[]).includes(url.scheme)) return undefined;
  return `has the scheme ${JSON.stringify(url.scheme)}; use one of ${fetchSchemes.join(', ')}`;
}
