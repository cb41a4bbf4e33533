import { describe, expect, it } from '@jest/globals';
import { loginFrom, registryOf } from '../../../../src/controllers/host/pull-secret.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

function secret(entries: unknown, type = 'kubernetes.io/dockerconfigjson') {
  const isConfig = type !== 'kubernetes.io/dockercfg';
  const key = isConfig ? '.dockerconfigjson' : '.dockercfg';
  const text = typeof entries === 'string' ? entries : JSON.stringify(isConfig ? { auths: entries } : entries);
  return { metadata: { name: 'pull' }, type, data: { [key]: base64(text) } };
}

const login = (entries: unknown, url = 'oci://quay.example.com:5000/os:1', type?: string) =>
  loginFrom(secret(entries, type), url);
const mine = (entry: unknown) => ({ 'quay.example.com:5000': entry });

describe('the login for a registry', () => {
  it.each<[string, unknown, string]>([
    ['a name and a password', { username: 'u', password: 'p:q' }, 'u:p:q'],
    ['both, in one word', { auth: base64('u:p:q') }, 'u:p:q'],
    ['a token', { identitytoken: 't', username: 'u', password: 'p' }, ':t'],
  ])('is read from %s', (_what, entry, wanted) => {
    expect(login(mine(entry))).toEqual({ kind: 'good', login: wanted });
  });

  it('is read from the older form', () => {
    const answer = login(mine({ auth: base64('u:p') }), undefined, 'kubernetes.io/dockercfg');
    expect(answer).toEqual({ kind: 'good', login: 'u:p' });
  });

  it.each(['docker.io', 'index.docker.io', 'registry-1.docker.io', 'DOCKER.IO'])(
    'of %s stands under the name of Docker Hub',
    (host) => {
      const entries = { 'https://index.docker.io/v1/': { username: 'u', password: 'p' } };
      expect(login(entries, `OCI://${host}/os:1`)).toEqual({ kind: 'good', login: 'u:p' });
    },
  );

  it.each([
    'https://quay.example.com:5000',
    'http://quay.example.com:5000/v2/',
    'quay.example.com:5000/team',
    'QUAY.example.com:5000',
  ])('is found under %s too, behind the bare name', (key) => {
    const other = { username: 'u', password: 'p' };
    expect(login({ [key]: other })).toEqual({ kind: 'good', login: 'u:p' });
    expect(login({ [key]: other, ...mine({ username: 'a', password: 'b' }) })).toEqual({ kind: 'good', login: 'a:b' });
  });

  it('of Docker Hub is found under whatever it is called', () => {
    const entries = { 'docker.io': { username: 'u', password: 'p' } };
    expect(login(entries, 'oci://index.docker.io/os:1')).toEqual({ kind: 'good', login: 'u:p' });
  });

  it.each<[string, unknown]>([
    [
      'another registry in a path',
      { 'https://other.example.com/quay.example.com:5000': { username: 'u', password: 'p' } },
    ],
    ['another registry alone', { 'quay.example.com': { username: 'u', password: 'p' } }],
    ['an empty entry', mine({})],
    ['a name without a password', mine({ username: 'u' })],
    ['a word without a colon', mine({ auth: base64('up') })],
    ['a word with an empty name', mine({ auth: base64(':p') })],
    ['no object', mine('u:p')],
    ['no JSON', '{'],
    ['a list', []],
  ])('is not there in a Secret with %s', (_what, entries) => {
    expect(login(entries)).toMatchObject({ kind: 'bad', reason: 'ImageAuthParseError' });
  });

  it('is not looked for among what every object inherits', () => {
    expect(login({}, 'oci://constructor/os:1')).toMatchObject({ kind: 'bad' });
  });

  it('is not taken from a Secret of another type, and what is in it is not told', () => {
    const answer = login(mine({ username: 'u', password: 'hunter2' }), undefined, 'Opaque');
    expect(answer).toMatchObject({ kind: 'bad', reason: 'ImageAuthFormatUnsupported' });
    expect(JSON.stringify(answer)).not.toContain('hunter2');
    expect(JSON.stringify(login({ other: { password: 'hunter2' } }))).not.toContain('hunter2');
  });

  it('belongs to host and port of the URL', () => {
    expect(registryOf('oci://Quay.example.com:5000/a/b@sha256:1')).toBe('quay.example.com:5000');
    expect(registryOf('https://quay.example.com/os')).toBe('');
  });
});
