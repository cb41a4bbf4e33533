/** The words of an Ironic error answer, fit for a status: bounded, and without any secret of the request. */

/** Longest text taken over from an answer, in characters. */
export const maxFaultText = 1000;

const secretKey = /password|secret|token|configdrive|user_data|network_data|headers/i;

/** Every string below a key that names a secret. */
export function secretsOf(body: unknown, inSecret = false): string[] {
  if (typeof body === 'string') return inSecret && body !== '' ? [body] : [];
  if (typeof body !== 'object' || body === null) return [];
  if (isSecretPatch(body) || isSecretSetting(body)) return secretsOf(body.value, true);
  return Object.entries(body).flatMap(([key, value]) => secretsOf(value, inSecret || secretKey.test(key)));
}

function isSecretPatch(body: object): body is { path: string; value: unknown } {
  return 'path' in body && 'value' in body && typeof body.path === 'string' && secretKey.test(body.path);
}

/** A firmware setting, such as `{ name: 'AdminPassword', value: … }`. */
function isSecretSetting(body: object): body is { name: string; value: unknown } {
  return 'name' in body && 'value' in body && typeof body.name === 'string' && secretKey.test(body.name);
}

/** @param secrets longest first or not: each is replaced, also where it is escaped as JSON once or twice. */
export function faultText(body: string, secrets: readonly string[]): string {
  const bounded = redact(innermost(body), secrets).trim();
  return bounded.length > maxFaultText ? `${bounded.slice(0, maxFaultText)}…` : bounded;
}

function redact(text: string, secrets: readonly string[]): string {
  const spellings = secrets.flatMap((secret) => {
    const once = escaped(secret);
    return [secret, once, escaped(once)];
  });
  let clean = text;
  for (const spelling of [...new Set(spellings)].sort((a, b) => b.length - a.length)) {
    clean = clean.replaceAll(spelling, '***');
  }
  return clean.replace(/((?:password|secret|token)\w*\\*["']\s*:\s*\\*["'])(?:(?!\\*["']).)*/gi, '$1***');
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1);

/** Ironic wraps its message: `{"error_message": "{\"faultstring\": …}"}`, or an object inside, or `title` and `description`. */
function innermost(body: string): string {
  const outer = objectIn(body);
  if (!outer) return body;
  const wrapped = outer.error_message ?? outer.error ?? outer;
  const inner = typeof wrapped === 'string' ? (objectIn(wrapped) ?? { message: wrapped }) : asObject(wrapped);
  const words = ['faultstring', 'description', 'message', 'title'].map((key) => inner?.[key]);
  return (words.find((word) => typeof word === 'string' && word !== '') as string | undefined) ?? body;
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}
