/** One object of every kind, come to rest: nothing is written any more, nor by the next operator, whoever the former was. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import { FixedImageProvider } from '../../../src/controllers/preprovisioning-image/index.js';
import { type KindRef, type KubeObject, secretKind } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { image, TestPlant } from '../../support/plant.js';

jest.setTimeout(180_000);

const minute = 60_000;
const switches = { configsSecret: 'configs', credentialsSecret: 'keys', credentialsPath: '/keys' };
const images = { iso: '', kernel: 'http://images.example.com/kernel', ramdisk: 'http://images.example.com/initrd' };
/** What people make; the operator makes the others. */
const wishes: readonly [KindRef, string, object][] = [
  [
    kinds.bareMetalSwitch,
    'leaf',
    { address: 'a', macAddress: '02:00:00:00:01:01', deviceType: 'd', credentials: { name: 'login' } },
  ],
  [kinds.hostDeployPolicy, 'all', { hostClaimNamespaces: {} }],
  [kinds.hostClaim, 'served', { poweredOn: true }],
  [kinds.hostClaim, 'waiting', { poweredOn: true, hostSelector: { matchLabels: { none: 'such' } } }],
  [kinds.bmcEventSubscription, 'alerts', { hostName: 'used', destination: 'https://events.example.com/' }],
  [kinds.dataImage, 'used', { url: 'http://images.example.com/data.iso' }],
  [kinds.dataImage, 'nobody', { url: 'http://images.example.com/data.iso' }],
  [kinds.hostUpdatePolicy, 'used', { firmwareSettings: 'onReboot' }],
  [kinds.hostFirmwareSettings, 'nobody', { settings: { NumLock: 'On' } }],
  [kinds.hostFirmwareComponents, 'nobody', { updates: [{ component: 'bmc', url: 'http://images.example.com/bmc' }] }],
  [kinds.hostNetworkAttachment, 'net', { mode: 'trunk', nativeVLAN: 1 }],
];

interface Status {
  readonly conditions?: readonly { readonly message?: string }[];
  readonly [field: string]: unknown;
}

/** Without what is but a word of whoever wrote it, or the time at which that was. */
function factsOf({ metadata, spec, status }: KubeObject): object {
  const { managedFields: _fields, resourceVersion: _version, ...facts } = metadata;
  const { lifecycle: _lifecycle, lastUpdated: _updated, conditions = [], ...said } = (status ?? {}) as Status;
  const verdicts = conditions.map(({ message: _message, ...verdict }) => verdict);
  return { metadata: facts, spec, said, verdicts };
}

/** Undefined: nothing is said there. */
function wordsOfAnother({ conditions }: Status): object | undefined {
  return conditions && { conditions: conditions.map((each) => ({ ...each, message: 'in the words of another' })) };
}

describe('objects of every kind', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    const imageProvider = new FixedImageProvider(() => images);
    plant = await TestPlant.start({ speed: 100, buildsImages: true, imageProvider, servesClaims: true, switches });
    for (const name of ['configs', 'keys']) await plant.putSecret(name, {});
    await plant.putSecret('login', { username: 'u', password: 'p' });
    await plant.putSecret('net', { networkData: '{}' });
    await plant.add('used', { spec: { image } });
    await plant.add('free', { spec: { image: undefined, preprovisioningNetworkDataName: 'net' } });
    await plant.settled('used');
    await plant.reaches('free', 'available');
    for (const [kind, name, spec] of wishes) {
      const metadata = { namespace: plant.namespace, name };
      await plant.api.create(kind, { apiVersion: 'metal3.io/v1alpha1', kind: kind.kind, metadata, spec });
    }
    await plant.until('free', 'taken', ({ spec }) => spec.consumerRef?.name === 'served');
    await atRest();
  });
  afterAll(() => plant.stop());

  async function everything<T>(take: (object: KubeObject) => T): Promise<Record<string, T>> {
    const all: Record<string, T> = {};
    for (const kind of [...Object.values(kinds), secretKind]) {
      for (const object of (await plant.api.list(kind, {})).items)
        all[`${kind.kind} ${object.metadata.name}`] = take(object);
    }
    return all;
  }

  const versions = () => everything(({ metadata }) => metadata.resourceVersion ?? '');

  /** Longer than any pause between two looks at what is at rest. */
  const looks = () => plant.clock.sleep(11 * minute);

  async function atRest(): Promise<void> {
    await eventually('rest', async () => {
      const before = await versions();
      await plant.clock.sleep(2 * minute);
      return JSON.stringify(await versions()) === JSON.stringify(before);
    });
  }

  it('are all there, and left alone once they are at rest', async () => {
    const before = await versions();
    const there = new Set(Object.keys(before).map((key) => key.split(' ')[0]));
    expect([...Object.values(kinds).map(({ kind }) => kind)].filter((kind) => !there.has(kind))).toEqual([]);
    await looks();
    expect(await versions()).toEqual(before);
  });

  it('are left alone by the next operator', async () => {
    const before = await versions();
    await plant.restartOperator();
    await looks();
    expect(await versions()).toEqual(before);
  });

  it('stay as they are, but for words, when they come from another operator, and are left alone then', async () => {
    await plant.operator.stop();
    const before = await everything(factsOf);
    for (const kind of Object.values(kinds)) {
      for (const { metadata, status } of (await plant.api.list(kind, {})).items) {
        const news = kind === kinds.bareMetalHost ? { lifecycle: null } : wordsOfAnother((status ?? {}) as Status);
        const place = { namespace: plant.namespace, name: metadata.name };
        if (news !== undefined) await plant.api.patch(kind, place, { status: news }, { subresource: 'status' });
      }
    }
    const told = (name: string) => plant.requests(name).join();
    const requests = [told('used'), told('free')];
    await plant.startOperator();
    await atRest();
    expect(await everything(factsOf)).toEqual(before);
    const after = await versions();
    await looks();
    expect(await versions()).toEqual(after);
    expect([told('used'), told('free')]).toEqual(requests);
  });
});
