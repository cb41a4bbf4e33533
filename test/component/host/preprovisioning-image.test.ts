import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hostKind } from '../../../src/controllers/host/index.js';
import { NeedsPreprovisioningImage } from '../../../src/provisioner/index.js';
import { HostBench } from '../../support/host-bench.js';
import { aHost, type HostBuilder } from '../../support/host-builder.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

const held = { finalizers: ['baremetalhost.metal3.io/preprovisioningImage'] };
const asked = { acceptFormats: ['iso'], architecture: 'x86_64' };
const isTrue = (type: string, change: object = {}) => ({
  ...{ type, status: 'True', reason: 'R', message: 'm', lastTransitionTime: '2026-01-01T00:00:00Z', ...change },
});
const built = { architecture: 'x86_64', format: 'iso', imageUrl: 'http://images.example.com/agent.iso' };
const ready = { ...built, conditions: [isTrue('Ready')] };
const image = { imageURL: built.imageUrl, format: 'iso', kernelURL: '', extraKernelParams: '' };

const host = () => aHost().spec({ architecture: 'x86_64' });
const inspecting = (change: Record<string, unknown> = {}) => host().spec(change).in('inspecting');
const formats = (wanted: readonly string[] | undefined, times = 3) => {
  for (let count = 0; count < times; count += 1) bench.backEnd.answer('preprovisioningImageFormats', wanted);
};

/** What the registration is given, in a pass of this host with this image. */
async function given(builder: HostBuilder, ppi?: Parameters<HostBench['companion']>[1]): Promise<unknown> {
  await bench.put(builder);
  if (ppi !== undefined) await bench.companion('images', { metadata: held, spec: asked, ...ppi });
  formats(['iso']);
  await bench.pass();
  return bench.backEnd.argsOf('register').preprovisioningImage;
}

