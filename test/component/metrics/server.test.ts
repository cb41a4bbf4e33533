/** The metrics as `ironchart run` is told to serve them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { parseFlags } from '../../../src/cli/flags.js';
import { metricsServer } from '../../../src/cli/metrics.js';
import { runCommand } from '../../../src/cli/run-command.js';
import { EmbeddedKubeServer } from '../../../src/embedded/kube/index.js';
import { HttpTransport, KubeApi, type KubeObject, parseKubeConfig, RateLimiter } from '../../../src/kube/index.js';
import type { Listening } from '../../../src/observability/health.js';
import { createLog } from '../../../src/observability/log.js';
import { Metrics } from '../../../src/observability/metrics.js';
import { FakeClock } from '../../support/fake-clock.js';
import { testCertificate, testKey } from '../../support/test-certificate.js';

const clock = new FakeClock();
let kube: EmbeddedKubeServer;
let transport: HttpTransport;
let token: string;
let folder: string;
let asked: string[];
/** Takes the place of an answer of the API server. */
let instead: ((kind: string) => object) | undefined;
const servers: Listening[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'metrics-'));
  kube = new EmbeddedKubeServer({ crds: [], clock });
  await kube.start();
  transport = new HttpTransport(parseKubeConfig(kube.kubeconfig(), clock), {
    ...{ clock, timeoutMs: 5_000, userAgent: 'test' },
  });
  const { users } = parse(kube.kubeconfig()) as { users: { user: { token: string } }[] };
  token = users[0]?.user.token ?? '';
  [asked, instead] = [[], undefined];
});
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  transport.close();
  await kube.stop();
  rmSync(folder, { recursive: true });
});

const metrics = () => {
  const made = new Metrics();
  made.count('metal3_host_unmanaged_total');
  return made;
};

async function served(...argv: string[]): Promise<Listening> {
  const args = parseFlags(runCommand({}), [`--metrics-cert-dir=${folder}`, '--metrics-addr=:0', ...argv]);
  const own = new KubeApi(transport, new RateLimiter(clock, 0, 0), 'test');
  const api = () => ({
    create: <T extends KubeObject>(kind: Parameters<KubeApi['create']>[0], object: KubeObject): Promise<T> => {
      asked.push(`${kind.plural} ${JSON.stringify(object.spec).replace(token, 'TOKEN')}`);
      return instead === undefined ? own.create<T>(kind, object) : Promise.resolve(instead(kind.kind) as unknown as T);
    },
  });
  const server = await metricsServer(args, { metrics: metrics(), api, clock, log: createLog('silent') });
  if (server === undefined) throw new Error('nothing is served');
  servers.push(server);
  return server;
}

type Options = Pick<https.RequestOptions, 'method' | 'path' | 'maxVersion'>;

function get(
  { port }: Listening,
  authorization?: string,
  options: Options = {},
): Promise<{ status: number; text: string }> {
  const headers = authorization === undefined ? {} : { authorization };
  return new Promise((resolve, reject) => {
    const at = {
      host: '127.0.0.1',
      port,
      path: '/metrics',
      headers,
      agent: false,
      rejectUnauthorized: false,
      ...options,
    };
    const request = https.request(at, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject).end();
  });
}

const certificateOf = ({ port }: Listening) =>
  new Promise<string>((resolve) => {
    const socket = tls.connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.toString() ?? '');
      socket.destroy();
    });
  });

