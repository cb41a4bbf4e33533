import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { kinds, type PreprovisioningImageStatus } from '../../../src/apis/index.js';
import {
  type BuildAnswer,
  type ImageProvider,
  type ImageRequest,
  PreprovisioningImageReconciler,
} from '../../../src/controllers/preprovisioning-image/index.js';
import { secretKind } from '../../../src/kube/index.js';
import { conditionIn, ObjectBench, verdictOf } from '../../support/object-bench.js';

const { preprovisioningImage: kind } = kinds;
const key = 'default/host';
const [own, ofHost] = ['preprovisioningimage.metal3.io', 'baremetalhost.metal3.io/preprovisioningImage'];
const spec = { architecture: 'x86_64', acceptFormats: ['iso', 'initrd'] };
const built = (version: number): BuildAnswer => ({
  kind: 'built',
  image: { imageURL: `http://i/${version}`, kernelURL: `http://k/${version}`, extraKernelParams: 'quiet' },
});

/** Makes what the test says, else the first version, in the formats that the test says. */
class ScriptedProvider implements ImageProvider {
  formats = ['iso', 'initrd'];
  readonly answers: (BuildAnswer | Error)[] = [];
  readonly calls: string[] = [];
  readonly requests: ImageRequest[] = [];
  networkData: unknown;

  supportsArchitecture(architecture: string): boolean {
    return architecture !== 'riscv64';
  }

  supportsFormat(format: string): boolean {
    return this.formats.includes(format);
  }

  build(request: ImageRequest, networkData: unknown): Promise<BuildAnswer> {
    this.calls.push(`build ${request.format}`);
    this.requests.push(request);
    this.networkData = networkData;
    const answer = this.answers.shift() ?? built(1);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }

  discard(request: ImageRequest): Promise<void> {
    this.calls.push(`discard ${request.format}`);
    return Promise.resolve();
  }
}

let bench: ObjectBench;
let provider: ScriptedProvider;
let reconciler: PreprovisioningImageReconciler;

beforeEach(async () => {
  bench = await ObjectBench.start();
  provider = new ScriptedProvider();
  const { api, secrets, clock, log } = bench;
  reconciler = new PreprovisioningImageReconciler({ api, images: bench.store(kind), secrets, provider, clock, log });
});
afterEach(() => bench.stop());

const image = (more: object = {}, metadata?: object) =>
  bench.put(kind, key, { spec: { ...spec, ...more }, ...(metadata === undefined ? {} : { metadata }) });
const now = () => bench.get(kind, key);
const statusNow = async () => (await now())?.status as PreprovisioningImageStatus;
const pass = () => bench.pass(reconciler, key);

describe('an agent image', () => {
  it('is held, noted and made, each to be seen', async () => {
    const { metadata } = await image({}, { labels: { infraenv: 'one' } });
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.writes).toEqual([
      'patch preprovisioningimages',
      'patch preprovisioningimages/status',
      'patch preprovisioningimages/status',
    ]);
    expect(await statusNow()).toMatchObject({
      ...{ format: 'iso', architecture: 'x86_64' },
      ...{ imageUrl: 'http://i/1', kernelUrl: 'http://k/1', extraKernelParams: 'quiet' },
    });
    expect(conditionIn(await now(), 'Ready')).toMatchObject({
      ...{ status: 'True', reason: 'ImageSuccess', observedGeneration: metadata.generation },
    });
    expect(verdictOf(await now(), 'Error')).toBe('False ImageSuccess');
    expect((await now())?.metadata.finalizers).toEqual([own]);
    expect(provider.requests).toMatchObject([
      { metadata: { name: 'host', labels: { infraenv: 'one' } }, format: 'iso' },
    ]);
    expect(provider.calls).toEqual(['build iso']);
    await pass();
    expect(bench.writes).toEqual([]);
  });

  it('of something else than what is asked for now is withdrawn, discarded and replaced, each to be seen', async () => {
    await image();
    await pass();
    const seen: string[] = [];
    bench.store(kind).listen(({ object }) => {
      const { imageUrl = 'none' } = (object.status ?? {}) as PreprovisioningImageStatus;
      seen.push(`${verdictOf(object, 'Ready').split(' ')[0]} ${imageUrl} ${provider.calls.at(-1)}`);
    });
    await image({ acceptFormats: ['initrd'] });
    provider.answers.push(built(2));
    expect(await pass()).toEqual({ kind: 'done' });
    expect(seen).toEqual([
      'True http://i/1 build iso',
      'False http://i/1 build iso',
      'False none discard iso',
      'True http://i/2 build initrd',
    ]);
    expect((await statusNow()).format).toBe('initrd');
  });

  it('has the newest URLs of its provider, without being made anew', async () => {
    await image();
    await pass();
    provider.answers.push(built(2));
    await pass();
    expect((await statusNow()).imageUrl).toBe('http://i/2');
    expect(bench.writes).toEqual(['patch preprovisioningimages/status']);
  });

  it('that is not ready is asked for again, with what its provider says', async () => {
    await image();
    provider.answers.push({ kind: 'notReady', message: 'squashing' });
    expect(await pass()).toEqual({ kind: 'after', ms: 10_000 });
    expect(conditionIn(await now(), 'Ready')).toMatchObject({ status: 'False', message: 'squashing' });
    expect(verdictOf(await now(), 'Error')).toBe('False ImageSuccess');
    await pass();
    expect(verdictOf(await now(), 'Ready')).toBe('True ImageSuccess');
  });

  it('that cannot be made says why, and waits for a change', async () => {
    await image();
    provider.answers.push({ kind: 'invalid', message: 'bad network data' });
    expect(await pass()).toEqual({ kind: 'done' });
    expect(verdictOf(await now(), 'Ready')).toBe('False ImageBuildInvalid');
    expect(conditionIn(await now(), 'Error')).toMatchObject({ status: 'True', message: 'bad network data' });
    expect((await statusNow()).imageUrl).toBeUndefined();
  });

  it.each([
    ['architecture', { architecture: 'riscv64' }],
    ['format', { acceptFormats: [] }],
  ])('of another %s than can be made is an error, and is made once that is put right', async (_what, more) => {
    await image();
    await pass();
    await image(more);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(verdictOf(await now(), 'Ready')).toBe('False ConfigurationError');
    expect(verdictOf(await now(), 'Error')).toBe('True ConfigurationError');
    expect(await statusNow()).toMatchObject({ format: 'iso' });
    expect((await statusNow()).imageUrl).toBeUndefined();
    await image(spec);
    await pass();
    expect(verdictOf(await now(), 'Ready')).toBe('True ImageSuccess');
    expect(verdictOf(await now(), 'Error')).toBe('False ImageSuccess');
  });

  it('whose provider breaks off is tried again', async () => {
    await image();
    provider.answers.push(new Error('disk full'));
    expect(await pass()).toEqual({ kind: 'backoff', maxMs: 30_000 });
    await pass();
    expect(verdictOf(await now(), 'Ready')).toBe('True ImageSuccess');
  });

  it('without a URL is not ready', async () => {
    await image();
    provider.answers.push({ kind: 'built', image: { imageURL: '', kernelURL: '', extraKernelParams: '' } });
    await pass();
    expect(verdictOf(await now(), 'Ready')).toBe('False ImageSuccess');
  });
});