describe('the agent image of a host', () => {
  it('is asked for with what the host needs, and the host goes on without it meanwhile', async () => {
    const builder = inspecting({ preprovisioningNetworkDataName: 'network' }).labelled({ env: 'lab' });
    await bench.secret('network', { networkData: '{}' });
    expect(await given(builder)).toBeUndefined();
    const { metadata, spec } = (await bench.companionOf('images'))!;
    expect(metadata).toMatchObject({ labels: { env: 'lab' }, ...held });
    expect(metadata.ownerReferences).toMatchObject([
      { kind: 'BareMetalHost', controller: true, blockOwnerDeletion: true },
    ]);
    expect(spec).toEqual({ ...asked, networkDataName: 'network' });
  });

  it('is not asked for when the back end builds none', async () => {
    await bench.put(inspecting());
    await bench.pass();
    expect(bench.backEnd.ops).toContain('register');
    expect(await bench.companionOf('images')).toBeUndefined();
  });

  it.each<[string, HostBuilder]>([
    ['is registered for the first time', host().in('registering')],
    ['is inspected without an agent', inspecting({ inspectionMode: 'fast' })],
    ['is in use', host().in('provisioned')],
    ['is in use by others', host().spec({ externallyProvisioned: true }).in('externally provisioned')],
    ['is not cleaned', host().spec({ automatedCleaningMode: 'disabled' }).in('deprovisioning')],
    ['is powered off to go', host().in('powering off before delete').deleted()],
  ])('is not asked for while the host %s', async (_what, builder) => {
    expect(await given(builder)).toBeUndefined();
    expect(await bench.companionOf('images')).toBeUndefined();
  });

  it.each<[string, HostBuilder]>([
    ['prepared', host().in('preparing')],
    ['at rest', host().withoutImage().in('available')],
    ['deployed', host().in('provisioning')],
    ['cleaned', host().in('deprovisioning')],
    ['serviced', host().in('provisioned', { operationalStatus: 'servicing' })],
  ])('is given to the back end while the host is %s', async (_what, builder) => {
    expect(await given(builder, { status: ready })).toEqual(image);
  });

  it('comes with the kernel and the arguments of its own', async () => {
    const initrd = { ...ready, format: 'initrd', kernelUrl: 'http://k', extraKernelParams: 'a=b' };
    await bench.put(inspecting());
    await bench.companion('images', {
      metadata: held,
      spec: { ...asked, acceptFormats: ['iso', 'initrd'] },
      status: initrd,
    });
    formats(['iso', 'initrd']);
    await bench.pass();
    expect(bench.backEnd.argsOf('register').preprovisioningImage).toEqual({
      ...{ ...image, format: 'initrd', kernelURL: 'http://k', extraKernelParams: 'a=b' },
    });
  });

  it.each<[string, object]>([
    ['for another architecture', { ...ready, architecture: 'aarch64' }],
    ['in another format', { ...ready, format: 'initrd' }],
    ['with network data that nobody asked for', { ...ready, networkData: { name: 'network', version: '1' } }],
    ['that is not ready', { ...built, conditions: [isTrue('Ready', { status: 'False' })] }],
    ['that is ready for an older wish', { ...built, conditions: [isTrue('Ready', { observedGeneration: 0 })] }],
    ['of which nothing is said yet', built],
  ])('%s is not there yet', async (_what, status) => {
    expect(await given(inspecting(), { status })).toBeUndefined();
  });

  it('holds the network data in their present version, and the host comes to own the Secret', async () => {
    await bench.secret('network', { networkData: '{}' });
    await bench.put(inspecting({ preprovisioningNetworkDataName: 'network' }));
    const spec = { ...asked, networkDataName: 'network' };
    const networkData = (version: string) => ({ status: { ...ready, networkData: { name: 'network', version } } });
    await bench.companion('images', { metadata: held, spec, ...networkData('0') });
    formats(['iso']);
    await bench.pass();
    expect(bench.backEnd.argsOf('register').preprovisioningImage).toBeUndefined();
    const { metadata } = (await bench.readSecret('network'))!;
    expect(metadata.ownerReferences?.map(({ kind }) => kind)).toEqual(['BareMetalHost']);
    await bench.companion('images', networkData(metadata.resourceVersion ?? ''));
    await bench.pass();
    expect(bench.backEnd.argsOf('register').preprovisioningImage).toEqual(image);
  });

  it.each<[string, HostBuilder, Parameters<HostBench['companion']>[1], object]>([
    ['of another wish', inspecting(), { spec: { ...asked, acceptFormats: ['initrd'] } }, { spec: asked }],
    ['for network data no more', inspecting(), { spec: { ...asked, networkDataName: 'old' } }, { spec: asked }],
    [
      'without our hold',
      inspecting(),
      { metadata: { finalizers: ['x.y/z'] } },
      { metadata: { finalizers: ['x.y/z', ...held.finalizers] } },
    ],
    [
      'without the labels of the host',
      inspecting().labelled({ env: 'lab' }),
      { metadata: { ...held, labels: { env: 'old', own: 'x' } } },
      { metadata: { labels: { env: 'lab', own: 'x' } } },
    ],
  ])('%s is corrected first, and is not there in this pass', async (_what, builder, ppi, wanted) => {
    expect(await given(builder, { status: ready, ...ppi })).toBeUndefined();
    const object = await bench.companionOf('images');
    expect(object).toMatchObject(wanted);
    if ('spec' in wanted) expect(object?.spec).toEqual(wanted.spec);
    expect((await bench.pass()).writes.filter((write) => write.includes('images'))).toEqual([]);
  });

  it('that cannot be built is an error of registration, with what its builder says', async () => {
    await bench.put(inspecting());
    await bench.companion('images', {
      metadata: held,
      spec: asked,
      status: { ...built, conditions: [isTrue('Error')] },
    });
    formats(['iso']);
    const { host: after } = await bench.pass();
    expect(after?.status).toMatchObject({ errorType: 'registration error', errorCount: 1 });
    expect(after?.status?.errorMessage).toBe('the preprovisioning image cannot be built: m');
    expect(bench.backEnd.ops).not.toContain('register');
  });

  it('in no format that fits is an error of registration', async () => {
    await bench.put(inspecting());
    formats([]);
    expect((await bench.pass()).host?.status?.errorType).toBe('registration error');
    expect(await bench.companionOf('images')).toBeUndefined();
  });

  it.each<[string, object, object | undefined]>([
    ['that we hold is used as long as it is there', held, image],
    ['that we do not hold is used no more', { finalizers: ['x.y/z'] }, undefined],
  ])('that is being deleted and %s', async (_what, metadata, wanted) => {
    await bench.put(inspecting());
    await bench.companion('images', { metadata, spec: { acceptFormats: ['initrd'] }, status: built });
    const kind = {
      group: 'metal3.io',
      version: 'v1alpha1',
      kind: 'PreprovisioningImage',
      plural: 'preprovisioningimages',
    };
    await bench.api.delete(kind, { namespace: 'default', name: 'host' });
    formats(['iso']);
    await bench.pass();
    expect(bench.backEnd.argsOf('register').preprovisioningImage).toEqual(wanted);
    expect((await bench.companionOf('images'))?.spec).toEqual({ acceptFormats: ['initrd'] });
  });
});

