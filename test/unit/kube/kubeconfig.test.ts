/** Where the cluster is and as whom to ask, from files on the disk. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loadKubeConfig, parseKubeConfig } from '../../../src/kube/index.js';
import { FakeClock } from '../../support/fake-clock.js';

let folder: string;
let clock: FakeClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'));
  clock = new FakeClock();
});
afterEach(() => rmSync(folder, { recursive: true }));

const base64 = (text: string) => Buffer.from(text).toString('base64');

function kubeconfig(cluster: object, user: object): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'here',
    contexts: [
      { name: 'there', context: { cluster: 'other', user: 'other' } },
      { name: 'here', context: { cluster: 'mine', user: 'me' } },
    ],
    clusters: [
      { name: 'other', cluster: { server: 'https://other.example.com' } },
      { name: 'mine', cluster: { server: 'https://mine.example.com:6443/base', ...cluster } },
    ],
    users: [
      { name: 'other', user: { token: 'not mine' } },
      { name: 'me', user },
    ],
  });
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe('a kubeconfig with a plain account', () => {
  it('gives the address of the current context, and its token', async () => {
    const access = parseKubeConfig(kubeconfig({}, { token: 'abc' }), clock);
    expect(access.server.href).toBe('https://mine.example.com:6443/base');
    expect(await access.requestOptions()).toEqual({ headers: { authorization: 'Bearer abc' } });
  });

  it('gives certificates from data, and from files beside it', async () => {
    file('ca.crt', 'the authority');
    file('pki/me.key', 'the key');
    const path = file(
      'config',
      kubeconfig(
        { 'certificate-authority': 'ca.crt', 'tls-server-name': 'kube.example.com' },
        { 'client-certificate-data': base64('the certificate'), 'client-key': 'pki/me.key' },
      ),
    );
    const access = await loadKubeConfig(path, {}, clock);
    expect(await access.requestOptions()).toEqual({
      ca: 'the authority',
      cert: 'the certificate',
      key: 'the key',
      servername: 'kube.example.com',
      headers: {},
    });
  });

  it('takes what is said twice from the data', async () => {
    const access = parseKubeConfig(
      kubeconfig({ 'certificate-authority': 'no such file', 'certificate-authority-data': base64('data') }, {}),
      clock,
    );
    expect(await access.requestOptions()).toEqual({ ca: 'data', headers: {} });
  });

  it('goes without a certificate only where it says so, and logs in by name', async () => {
    const access = parseKubeConfig(
      kubeconfig({ 'insecure-skip-tls-verify': true }, { username: 'me', password: 'pw' }),
      clock,
    );
    expect(await access.requestOptions()).toEqual({ rejectUnauthorized: false, headers: {}, auth: 'me:pw' });
  });

  it('reads the file of a token again after a minute', async () => {
    const token = file('token', 'first\n');
    const access = parseKubeConfig(kubeconfig({}, { tokenFile: token }), clock);
    const bearer = async () => (await access.requestOptions()).headers;
    expect(await bearer()).toEqual({ authorization: 'Bearer first' });
    file('token', 'second');
    expect(await bearer()).toEqual({ authorization: 'Bearer first' });
    clock.advance(60_000);
    expect(await bearer()).toEqual({ authorization: 'Bearer second' });
  });

  it.each([
    ['nothing', ''],
    ['no current context', 'apiVersion: v1\nkind: Config\n'],
    ['an unknown cluster', JSON.stringify({ 'current-context': 'a', contexts: [{ name: 'a', context: {} }] })],
  ])('that holds %s is refused', (_what, text) => {
    expect(() => parseKubeConfig(text, clock)).toThrow('the kubeconfig names no current cluster');
  });

  it('that is no YAML is refused with the line, and not quoted', () => {
    expect(() => parseKubeConfig('users:\n- token: [hunter2', clock)).toThrow(
      /^the kubeconfig is no valid YAML in line 2$/,
    );
  });

  it('names the file that cannot be read', async () => {
    const path = file('config', kubeconfig({ 'certificate-authority': 'gone.crt' }, {}));
    await expect(loadKubeConfig(path, {}, clock)).rejects.toThrow(/gone\.crt/);
  });
});

describe('a kubeconfig that takes the client library', () => {
  it('runs the command that logs in', async () => {
    const credential = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: 'from a command' },
    });
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'echo', args: [credential] };
    const path = file('config', kubeconfig({}, { exec }));
    const access = await loadKubeConfig(path, {}, clock);
    expect(access.server.href).toBe('https://mine.example.com:6443/base');
    expect((await access.requestOptions()).headers).toEqual({ Authorization: 'Bearer from a command' });
    expect(() => parseKubeConfig(kubeconfig({}, { exec }), clock)).toThrow(/not a plain one/);
  });

  it('goes through a proxy', async () => {
    const path = file('config', kubeconfig({ 'proxy-url': 'http://proxy.example.com:3128' }, { token: 'abc' }));
    const access = await loadKubeConfig(path, {}, clock);
    const options = await access.requestOptions();
    expect(access.agent?.(options)?.constructor.name).toBe('HttpsProxyAgent');
  });
});

describe('without a file on the command line', () => {
  const of = (environment: Record<string, string>) => loadKubeConfig(undefined, environment, clock);

  it('the variable KUBECONFIG counts before the home folder', async () => {
    const named = file('named', kubeconfig({ server: 'https://named.example.com' }, {}));
    file('.kube/config', kubeconfig({ server: 'https://home.example.com' }, {}));
    expect((await of({ KUBECONFIG: named, HOME: folder })).server.host).toBe('named.example.com');
    expect((await of({ HOME: folder })).server.host).toBe('home.example.com');
  });
});
