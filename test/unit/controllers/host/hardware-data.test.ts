import { describe, expect, it } from '@jest/globals';
import { HardwareDataStore, withPackedHardware } from '../../../../src/controllers/host/index.js';
import { type KubeApi, type KubeObject, ObjectStore } from '../../../../src/kube/index.js';

const hardware = {
  hostname: 'ä',
  cpu: { arch: 'aarch64', count: 64 },
  nics: [{ name: 'eth0', mac: '02:00:00:00:00:01' }],
};
const recorded = (spec?: object): KubeObject => ({
  apiVersion: 'metal3.io/v1alpha1',
  kind: 'HardwareData',
  metadata: {
    ...{ name: 'host', namespace: 'rack', uid: 'u-1', resourceVersion: '7', finalizers: ['theirs'] },
    ...{ labels: { a: 'b' }, managedFields: [{ manager: 'ironchart', fieldsV1: {} }] },
  },
  ...(spec === undefined ? {} : { spec }),
});

function filledWith(object: KubeObject) {
  const objects = new ObjectStore<KubeObject>(withPackedHardware);
  objects.put(object, 'watch');
  return { objects, store: new HardwareDataStore({} as KubeApi, objects) };
}

describe('the store of HardwareData', () => {
  it('gives back what is recorded, to each a copy of its own', () => {
    const { store } = filledWith(recorded({ hardware }));
    expect(store.hardware('rack/host')).toEqual(hardware);
    expect(store.hardware('rack/host')).not.toBe(store.hardware('rack/host'));
    expect(store.architecture('rack/host')).toBe('aarch64');
  });

  it('keeps no object of the hardware, and of the metadata what it goes by', () => {
    const { objects } = filledWith(recorded({ hardware }));
    expect(objects.get('rack/host')).toEqual({
      metadata: { name: 'host', namespace: 'rack', uid: 'u-1', resourceVersion: '7', finalizers: ['theirs'] },
      packed: expect.any(String),
      architecture: 'aarch64',
    });
  });

  it('keeps a large one in half of the size of its text at most', () => {
    const flags = Array.from({ length: 90 }, (_, index) => `flag${index}`);
    const nics = Array.from({ length: 8 }, (_, index) => ({ name: `eth${index}`, mac: `02:00:00:00:00:0${index}` }));
    const large = { ...hardware, cpu: { ...hardware.cpu, flags }, nics };
    const { objects, store } = filledWith(recorded({ hardware: large }));
    expect(store.hardware('rack/host')).toEqual(large);
    const { packed } = objects.get('rack/host') as { packed?: string };
    expect(packed!.length).toBeLessThan(JSON.stringify(large).length / 2);
  });

  it.each([
    ['nothing', undefined],
    ['an empty spec', {}],
    ['hardware without a processor', { hardware: {} }],
  ])('says that there is no architecture in %s', (_what, spec) => {
    const { store } = filledWith(recorded(spec));
    expect(store.architecture('rack/host')).toBe('');
    expect(store.hardware('rack/host')).toEqual((spec as { hardware?: object } | undefined)?.hardware);
    expect(store.hardware('rack/other')).toBeUndefined();
  });
});