describe('the network data of an agent image', () => {
  const networkDataName = 'network';

  it('that is missing is an error, looked for ever more slowly, until it is there', async () => {
    await image({ networkDataName });
    expect(await pass()).toEqual({ kind: 'after', ms: 10_000 });
    expect(verdictOf(await now(), 'Ready')).toBe('False MissingNetworkData');
    expect(conditionIn(await now(), 'Error')).toMatchObject({
      ...{ status: 'True', reason: 'MissingNetworkData', message: expect.stringContaining('network') },
    });
    bench.clock.advance(60_000);
    expect(await pass()).toEqual({ kind: 'after', ms: 70_000 });
    expect(bench.writes).toEqual([]);
    bench.clock.advance(3_600_000);
    expect(await pass()).toEqual({ kind: 'after', ms: 600_000 });

    await bench.secret(networkDataName, { networkData: 'eth0' });
    expect(await pass()).toEqual({ kind: 'done' });
    expect(verdictOf(await now(), 'Error')).toBe('False ImageSuccess');
    expect(verdictOf(await now(), 'Ready')).toBe('True ImageSuccess');
    expect(provider.networkData).toEqual({ networkData: 'eth0' });
  });

  it('is claimed for the image, and a new version of it makes a new image', async () => {
    await bench.secret(networkDataName, { networkData: 'eth0' });
    const { metadata } = await image({ networkDataName });
    await pass();
    const claimed = await bench.get(secretKind, 'default/network');
    expect(claimed?.metadata).toMatchObject({
      labels: { 'environment.metal3.io': 'baremetal' },
      ownerReferences: [{ kind: 'PreprovisioningImage', name: 'host', uid: metadata.uid }],
    });
    expect(claimed?.metadata.finalizers).toBeUndefined();
    const version = claimed?.metadata.resourceVersion;
    expect((await statusNow()).networkData).toEqual({ name: networkDataName, version });
    await pass();
    expect(provider.calls).toEqual(['build iso', 'build iso']);

    await bench.secret(networkDataName, { networkData: 'eth1' });
    await pass();
    expect(provider.calls.slice(2)).toEqual(['discard iso', 'build iso']);
    expect(provider.networkData).toEqual({ networkData: 'eth1' });
    expect((await statusNow()).networkData?.version).not.toBe(version);
    await image({ networkDataName: null });
    await pass();
    expect((await statusNow()).networkData).toBeUndefined();
    expect(provider.networkData).toEqual({});
  });
});

describe('an agent image that is deleted', () => {
  it('is kept while others need it, then discarded and let go', async () => {
    await image({}, { finalizers: [ofHost] });
    await pass();
    await bench.remove(kind, key);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.writes).toEqual([]);
    expect(provider.calls).toEqual(['build iso']);
    await bench.put(kind, key, { metadata: { finalizers: [own] } });
    await pass();
    expect(await now()).toBeUndefined();
    expect(provider.calls).toEqual(['build iso', 'discard iso']);
    expect(await pass()).toEqual({ kind: 'done' });
  });

  it('before it was ever made goes at once', async () => {
    await image({}, { finalizers: [own] });
    await bench.remove(kind, key);
    await pass();
    expect(await now()).toBeUndefined();
    expect(provider.calls).toEqual([]);
  });
});
