import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import { SwitchReconciler } from '../../../src/controllers/bare-metal-switch/index.js';
import { type KubeObject, parseKey, secretKind, type SecretObject, SecretStore } from '../../../src/kube/index.js';
import { conditionIn, ObjectBench, verdictOf } from '../../support/object-bench.js';

const { bareMetalSwitch: kind } = kinds;
const targets = {
  configsSecret: 'switch-configs',
  credentialsSecret: 'switch-credentials',
  credentialsPath: '/etc/ironic/switch-credentials',
};
const done = { kind: 'done' };
const inTenSeconds = { kind: 'after', ms: 10_000 };
const password = 'hunter2-of-the-switch';

let bench: ObjectBench;
let reconciler: SwitchReconciler;

function restart(): void {
  const { api, clock, log, events } = bench;
  const secrets = new SecretStore(api);
  reconciler = new SwitchReconciler({ ...{ api, targets, events, clock, log, secrets }, switches: bench.store(kind) });
}

beforeEach(async () => {
  bench = await ObjectBench.start();
  restart();
  for (const name of [targets.configsSecret, targets.credentialsSecret]) await bench.secret(name, {});
});
afterEach(() => bench.stop());

const mac = (number: number) => `aa:bb:cc:dd:ee:0${number}`;
async function add(name: string, number: number, spec: object = {}, namespace = 'default'): Promise<KubeObject> {
  const base = { address: `192.0.2.${number}`, macAddress: mac(number), deviceType: 'netmiko_cisco_ios' };
  return bench.put(kind, `${namespace}/${name}`, {
    spec: { ...base, credentials: { name: `${name}-login` }, ...spec },
  });
}
const login = (name: string, values: Record<string, string> = { username: 'admin', password }) =>
  bench.secret(`${name}-login`, values);
const remove = async (name: string) => bench.remove(kind, `default/${name}`);
const now = (name: string) => bench.get(kind, `default/${name}`);
const verdict = async (name: string) => verdictOf(await now(name), 'Valid');
const messageOf = async (name: string) => conditionIn(await now(name), 'Valid')?.message ?? '';
const secret = (name: string, namespace = 'default') =>
  bench.person.get<SecretObject>(secretKind, parseKey(`${namespace}/${name}`));
const clear = (text = '') => Buffer.from(text, 'base64').toString('utf8');
const config = async (namespace?: string) =>
  clear((await secret(targets.configsSecret, namespace))?.data?.['switch-configs.conf']);
const sections = async (namespace?: string) =>
  [...(await config(namespace)).matchAll(/^\[switch:(.*)\]$/gm)].map(([, name]) => name);
const keys = async () => Object.keys((await secret(targets.credentialsSecret))?.data ?? {});
const pass = (namespace = 'default') => bench.pass(reconciler, namespace);

