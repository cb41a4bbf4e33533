import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type BuildAnswer,
  FixedImageProvider,
  type ImageProvider,
} from '../../../src/controllers/preprovisioning-image/index.js';
import type { KubeObject } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { conditionIn, verdictOf } from '../../support/object-bench.js';
import { TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

const wish = (name: string, number: number, more: object = {}) => ({
  spec: {
    image: undefined,
    architecture: 'x86_64',
    bmc: {
      address: `redfish-virtualmedia://192.0.2.${number}/redfish/v1/Systems/1`,
      credentialsName: `${name}-bmc`,
    },
    ...more,
  },
});

function images(plant: TestPlant, name: string, what: string, accepts: (object: KubeObject) => boolean) {
  return eventually(`${name}: ${what}`, async () => {
    const object = await plant.companionOf('images', name);
    return object !== undefined && accepts(object) ? object : undefined;
  });
}

const isReady = (object: KubeObject) => verdictOf(object, 'Ready').startsWith('True');

describe('the agent images that the operator was started with', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    const iso = (architecture: string) => `http://images.example.com/${architecture || 'any'}.iso`;
    const imageProvider = new FixedImageProvider((architecture) => ({
      iso: iso(architecture),
      kernel: '',
      ramdisk: '',
    }));
    plant = await TestPlant.start({ buildsImages: true, imageProvider });
  });
  afterAll(() => plant.stop());

  it('are given to each host that asks, by its architecture, and go with it', async () => {
    await plant.add('fixed', wish('fixed', 220));
    await plant.reaches('fixed', 'available');
    expect(plant.node('fixed')?.driver_info).toMatchObject({ deploy_iso: 'http://images.example.com/x86_64.iso' });
    await plant.remove('fixed');
    await plant.gone('fixed');
    await eventually('the end of the image', async () =>
      (await plant.companionOf('images', 'fixed')) === undefined ? true : undefined,
    );
  });
});

describe('agent images that are made for one host each', () => {
  const network = () => ({ networkData: String(version) });
  let version = 1;
  let plant: TestPlant;
  const provider: ImageProvider = {
    supportsArchitecture: () => true,
    supportsFormat: (format) => format === 'iso',
    build: ({ metadata }, { networkData = 'none' }): Promise<BuildAnswer> => {
      const imageURL = `http://images.example.com/${metadata.name}-${networkData}.iso`;
      return Promise.resolve({ kind: 'built', image: { imageURL, kernelURL: '', extraKernelParams: '' } });
    },
    discard: () => Promise.resolve(),
  };
  beforeAll(async () => {
    plant = await TestPlant.start({ buildsImages: true, imageProvider: provider });
  });
  afterAll(() => plant.stop());

  it('wait for network data that is missing, hold it, and follow it when it changes', async () => {
    await plant.add('own', wish('own', 221, { preprovisioningNetworkDataName: 'network' }));
    await plant.until('own', 'the trouble', ({ status }) => status !== undefined && status.errorType !== undefined);
    await plant.putSecret('network', network());
    await plant.annotate('own', { 'ironchart.io/retry': '' });
    await plant.reaches('own', 'available');
    expect(plant.node('own')?.driver_info).toMatchObject({ deploy_iso: 'http://images.example.com/own-1.iso' });
    const object = await images(plant, 'own', 'ready', isReady);
    expect(conditionIn(object, 'Ready')?.observedGeneration).toBe(object.metadata.generation);

    version = 2;
    await plant.putSecret('network', network());
    await eventually('the new image', () =>
      plant.node('own')?.driver_info?.deploy_iso === 'http://images.example.com/own-2.iso' ? true : undefined,
    );
    await plant.reaches('own', 'available');
  });
});