describe('metrics that others can reach', () => {
  it('are shown by HTTPS to whoever has a token that may see them', async () => {
    const server = await served();
    const { status, text } = await get(server, `Bearer ${token}`);
    expect([status, text]).toEqual([200, expect.stringContaining('metal3_host_unmanaged_total 1')]);
    expect(asked).toEqual([
      'tokenreviews {"token":"TOKEN"}',
      expect.stringMatching(
        /^subjectaccessreviews {"user":"ironchart-admin".*"nonResourceAttributes":{"path":"\/metrics","verb":"get"}}$/,
      ),
    ]);
  });

  it.each<[string, string | undefined]>([
    ['no token', undefined],
    ['a wrong one', 'Bearer wrong'],
    ['no scheme', 'TOKEN'],
    ['another scheme', 'Basic TOKEN'],
    ['an empty one', 'Bearer '],
  ])('are shown to nobody with %s', async (_what, header) => {
    const { status, text } = await get(await served(), header?.replace('TOKEN', token));
    expect([status, text]).toEqual([401, 'unauthorized']);
  });

  it('are shown to nobody who may not see them', async () => {
    const user = { username: 'someone' };
    instead = (kind) => ({ status: kind === 'TokenReview' ? { authenticated: true, user } : { allowed: false } });
    expect(await get(await served(), 'Bearer theirs')).toEqual({ status: 403, text: 'forbidden' });
  });

  it('are shown to nobody while nobody can tell', async () => {
    const server = await served();
    await kube.stop();
    expect((await get(server, `Bearer ${token}`)).status).toBe(500);
    kube = new EmbeddedKubeServer({ crds: [], clock });
    await kube.start();
  });

  it('are judged by the method, and hidden like everything else there', async () => {
    const server = await served();
    expect((await get(server, undefined, { path: '/' })).status).toBe(401);
    expect((await get(server, `Bearer ${token}`, { path: '/other' })).status).toBe(404);
    expect((await get(server, `Bearer ${token}`, { method: 'DELETE' })).status).toBe(404);
    expect(asked.at(-1)).toContain('"verb":"delete"');
  });

  it('are judged once a minute for each token', async () => {
    const server = await served();
    for (let times = 0; times < 3; times += 1) await get(server, `Bearer ${token}`);
    expect(asked).toHaveLength(2);
    instead = () => ({ status: { authenticated: false } });
    expect((await get(server, `Bearer ${token}`)).status).toBe(200);
    clock.advance(60_000);
    expect((await get(server, `Bearer ${token}`)).status).toBe(401);
  });

  it('have the certificate of the files, and the next one once they are replaced', async () => {
    const server = await served();
    const made = await certificateOf(server);
    expect(made).toContain('BEGIN CERTIFICATE');
    writeFileSync(join(folder, 'tls.crt'), testCertificate);
    writeFileSync(join(folder, 'tls.key'), testKey);
    clock.advance(10_000);
    for (let tries = 0; tries < 100 && (await certificateOf(server)) === made; tries += 1);
    expect((await certificateOf(server)).trim()).toBe(testCertificate.trim());
  });

  it('have the versions of TLS that the flags say (C35)', async () => {
    const server = await served('--tls-min-version=TLS13');
    await expect(get(server, `Bearer ${token}`, { maxVersion: 'TLSv1.2' })).rejects.toThrow(/alert|protocol/i);
    expect((await get(server, `Bearer ${token}`)).status).toBe(200);
  });

  it.each<[string[], RegExp]>([
    [['--tls-min-version=TLS13', '--tls-max-version=TLS12'], /^--tls-min-version: exceeds --tls-max-version/],
    [['--tls-min-version=TLS11'], /^--tls-min-version: "TLS11"/],
    [['--tls-curve-preferences=InvalidCurve'], /^--tls-curve-preferences: "InvalidCurve" is not known/],
    [['--metrics-addr=8443'], /^--metrics-addr: "8443" is no address/],
  ])('are not served with %j', async (argv, message) => {
    await expect(served(...argv)).rejects.toThrow(message);
  });
});

describe('metrics', () => {
  it.each([
    ['127.0.0.1:0', 'auto', 'http'],
    ['[::1]:0', 'auto', 'http'],
    ['localhost:0', 'auto', 'http'],
    [':0', 'auto', 'https'],
    ['0.0.0.0:0', 'auto', 'https'],
    [':0', 'false', 'http'],
    ['127.0.0.1:0', 'true', 'https'],
  ])('on %s with --metrics-secure=%s are served by %s', async (address, word, scheme) => {
    const { port } = await served(`--metrics-addr=${address}`, `--metrics-secure=${word}`);
    const host = address.startsWith('[') ? '[::1]' : '127.0.0.1';
    const plain = await fetch(`http://${host}:${port}/metrics`).then(
      ({ status }) => status,
      () => 0,
    );
    expect(plain === 200).toBe(scheme === 'http');
  });

  it('are not served at the address 0', async () => {
    const args = parseFlags(runCommand({}), ['--metrics-addr=0']);
    const parts = {
      metrics: metrics(),
      api: () => Promise.reject(new Error('unused')),
      clock,
      log: createLog('silent'),
    };
    expect(await metricsServer(args, parts as never)).toBeUndefined();
  });
});
