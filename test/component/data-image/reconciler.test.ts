import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import { DataImageReconciler } from '../../../src/controllers/data-image/index.js';
import { NodeIsBusy, ProvisionerNotReady } from '../../../src/provisioner/index.js';
import { ObjectBench } from '../../support/object-bench.js';

const { dataImage: kind, bareMetalHost } = kinds;
const key = 'default/host';
const finalizer = 'dataimage.metal3.io';
const spec = { url: 'http://images.example.com/data.iso' };
const [paused, detached] = ['baremetalhost.metal3.io/paused', 'baremetalhost.metal3.io/detached'];

let bench: ObjectBench;
let reconciler: DataImageReconciler;

beforeEach(async () => {
  bench = await ObjectBench.start();
  const { api, provisioners, log } = bench;
  const stores = { images: bench.store(kind), hosts: bench.store(bareMetalHost) };
  reconciler = new DataImageReconciler({ api, ...stores, provisioners, clock: bench.clock, log });
});
afterEach(() => bench.stop());

const image = (news: { spec?: object; metadata?: object; status?: object } = { spec }) => bench.put(kind, key, news);
const now = () => bench.get(kind, key);
const pass = () => bench.pass(reconciler, key);
const finds = (...answers: unknown[]) => bench.provisioners.answer('dataImageAttached', ...answers);
const statusNow = async () => (await now())?.status as { error?: object; attachedImage?: object } | undefined;

describe('a data image', () => {
  it('comes to belong to its host, in one write, beside other owners', async () => {
    const { metadata } = await bench.host(key);
    await image();
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.writes).toEqual(['patch dataimages']);
    expect((await now())?.metadata).toMatchObject({
      finalizers: [finalizer],
      ownerReferences: [{ apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', name: 'host', uid: metadata.uid }],
    });
    expect((await now())?.metadata.ownerReferences?.[0]).not.toHaveProperty('controller');
    await pass();
    expect(bench.writes).toEqual([]);
  });

  it('without a host belongs to nobody: it may go at once, and is taken up when the host comes', async () => {
    await image({ spec, metadata: { finalizers: [finalizer, 'example.com/other'] } });
    expect(await pass()).toEqual({ kind: 'after', ms: 10_000 });
    expect((await now())?.metadata.finalizers).toEqual(['example.com/other']);
    await bench.host(key);
    await pass();
    expect((await now())?.metadata.finalizers).toEqual(['example.com/other', finalizer]);
    expect(await statusNow()).toBeUndefined();
  });

  it('whose host does not come says so, once, until it does', async () => {
    await image();
    bench.clock.advance(10_000);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(await statusNow()).toMatchObject({
      error: { count: 1, message: expect.stringMatching(/^no BareMetalHost/) },
    });
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.writes).toEqual([]);
    await bench.host(key, { provisioning: { state: 'registering', ID: '' } });
    expect(await pass()).toEqual({ kind: 'done' });
    expect(await statusNow()).toEqual({ error: { count: 0, message: '' } });
  });

  it('of a paused host is left as it is, deleted or not', async () => {
    await bench.host(key, {}, { [paused]: '' });
    await image({ spec, metadata: { finalizers: [finalizer] } });
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.writes).toEqual([]);
    await bench.remove(kind, key);
    expect(await pass()).toEqual({ kind: 'done' });
    expect([bench.writes, bench.provisioners.calls]).toEqual([[], []]);
    await bench.host(key, {}, { [paused]: null });
    await pass();
    expect(await now()).toBeUndefined();
  });

  it.each([
    ['that is to be detached', {}, { [detached]: '' }],
    ['that has no node', { provisioning: { ID: '' } }, undefined],
  ])('of a host %s is not looked for, and may go', async (_what, status, annotations) => {
    await bench.host(key, status, annotations);
    await image();
    expect(await pass()).toEqual({ kind: 'done' });
    expect((await now())?.metadata.finalizers).toEqual([finalizer]);
    await bench.remove(kind, key);
    await pass();
    expect(await now()).toBeUndefined();
    expect(bench.provisioners.calls).toEqual([]);
  });

  it('that is deleted goes once the drive is empty', async () => {
    await bench.host(key);
    await image();
    await pass();
    await bench.remove(kind, key);
    finds(true, true, false);
    expect(await pass()).toEqual({ kind: 'after', ms: 60_000 });
    expect(await pass()).toEqual({ kind: 'after', ms: 60_000 });
    expect((await now())?.metadata.finalizers).toEqual([finalizer]);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(await now()).toBeUndefined();
    expect(bench.provisioners.ops).not.toContain('detachDataImage');
  });

  it('is given no finalizer once it is deleted', async () => {
    await bench.host(key);
    await image({ spec, metadata: { finalizers: ['example.com/other'] } });
    await bench.remove(kind, key);
    await pass();
    expect((await now())?.metadata.finalizers).toEqual(['example.com/other']);
  });

  it('counts what goes wrong, and forgets it with the next success', async () => {
    await bench.host(key);
    const attachedImage = { url: spec.url };
    await image({ spec, status: { attachedImage } });
    finds(new Error('no drive'), new Error('no drive'), true, true);
    expect(await pass()).toEqual({ kind: 'after', ms: 30_000 });
    expect(await pass()).toEqual({ kind: 'after', ms: 30_000 });
    expect(await statusNow()).toEqual({ attachedImage, error: { count: 2, message: 'no drive' } });
    expect(await pass()).toEqual({ kind: 'done' });
    expect(await statusNow()).toEqual({ attachedImage, error: { count: 0, message: '' } });
    await pass();
    expect(bench.writes).toEqual([]);
  });

  it('waits for a host that is busy, and for a back end that is away, and counts neither', async () => {
    await bench.host(key);
    await image();
    await pass();
    finds(new NodeIsBusy());
    expect(await pass()).toEqual({ kind: 'after', ms: 30_000 });
    bench.provisioners.unready = new ProvisionerNotReady('away');
    expect(await pass()).toEqual({ kind: 'after', ms: 30_000 });
    expect(bench.writes).toEqual([]);
    expect(await statusNow()).toBeUndefined();
  });

  it('that is gone is looked at no more', async () => {
    await bench.host(key);
    expect(await pass()).toEqual({ kind: 'done' });
  });
});
