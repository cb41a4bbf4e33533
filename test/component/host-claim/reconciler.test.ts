import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { namespaceKind } from '../../../src/controllers/host-claim/index.js';
import { parseKey } from '../../../src/kube/index.js';
import { bareMetalHost, ClaimDesk, ClaimWorker, hostClaim, seeded } from '../../support/claim-bench.js';
import { conditionIn, ObjectBench, verdictOf } from '../../support/object-bench.js';

const key = 'tenant/web';
const finalizer = 'metal3.io/hostclaim';
const ref = { apiVersion: 'metal3.io/v1alpha1', kind: 'HostClaim', namespace: 'tenant', name: 'web' };

let bench: ObjectBench;
let desk: ClaimDesk;
let worker: ClaimWorker;

beforeEach(async () => {
  bench = await ObjectBench.start();
  desk = new ClaimDesk(bench);
  worker = new ClaimWorker(bench, seeded(1));
  for (const name of ['tenant', 'other', 'hosts', 'lab']) await desk.namespace(name);
});
afterEach(() => bench.stop());

const pass = (name = key) => bench.pass(worker.reconciler, name);
const now = (name = key) => desk.get(name);
const verdict = async (name = key) => verdictOf(await now(name), 'Associated');
const message = async (name = key) => conditionIn(await now(name), 'Associated')?.message ?? '';
const open = (rules?: object) => desk.policy('hosts/open', rules);
const put = (host: string, change: object) => bench.person.patch(bareMetalHost, parseKey(host), change);
const told = async (namespace = 'tenant') => {
  const { items } = await bench.person.list(
    { group: '', version: 'v1', kind: 'Event', plural: 'events' },
    { namespace },
  );
  const inOrder = items.sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));
  return inOrder.map(({ reason }) => reason);
};