describe('a switch', () => {
  it('is told to Ironic, comes to own its Secret, and says so', async () => {
    const { metadata } = await add('one', 1);
    await login('one');
    expect(await pass()).toEqual(done);
    expect(await config()).toContain(
      `[switch:one]\naddress=192.0.2.1\nmac_address=${mac(1)}\ndriver_type=generic-switch\n`,
    );
    expect(await config()).toContain(`username=admin\npassword=${password}\n`);
    expect(conditionIn(await now('one'), 'Valid')).toMatchObject({
      ...{ status: 'True', reason: 'Reconciled', observedGeneration: metadata.generation },
    });
    const label = { 'environment.metal3.io': 'baremetal' };
    expect((await secret('one-login'))?.metadata).toMatchObject({
      labels: label,
      ownerReferences: [{ apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalSwitch', name: 'one', uid: metadata.uid }],
    });
    for (const name of [targets.configsSecret, targets.credentialsSecret]) {
      const { metadata: found } = (await secret(name))!;
      expect([found.labels, found.ownerReferences]).toEqual([label, undefined]);
    }
    await pass();
    expect(bench.writes).toEqual([]);
  });

  it('without a usable Secret is left out, and the others are told (C29)', async () => {
    await add('bad', 1);
    await add('good', 2);
    await login('bad', { password });
    await login('good');
    expect(await pass()).toEqual(done);
    expect(await sections()).toEqual(['good']);
    expect([await verdict('bad'), await verdict('good')]).toEqual(['False CredentialError', 'True Reconciled']);
    expect(await bench.told()).toEqual([
      {
        name: 'bad',
        reason: 'CredentialError',
        message: expect.stringMatching(/bad-login: username is missing: set it/),
      },
    ]);
    await pass();
    expect(await bench.told()).toEqual([]);
  });

  it('with a key has a file of it beside (C30)', async () => {
    await add('keyed', 1, { macAddress: 'aa:bb:cc:dd:ee:ff' });
    await login('keyed', { username: 'admin', 'ssh-privatekey': 'KEY\n', password: 'unused' });
    await pass();
    expect(await config()).toContain('key_file=/etc/ironic/switch-credentials/aa-bb-cc-dd-ee-ff.key\n');
    expect(await config()).not.toContain('password=');
    expect(clear((await secret(targets.credentialsSecret))?.data?.['aa-bb-cc-dd-ee-ff.key'])).toBe('KEY\n');
  });

  it.each<[string, object, RegExp]>([
    ['no credentials', { credentials: null }, /^CredentialError spec\.credentials\.name: is not set: name/],
    [
      'a Secret of another namespace',
      { credentials: { name: 'x', namespace: 'other' } },
      /^CredentialError .*own namespace/,
    ],
    ['the Secret of Ironic', { credentials: { name: 'switch-configs' } }, /^CredentialError .*name another Secret/],
    ['an address of two lines', { address: '1\n[DEFAULT]' }, /^ConfigurationError spec\.address: holds a line break/],
    ['no address', { address: '' }, /^ConfigurationError spec\.address: is empty/],
    ['a type of two lines', { deviceType: 'a\rpassword=b' }, /^ConfigurationError spec\.deviceType: holds a line/],
    ['the MAC address of another', { macAddress: mac(2).toUpperCase() }, /^ConfigurationError .*of the switch good/],
  ])('with %s is left out alone, and says why', async (_what, spec, message) => {
    await add('good', 2);
    await bench.passSecond();
    await add('a-bad-one', 1, spec);
    await login('good');
    await login('a-bad-one');
    expect(await pass()).toEqual(done);
    expect(await sections()).toEqual(['good']);
    const { reason = '', message: said = '' } = conditionIn(await now('a-bad-one'), 'Valid') ?? {};
    expect(`${reason} ${said}`).toMatch(message);
    expect(await verdict('good')).toBe('True Reconciled');
    expect((await secret('switch-configs'))?.metadata.ownerReferences).toBeUndefined();
  });

  it('whose Secret would break the file is left out, and nothing of the Secret is told', async () => {
    await add('sly', 1);
    await add('good', 2);
    await login('sly', { username: `x\n[switch:good]\naddress=evil`, password });
    await login('good');
    await pass();
    expect(await config()).not.toContain('evil');
    expect(await verdict('sly')).toBe('False CredentialError');
    const said = JSON.stringify([await now('sly'), await now('good'), await bench.told(), bench.logged]);
    for (const word of ['evil', password]) expect(said).not.toContain(word);
  });

  it('whose Secret is missing is looked for every ten seconds, and told once it comes', async () => {
    await add('one', 1);
    expect(await pass()).toEqual(inTenSeconds);
    expect(await verdict('one')).toBe('False CredentialError');
    expect(await messageOf('one')).toContain('the Secret one-login of spec.credentials does not exist: create it');
    expect(await pass()).toEqual(inTenSeconds);
    expect(await bench.told()).toHaveLength(1);
    await login('one');
    expect(await pass()).toEqual(done);
    expect([await verdict('one'), await sections()]).toEqual(['True Reconciled', ['one']]);
  });
});

describe('what Ironic is told', () => {
  it('follows a MAC address that changes, and credentials that do', async () => {
    await add('one', 1);
    await login('one', { username: 'u', 'ssh-privatekey': 'A' });
    await pass();
    expect(await keys()).toEqual(['aa-bb-cc-dd-ee-01.key']);
    await add('one', 1, { macAddress: mac(9) });
    await pass();
    expect(await keys()).toEqual(['aa-bb-cc-dd-ee-09.key']);
    expect(await config()).toContain('/aa-bb-cc-dd-ee-09.key\n');
    await login('one', { username: 'u', 'ssh-privatekey': 'B' });
    await pass();
    expect(bench.writes).toEqual(['patch secrets']);
    expect(clear((await secret(targets.credentialsSecret))?.data?.['aa-bb-cc-dd-ee-09.key'])).toBe('B');
  });

  it('is nothing once the last switch is gone', async () => {
    await add('one', 1);
    await login('one', { username: 'u', 'ssh-privatekey': 'A' });
    await pass();
    await remove('one');
    expect(await pass()).toEqual(done);
    expect([await sections(), await keys()]).toEqual([[], []]);
    expect(await config()).toBe('# This file is managed by the Baremetal Operator\n\n');
  });

  it('is that of its own namespace', async () => {
    await bench.namespace('other');
    const stringData = { username: 'other', password };
    for (const [name, values] of [
      ...Object.entries({ 'switch-configs': {}, 'switch-credentials': {}, 'two-login': stringData }),
    ]) {
      const metadata = { namespace: 'other', name };
      await bench.person.create(secretKind, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: values });
    }
    await add('one', 1);
    await login('one');
    await add('two', 1, {}, 'other');
    await pass();
    await pass('other');
    expect([await sections(), await sections('other')]).toEqual([['one'], ['two']]);
    expect(await config('other')).toContain('username=other');
  });

  it.each([
    [422, 'at most 1 MiB'],
    [403, 'its role wants patch'],
  ])('says so where the API server refuses what is to be told (%d)', async (status, words) => {
    await add('one', 1);
    await login('one');
    let isRefusing = true;
    bench.fault = ({ verb, resource, name }) =>
      isRefusing && verb === 'patch' && resource === 'secrets' && name === targets.configsSecret
        ? { status }
        : undefined;
    expect(await pass()).toEqual({ kind: 'after', ms: 10_000 });
    expect(await verdict('one')).toBe('False TargetSecretRefused');
    expect(conditionIn(await now('one'), 'Valid')?.message).toContain(words);
    isRefusing = false;
    expect(await pass()).toEqual(done);
    expect(await verdict('one')).toBe('True Reconciled');
  });

  it('that is told to Ironic already is not thrown out by another one of the same second', async () => {
    await add('zz', 1);
    await login('zz');
    await pass();
    await add('aa', 1);
    await login('aa');
    expect(await pass()).toEqual(done);
    expect(await sections()).toEqual(['zz']);
    expect(await verdict('zz')).toBe('True Reconciled');
    expect(await verdict('aa')).toBe('False ConfigurationError');
  });

  it('waits for the Secrets that Ironic mounts, which are never made', async () => {
    await bench.remove(secretKind, `default/${targets.credentialsSecret}`);
    await add('one', 1);
    await login('one');
    expect(await pass()).toEqual(inTenSeconds);
    expect(await verdict('one')).toBe('False TargetSecretMissing');
    expect(await messageOf('one')).toMatch(/the Secret switch-credentials, .*create it empty \(kubectl create secret/);
    expect(await config()).toBe('');
    expect((await bench.told()).map(({ reason }) => reason)).toEqual(['TargetSecretMissing']);
    await bench.secret(targets.credentialsSecret, {});
    expect(await pass()).toEqual(done);
    expect([await verdict('one'), await sections()]).toEqual(['True Reconciled', ['one']]);
  });

  it('says that a Secret cannot be written', async () => {
    await bench.person.patch(secretKind, parseKey('default/switch-configs'), { immutable: true });
    await add('one', 1);
    await login('one');
    expect(await pass()).toEqual(done);
    expect(await messageOf('one')).toMatch(/switch-configs, .*is immutable: create it anew/);
  });

  it('is decided anew where somebody else was sooner, and keeps what else is in the Secret', async () => {
    await bench.secret(targets.configsSecret, { 'mine.conf': 'x' });
    await add('one', 1);
    await login('one');
    let conflicts = 1;
    bench.fault = ({ verb, resource, name }) =>
      verb === 'patch' && resource === 'secrets' && name === targets.configsSecret && conflicts-- > 0
        ? { status: 409 }
        : undefined;
    expect(await pass()).toMatchObject({ kind: 'backoff' });
    expect(await verdict('one')).toBe(' ');
    expect(await pass()).toEqual(done);
    expect(Object.keys((await secret(targets.configsSecret))?.data ?? {})).toEqual([
      'mine.conf',
      'switch-configs.conf',
    ]);
    expect(await verdict('one')).toBe('True Reconciled');
  });

  it('is made whole by the next operator, if one dies between the two Secrets', async () => {
    await add('one', 1);
    await login('one', { username: 'u', 'ssh-privatekey': 'A' });
    bench.fault = ({ verb, name }) =>
      verb === 'patch' && name === targets.configsSecret ? { status: 503 } : undefined;
    await pass();
    expect([await keys(), await sections()]).toEqual([['aa-bb-cc-dd-ee-01.key'], []]);
    bench.fault = undefined;
    restart();
    expect(await pass()).toEqual(done);
    expect([await sections(), await verdict('one')]).toEqual([['one'], 'True Reconciled']);
  });
});
