/** Where the cluster is, and as whom to ask: a file, `KUBECONFIG`, the home folder, or the pod's own account. */
import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { delimiter, dirname, join, resolve } from 'node:path';
import { parse, YAMLParseError } from 'yaml';
import type { Clock } from '../clock.js';
import { type ClusterAccess, PlainAccess, type PlainAccount, type Source } from './cluster-access.js';
import { loadWithLibrary, noCluster } from './library-access.js';

type Clocked = Pick<Clock, 'monotonic'>;
type Fields = Readonly<Record<string, unknown>>;

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';

/** What a plain account may hold; with anything else in it, it is the library's. */
const plainCluster = [
  'server',
  'certificate-authority',
  'certificate-authority-data',
  'insecure-skip-tls-verify',
  'tls-server-name',
  'disable-compression',
  'extensions',
];
const plainUser = [
  'client-certificate',
  'client-certificate-data',
  'client-key',
  'client-key-data',
  'token',
  'tokenFile',
  'username',
  'password',
  'extensions',
];

/** @throws when it cannot be read, or names no current cluster */
export async function loadKubeConfig(
  file: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  clock: Clocked,
): Promise<ClusterAccess> {
  const path = file ?? defaultFile(environment);
  if (path === undefined) return podAccess(environment, clock) ?? loadWithLibrary(undefined);
  // Several files are merged by the library.
  if (file === undefined && path.includes(delimiter)) return loadWithLibrary(undefined);
  const account = plainAccount(readFileSync(path, 'utf8'), dirname(path));
  return account === undefined ? loadWithLibrary(path) : new PlainAccess(account, clock);
}

/** A kubeconfig with a plain account, from its text. @throws when it is not that */
export function parseKubeConfig(text: string, clock: Clocked): ClusterAccess {
  const account = plainAccount(text, '.');
  if (account === undefined) throw new Error('the kubeconfig has an account that is not a plain one');
  return new PlainAccess(account, clock);
}

function defaultFile(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = (environment.KUBECONFIG ?? '').split(delimiter).filter(Boolean);
  if (named.length > 0) return named.join(delimiter);
  const home = environment.HOME ?? environment.USERPROFILE;
  if (home === undefined || home === '') return undefined;
  const path = join(home, '.kube', 'config');
  return existsSync(path) ? path : undefined;
}

/** undefined: this is no pod. */
function podAccess(
  environment: Readonly<Record<string, string | undefined>>,
  clock: Clocked,
): ClusterAccess | undefined {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  const token = join(accountFolder, 'token');
  if (host === '' || !existsSync(token)) return undefined;
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  return new PlainAccess({ server, ca: { file: join(accountFolder, 'ca.crt') }, token: { file: token } }, clock);
}

/** undefined: it takes the library. @throws when it makes no sense */
function plainAccount(text: string, folder: string): PlainAccount | undefined {
  const config = fieldsOf(read(text));
  const context = named(config.contexts, config['current-context'], 'context');
  const cluster = context && named(config.clusters, context.cluster, 'cluster');
  if (cluster === undefined || typeof cluster.server !== 'string') throw noCluster();
  const user = named(config.users, context?.user, 'user') ?? {};
  if (!hasOnly(cluster, plainCluster) || !hasOnly(user, plainUser)) return undefined;
  const source = (fields: Fields, name: string) => sourceOf(fields, name, folder);
  const token = textOf(user.token);
  return {
    server: cluster.server,
    ca: source(cluster, 'certificate-authority'),
    insecure: cluster['insecure-skip-tls-verify'] === true,
    serverName: textOf(cluster['tls-server-name']),
    certificate: source(user, 'client-certificate'),
    key: source(user, 'client-key'),
    token: token === undefined ? fileOf(user.tokenFile, folder) : { text: token },
    basic: basicOf(user),
  };
}

/** The parser's own message would quote the text, which holds secrets. */
function read(text: string): unknown {
  try {
    return parse(text, { prettyErrors: false });
  } catch (error) {
    const line = error instanceof YAMLParseError ? ` in line ${text.slice(0, error.pos[0]).split('\n').length}` : '';
    throw new Error(`the kubeconfig is no valid YAML${line}`);
  }
}

function basicOf(user: Fields): PlainAccount['basic'] {
  const username = textOf(user.username);
  return username === undefined ? undefined : { username, password: textOf(user.password) ?? '' };
}

/** `NAME-data` in base64, or the file that `NAME` names. */
function sourceOf(fields: Fields, name: string, folder: string): Source | undefined {
  const data = textOf(fields[`${name}-data`]);
  return data === undefined ? fileOf(fields[name], folder) : { text: Buffer.from(data, 'base64').toString('utf8') };
}

function fileOf(value: unknown, folder: string): Source | undefined {
  const file = textOf(value);
  return file === undefined ? undefined : { file: resolve(folder, file) };
}

function named(list: unknown, name: unknown, kind: string): Fields | undefined {
  if (!Array.isArray(list)) return undefined;
  const found = list.map(fieldsOf).find((entry) => entry.name === name);
  return found && fieldsOf(found[kind]);
}

function hasOnly(fields: Fields, known: readonly string[]): boolean {
  return Object.entries(fields).every(([key, value]) => value === null || known.includes(key));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