describe('a host that cannot go on without its agent image', () => {
  const needs = () => bench.backEnd.answer('register', new NeedsPreprovisioningImage());

  it('waits for it, says so once, and is no error', async () => {
    await bench.put(inspecting());
    formats(['iso']);
    needs();
    const { host: after, decision } = await bench.pass();
    expect(decision).toEqual({ kind: 'after', ms: 300_000 });
    expect(after?.status).toMatchObject({ operationalStatus: 'OK', errorCount: 0 });
    expect(after?.status?.lifecycle?.waitsFor).toContain('preprovisioning image');
    expect(bench.counted).toContain('metal3_waiting_for_preprov_image_total');
    expect(bench.counted).not.toContain('metal3_credentials_no_management_access_total');
    for (let count = 0; count < 20; count += 1) {
      formats(['iso']);
      needs();
      const again = await bench.pass();
      expect([again.writes, again.events, again.decision]).toEqual([[], [], decision]);
    }
  });

  it.each<[string, object, string]>([
    ['that its builder meets', {}, 'the preprovisioning image of this host to be built: m'],
    ['but not one with an older wish', { observedGeneration: 0 }, 'the preprovisioning image of this host to be built'],
  ])('tells the trouble %s before anything is built, once', async (_what, condition, told) => {
    await bench.put(inspecting());
    const status = { conditions: [isTrue('Error', condition)] };
    await bench.companion('images', { metadata: held, spec: asked, status });
    formats(['iso']);
    needs();
    const { host: after } = await bench.pass();
    expect(after?.status).toMatchObject({ operationalStatus: 'OK', errorCount: 0, lifecycle: { waitsFor: told } });
    formats(['iso']);
    needs();
    expect((await bench.pass()).writes).toEqual([]);
  });

  it('keeps what it tried: new credentials are new only once', async () => {
    await bench.put(inspecting(), { goodCredentials: false });
    formats(['iso']);
    needs();
    const { host: after, decision } = await bench.pass();
    expect(decision).toEqual({ kind: 'after', ms: 300_000 });
    expect(after?.status?.triedCredentials).toMatchObject({ credentials: { name: 'bmc' } });
    needs();
    await bench.pass();
    expect(bench.backEnd.argsOf('register').credentialsChanged).toBe(false);
    expect(bench.counted.filter((metric) => metric === 'metal3_credentials_updated_total')).toHaveLength(1);
  });

  it('is in error when the one that was built cannot be booted', async () => {
    await bench.put(inspecting());
    await bench.companion('images', { metadata: held, spec: asked, status: ready });
    formats(['iso']);
    needs();
    expect((await bench.pass()).host?.status?.errorType).toBe('registration error');
  });

  it('is tried again soon when the back end builds none', async () => {
    await bench.put(inspecting());
    needs();
    const { host: after, decision } = await bench.pass();
    expect(decision).toMatchObject({ kind: 'backoff' });
    expect(after?.status?.errorType).toBeUndefined();
  });

  it('and whose namespace is going away is not waited for without end', async () => {
    await bench.put(aHost().in('deprovisioning').deleted());
    bench.fault = ({ verb, resource }) =>
      verb === 'create' && resource === 'preprovisioningimages.metal3.io' ? { status: 403 } : undefined;
    formats(['iso'], 9);
    const { host: after } = await bench.pass();
    expect(after?.status).toMatchObject({ errorType: 'registration error', errorCount: 1 });
    await bench.passes(9);
    for (let count = 0; count < 9 && (await bench.host()) !== undefined; count += 1) await bench.pass();
    expect(await bench.host()).toBeUndefined();
  });
});

describe('a host that is gone', () => {
  it('lets go of its agent image, whether or not images are built now', async () => {
    await bench.put(host().in('deleting').deleted());
    await bench.companion('images', { metadata: { finalizers: [...held.finalizers, 'x.y/z'] }, spec: asked });
    await bench.pass();
    expect(await bench.host()).toBeUndefined();
    expect((await bench.companionOf('images'))?.metadata.finalizers).toEqual(['x.y/z']);
  });

  it('lets go of the Secret with its network data, and does not wait for one that is not there', async () => {
    await bench.secret('network', { networkData: '{}' });
    await bench.put(host().spec({ preprovisioningNetworkDataName: 'network' }).in('preparing'));
    await bench.pass();
    expect((await bench.readSecret('network'))?.metadata.finalizers).toEqual(['baremetalhost.metal3.io/secret']);
    await bench.api.delete(hostKind, { namespace: 'default', name: 'host' });
    await bench.passes();
    expect(await bench.host()).toBeUndefined();
    expect((await bench.readSecret('network'))?.metadata.finalizers ?? []).toEqual([]);

    await bench.put(host().spec({ preprovisioningNetworkDataName: 'nowhere' }).in('deleting').deleted());
    await bench.pass();
    expect(await bench.host()).toBeUndefined();
  });

  it('does not wait for one that is not there', async () => {
    await bench.put(host().in('deleting').deleted());
    expect((await bench.pass()).decision).toEqual({ kind: 'done' });
  });
});
