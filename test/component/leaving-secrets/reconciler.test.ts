import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import { LeavingSecretReconciler } from '../../../src/controllers/leaving-secrets/index.js';
import { secretKind } from '../../../src/kube/index.js';
import { ObjectBench } from '../../support/object-bench.js';

const key = 'default/bmc';
const finalizer = 'baremetalhost.metal3.io/secret';
const done = { kind: 'done' };

let bench: ObjectBench;
let reconciler: LeavingSecretReconciler;
beforeEach(async () => {
  bench = await ObjectBench.start();
  const { secrets: secretStore, events, log } = bench;
  const stores = { secrets: bench.store(secretKind), hosts: bench.store(kinds.bareMetalHost) };
  reconciler = new LeavingSecretReconciler({ ...stores, secretStore, events, log });
  await bench.secret('bmc', { username: 'u', password: 'pa55word-of-it' });
  await bench.put(secretKind, key, { metadata: { finalizers: [finalizer] } });
});
afterEach(() => bench.stop());

const pass = () => bench.pass(reconciler, key);
const host = (name: string, spec: object) =>
  bench.put(kinds.bareMetalHost, `default/${name}`, { spec: { online: true, ...spec } });
const byBMC = (credentialsName: string) => ({ bmc: { address: 'ipmi://192.0.2.1', credentialsName } });

describe('a Secret', () => {
  it('that is deleted while hosts name it is told by each of them, once, with what helps', async () => {
    await host('one', byBMC('bmc'));
    await host('two', { preprovisioningNetworkDataName: 'bmc' });
    await host('three', byBMC('other'));
    expect(await pass()).toEqual(done);
    expect(await bench.told()).toEqual([]);
    await bench.remove(secretKind, key);
    expect(await pass()).toEqual(done);
    await pass();
    const told = await bench.told();
    expect(told.map(({ name, reason }) => `${name} ${reason}`)).toEqual(['one SecretInUse', 'two SecretInUse']);
    expect(told[0]?.message).toMatch(
      /the Secret bmc of spec.bmc.credentialsName is deleted.*name another Secret there/,
    );
    expect(told[1]?.message).toContain('spec.preprovisioningNetworkDataName');
    expect(JSON.stringify(told)).not.toContain('pa55word');
    expect(bench.writes).toEqual([]);
  });

  it('that is deleted goes once no host names it any more', async () => {
    await host('one', byBMC('bmc'));
    await bench.remove(secretKind, key);
    await pass();
    expect(await bench.get(secretKind, key)).toBeDefined();
    await host('one', byBMC('new'));
    expect(await pass()).toEqual(done);
    expect(await bench.get(secretKind, key)).toBeUndefined();
  });

  it('that nobody deletes keeps its finalizer, whoever names it', async () => {
    await pass();
    expect((await bench.get(secretKind, key))?.metadata.finalizers).toEqual([finalizer]);
  });

  it('that others hold on to stays, without our finalizer', async () => {
    await bench.put(secretKind, key, { metadata: { finalizers: [finalizer, 'example.com/mine'] } });
    await bench.remove(secretKind, key);
    await pass();
    expect((await bench.get(secretKind, key))?.metadata.finalizers).toEqual(['example.com/mine']);
  });

  it('of a host that leaves is let go by it, and not told of', async () => {
    await bench.put(kinds.bareMetalHost, 'default/one', {
      spec: { online: true, ...byBMC('bmc') },
      metadata: { finalizers: ['baremetalhost.metal3.io'] },
    });
    await bench.remove(kinds.bareMetalHost, 'default/one');
    await bench.remove(secretKind, key);
    await pass();
    expect([await bench.told(), bench.writes]).toEqual([[], []]);
  });
});