describe('a claim', () => {
  it('gets the one host that is open to its namespace, in three writes, and then none', async () => {
    await open({ names: ['tenant'] });
    await desk.host('hosts/a');
    await desk.claim(key);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.writes).toEqual(['patch hostclaims', 'patch baremetalhosts', 'patch hostclaims/status']);
    expect(await desk.consumerOf('hosts/a')).toEqual(ref);
    const claim = await now();
    expect(claim?.metadata.finalizers).toEqual([finalizer]);
    expect(await desk.boundTo(key)).toBe('hosts/a');
    expect(await verdict()).toBe('True BareMetalHostAssociated');
    expect(conditionIn(claim, 'Ready')).toMatchObject({
      ...{ status: 'Unknown', reason: 'UnknownReported', observedGeneration: 1 },
      message: '* Synchronized: NotYetReported\n* Provisioned: NotYetReported',
    });
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.writes).toEqual([]);
    expect(await told()).toEqual(['BareMetalHostAssociated']);
  });

  it('reads no Secret, and takes over nothing of the host but its consumer', async () => {
    const verbs: string[] = [];
    bench.fault = ({ verb, resource }) => {
      verbs.push(`${verb} ${resource}`);
      return undefined;
    };
    await open();
    const before = await desk.host('hosts/a');
    const secret = { name: 's', namespace: 'hosts' };
    await desk.claim(key, {
      ...{
        userData: secret,
        networkData: secret,
        metaData: secret,
        image: { url: 'http://i/x', checksum: 'a', checksumType: 'sha256' },
      },
    });
    await pass();
    const after = await bench.get(bareMetalHost, 'hosts/a');
    expect(after?.spec).toEqual({ ...(before.spec as object), consumerRef: ref });
    expect(after?.metadata.labels).toEqual(before.metadata.labels);
    expect(verbs.some((each) => each.includes('hostclaims'))).toBe(true);
    expect(verbs.filter((each) => each.includes('secrets'))).toEqual([]);
  });

  const looks: [string, object | undefined, boolean][] = [
    ['none at all', undefined, false],
    ['without a list', {}, true],
    ['naming it', { names: ['x', 'tenant'] }, true],
    ['naming nobody', { names: [] }, false],
    ['matching a part of its name', { nameMatches: 'enan' }, true],
    ['matching another name whole', { nameMatches: '^enan$' }, false],
    ['asking for a label that it has', { hasLabels: [{ name: 'team' }] }, true],
    ['asking for a label with its value', { hasLabels: [{ name: 'team', value: 'blue' }] }, true],
    ['asking for another value', { hasLabels: [{ name: 'team', value: 'red' }] }, false],
    ['asking for one label too many', { hasLabels: [{ name: 'team' }, { name: 'rack' }] }, false],
    ['of which one rule does not hold', { names: ['tenant'], nameMatches: 'x' }, false],
  ];
  it.each(looks)('is held to policies: %s', async (_what, rules, isOpen) => {
    await desk.namespace('tenant', { team: 'blue' });
    if (rules !== undefined) await open(rules);
    await desk.host('hosts/a');
    await desk.claim(key);
    await pass();
    expect(await verdict()).toBe(isOpen ? 'True BareMetalHostAssociated' : 'False NoBareMetalHost');
    if (!isOpen) expect(await message()).toContain('no HostDeployPolicy opens hosts to the namespace tenant');
  });

  it('finds no host of its own namespace without a policy there', async () => {
    await desk.host('tenant/a');
    await desk.claim(key);
    await pass();
    expect(await verdict()).toBe('False NoBareMetalHost');
  });

  it('is served by one policy of several, and a policy that cannot be read holds up no other', async () => {
    await desk.policy('hosts/closed', { names: [] });
    await desk.policy('lab/bad', { nameMatches: 'hc[' });
    await desk.host('lab/a');
    await desk.claim(key);
    await pass();
    expect(await message()).toMatch(/no HostDeployPolicy .* 1 policy cannot be read$/);
    expect(await message()).not.toContain('lab');
    await open();
    await desk.host('hosts/a');
    await pass();
    expect(await desk.boundTo(key)).toBe('hosts/a');
  });

  it.each([
    [{ matchLabels: { rack: 'r1' } }, 'hosts/a'],
    [{ matchExpressions: [{ key: 'rack', operator: 'in', values: ['r2', 'r3'] }] }, 'hosts/b'],
    [{ matchExpressions: [{ key: 'rack', operator: '!', values: [] }] }, 'hosts/c'],
    [{ matchExpressions: [{ key: 'rack', operator: 'NotIn', values: ['r1', 'r2'] }] }, 'hosts/c'],
    [{ inNamespace: 'lab' }, 'lab/d'],
  ])('gets a host that its selector means: %j', async (hostSelector, wanted) => {
    await open();
    await desk.policy('lab/open');
    await desk.host('hosts/a', { rack: 'r1' });
    await desk.host('hosts/b', { rack: 'r2' });
    await desk.host('hosts/c');
    await desk.host(
      'lab/d',
      { rack: 'r1' },
      { provisioning: { state: 'inNamespace' in hostSelector ? 'ready' : 'inspecting' } },
    );
    await desk.claim(key, { hostSelector });
    await pass();
    expect(await desk.boundTo(key)).toBe(wanted);
  });

  it('with a selector that means nothing says which part of it', async () => {
    await open();
    await desk.host('hosts/a');
    await desk.claim(key, { hostSelector: { matchExpressions: [{ key: 'a', operator: 'gt', values: ['1'] }] } });
    await pass();
    expect(await message()).toMatch(/^spec\.hostSelector\.matchExpressions\[0\]\.operator: "gt" .* correct it$/);
  });

  it('says what keeps it from the hosts that are open to it, and nothing of others', async () => {
    await open();
    await desk.host('hosts/used', { rack: 'r' });
    await put('hosts/used', {
      spec: { consumerRef: { kind: 'Machine', name: 'm', namespace: 'x', apiVersion: 'v1' } },
    });
    await desk.host('hosts/young', { rack: 'r' }, { provisioning: { state: 'inspecting' } });
    await desk.host('hosts/bad', { rack: 'r' }, { errorMessage: 'no power' });
    await desk.host('hosts/held', { rack: 'r' });
    await put('hosts/held', { metadata: { annotations: { 'baremetalhost.metal3.io/paused': '' } } });
    await desk.host('hosts/plain');
    await desk.host('lab/secret-name', { rack: 'r' });
    await desk.claim(key, { hostSelector: { matchLabels: { rack: 'r' } } });
    expect(await pass()).toMatchObject({ kind: 'after' });
    expect(await message()).toBe(
      'of the 5 hosts open to the namespace tenant, 4 match spec.hostSelector: 1 in use, 1 paused, 1 in error, 1 not available',
    );
    expect(bench.writes).toEqual(['patch hostclaims/status']);
    await pass();
    expect(bench.writes).toEqual([]);
    expect(await told()).toEqual(['NoBareMetalHost']);
    expect((await now())?.metadata.finalizers).toBeUndefined();
  });

  it('that has noted a host which has changed since chooses again', async () => {
    await open();
    await desk.host('hosts/a');
    const { resourceVersion: noted } = (await bench.get(bareMetalHost, 'hosts/a'))!.metadata;
    await put('hosts/a', { metadata: { labels: { changed: 'since' } } });
    await desk.claim(key);
    const annotations = { 'ironchart.io/chosen-host': `hosts/a@${noted}` };
    await bench.put(hostClaim, key, { metadata: { annotations, finalizers: [finalizer] } });
    await pass();
    await pass();
    expect(await desk.boundTo(key)).toBe('hosts/a');
  });

  it.each([{ image: { url: 'http://images/own.qcow2', checksum: 'c' } }, { customDeploy: { method: 'install' } }])(
    'leaves a host alone on which its owner is about to deploy: %j',
    async (spec) => {
      await open();
      await desk.host('hosts/a');
      await put('hosts/a', { spec });
      await desk.claim(key);
      await pass();
      expect(await desk.consumerOf('hosts/a')).toBeUndefined();
      expect(await message()).toContain('1 with an image of its own');
    },
  );

  it('prefers its failure domain, and takes any other when there is none', async () => {
    const domain = (zone: string) => ({ 'infrastructure.cluster.x-k8s.io/failure-domain': zone });
    await open();
    for (const [name, zone] of [
      ['a', 'z1'],
      ['b', 'z2'],
      ['c', 'z1'],
    ] as const)
      await desk.host(`hosts/${name}`, domain(zone));
    await desk.claim(key, { failureDomain: 'z2' });
    await desk.claim('tenant/far', { failureDomain: 'z9' });
    await pass();
    await pass('tenant/far');
    expect(await desk.boundTo(key)).toBe('hosts/b');
    expect(['hosts/a', 'hosts/c']).toContain(await desk.boundTo('tenant/far'));
  });

  it('comes to know the labels of its namespace by name, where not all namespaces are watched', async () => {
    worker = new ClaimWorker(bench, seeded(1), { watched: ['tenant', 'hosts'] });
    await desk.namespace('tenant', { team: 'blue' });
    await open({ hasLabels: [{ name: 'team', value: 'blue' }] });
    await desk.host('hosts/a');
    await desk.claim(key);
    const asked: string[] = [];
    bench.fault = ({ verb, resource, name }) => {
      if (resource === namespaceKind.plural && verb === 'get') asked.push(`${verb} ${name}`);
      return undefined;
    };
    await bench.passAsCached(worker.reconciler, key);
    await pass();
    expect(await desk.boundTo(key)).toBe('hosts/a');
    expect(asked).toEqual(['get tenant']);
  });
});

