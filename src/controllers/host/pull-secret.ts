/**
 * The login for an OCI registry out of a pull Secret (host-lifecycle spec §8.3). Pure: it is given the Secret and names what is
 * wrong with it; what is in it reaches no message.
 */
import { type SecretObject, secretValue } from '../../kube/index.js';

/** Reasons of the Warning events, as clients know them. */
export type PullSecretFault = 'ImageAuthFormatUnsupported' | 'ImageAuthParseError';

export type PullSecretAnswer =
  | { readonly kind: 'good'; readonly login: string }
  | { readonly kind: 'bad'; readonly reason: PullSecretFault; readonly message: string };

const types: ReadonlySet<string> = new Set(['kubernetes.io/dockerconfigjson', 'kubernetes.io/dockercfg']);

/** Docker Hub is kept under one name, whatever it is called by. */
const hubNames: ReadonlySet<string> = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io']);
const hubKey = 'https://index.docker.io/v1/';

/** The registry's host and port; "" when the URL names none. */
export function registryOf(imageUrl: string): string {
  const [, host = ''] = /^oci:\/\/([^/]+)/i.exec(imageUrl) ?? [];
  return host.toLowerCase();
}

/** The login is `user:password`, with an empty user for a token. */
export function loginFrom(secret: SecretObject, imageUrl: string): PullSecretAnswer {
  const { name } = secret.metadata;
  if (!types.has(secret.type ?? '')) {
    const wanted = [...types].join(' or ');
    return bad('ImageAuthFormatUnsupported', `the Secret ${name} is of type ${secret.type ?? 'none'}: use ${wanted}`);
  }
  const registry = registryOf(imageUrl);
  const entries = entriesOf(secret);
  if (entries === undefined) {
    return bad('ImageAuthParseError', `the Secret ${name} holds no docker configuration: make it anew`);
  }
  const login = loginOf(entryOf(entries, registry));
  if (login !== undefined) return { kind: 'good', login };
  return bad('ImageAuthParseError', `the Secret ${name} has no usable login for ${registry}: add one`);
}

function bad(reason: PullSecretFault, message: string): PullSecretAnswer {
  return { kind: 'bad', reason, message };
}

type Entries = Readonly<Record<string, unknown>>;

function entriesOf(secret: SecretObject): Entries | undefined {
  const config = secretValue(secret, '.dockerconfigjson');
  if (config !== undefined) return asObject(asObject(parsed(config))?.auths);
  return asObject(parsed(secretValue(secret, '.dockercfg') ?? ''));
}

/** Tools write a registry down with its protocol too, or with a path behind it; who gives the bare name means this one. */
function entryOf(entries: Entries, registry: string): unknown {
  const isHub = hubNames.has(registry);
  const exact = entries[isHub ? hubKey : registry];
  if (exact !== undefined) return exact;
  const key = Object.keys(entries).find((each) => {
    const host = hostIn(each);
    return host === registry || (isHub && hubNames.has(host));
  });
  return key === undefined ? undefined : entries[key];
}

function hostIn(key: string): string {
  return key
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/s, '')
    .toLowerCase();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Without inherited keys: a registry may be called anything. */
function asObject(value: unknown): Entries | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.assign(Object.create(null) as Record<string, unknown>, value);
}

function loginOf(value: unknown): string | undefined {
  const { identitytoken, username, password, auth } = asObject(value) ?? {};
  if (isText(identitytoken)) return `:${identitytoken}`;
  if (isText(username) && isText(password)) return `${username}:${password}`;
  const decoded = isText(auth) ? Buffer.from(auth, 'base64').toString('utf8') : '';
  const colon = decoded.indexOf(':');
  return colon > 0 && colon < decoded.length - 1 ? decoded : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