describe('a claim that has a host', () => {
  beforeEach(async () => {
    await open();
    await desk.host('hosts/a');
    await desk.claim(key);
    await pass();
    await desk.host('hosts/b');
  });

  it('whose host is gone says so, takes no other, and is well again when it comes back', async () => {
    await bench.remove(bareMetalHost, 'hosts/a');
    expect(await pass()).toEqual({ kind: 'done' });
    expect(await verdict()).toBe('False MissingBareMetalHost');
    expect(verdictOf(await now(), 'Ready')).toBe('False IssuesReported');
    expect(await desk.boundTo(key)).toBe('hosts/a');
    expect(await desk.consumerOf('hosts/b')).toBeUndefined();
    await desk.host('hosts/a');
    await put('hosts/a', { spec: { consumerRef: ref } });
    await pass();
    expect(await verdict()).toBe('True BareMetalHostAssociated');
    expect(await told()).toEqual(['BareMetalHostAssociated', 'MissingBareMetalHost', 'BareMetalHostAssociated']);
  });

  it.each([
    [
      'has another consumer',
      { kind: 'HostClaim', name: 'thief', namespace: 'other', apiVersion: 'metal3.io/v1alpha1' },
      'another consumer',
    ],
    ['has no consumer', null, 'names no consumer'],
  ])('whose host %s by now says so, and takes nothing', async (_what, consumerRef, words) => {
    await put('hosts/a', { spec: { consumerRef } });
    await pass();
    expect(await verdict()).toBe('False BadBareMetalHostStatus');
    expect(await message()).toContain(words);
    expect(await message()).not.toContain('thief');
    expect(await desk.consumerOf('hosts/b')).toBeUndefined();
    expect(await desk.boundTo(key)).toBe('hosts/a');
  });

  it('lets it go when it is deleted, in two writes, and touches nothing else of it', async () => {
    const before = await put('hosts/a', {
      spec: { image: { url: 'http://i/x', checksum: 'a', checksumType: 'sha256' } },
    });
    await bench.remove(hostClaim, key);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.writes).toEqual(['patch baremetalhosts', 'patch hostclaims']);
    expect(await now()).toBeUndefined();
    const { consumerRef: _ref, ...spec } = before.spec as { consumerRef: object };
    expect((await bench.get(bareMetalHost, 'hosts/a'))?.spec).toEqual(spec);
    expect((await told()).at(-1)).toBe('BareMetalHostReleased');
  });

  it('leaves a host that has another consumer to it', async () => {
    const consumerRef = { ...ref, name: 'next' };
    await put('hosts/a', { spec: { consumerRef } });
    await bench.remove(hostClaim, key);
    await pass();
    expect(await now()).toBeUndefined();
    expect(await desk.consumerOf('hosts/a')).toEqual(consumerRef);
  });

  it('goes although its host is gone already', async () => {
    await bench.remove(bareMetalHost, 'hosts/a');
    await bench.remove(hostClaim, key);
    await pass();
    expect(await now()).toBeUndefined();
  });

  it('tells who else holds on to it that its host was released', async () => {
    await bench.person.patch(hostClaim, parseKey(key), { metadata: { finalizers: [finalizer, 'example.com/mine'] } });
    await bench.remove(hostClaim, key);
    await pass();
    expect((await now())?.metadata.finalizers).toEqual(['example.com/mine']);
    expect(await desk.boundTo(key)).toBeUndefined();
    expect(await verdict()).toBe('False HostClaimDeleting');
    await pass();
    expect(bench.writes).toEqual([]);
  });

  it('says what keeps its host from being released, and stays until that works', async () => {
    await bench.remove(hostClaim, key);
    bench.fault = ({ verb, resource }) =>
      verb === 'patch' && resource.startsWith('baremetalhosts') ? { status: 422, message: 'a rule' } : undefined;
    expect(await pass()).toEqual({ kind: 'backoff', maxMs: 30_000 });
    expect(await verdict()).toBe('False HostClaimDeletionFailed');
    bench.fault = undefined;
    await pass();
    expect(await now()).toBeUndefined();
  });
});
