import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { hardwareDataKind, hostKind } from '../../../src/controllers/host/index.js';
import { type KindRef, secretKind } from '../../../src/kube/index.js';
import { companionKinds } from '../../support/companions.js';
import { eventually } from '../../support/eventually.js';
import { image, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

const contents: readonly KindRef[] = [secretKind, hardwareDataKind, ...Object.values(companionKinds), hostKind];

let plant: TestPlant;
beforeEach(async () => {
  plant = await TestPlant.start();
});
afterEach(() => plant.stop());

describe('a namespace that is deleted with its hosts', () => {
  it('goes in the end, hosts cleaned and Secrets let go, though nothing can be made in it and a write meets a conflict', async () => {
    await plant.add('used', { spec: { image } });
    await plant.add('idle', { spec: { image: undefined } });
    await plant.settled('used');
    await plant.reaches('idle', 'available');
    let isConflicting = true;
    plant.kubeFault = ({ verb, resource, subresource }) => {
      if (verb === 'create' && !resource.startsWith('events'))
        return { status: 403, message: 'namespace is terminating' };
      const isFirst = isConflicting && verb === 'patch' && resource.startsWith('baremetalhosts') && subresource === '';
      if (!isFirst) return undefined;
      isConflicting = false;
      return { status: 409 };
    };
    // As the controller of namespaces does it: everything in it at once, in no order.
    for (const kind of contents) {
      const { items } = await plant.api.list(kind, { namespace: plant.namespace });
      for (const { metadata } of items)
        await plant.api.delete(kind, { namespace: plant.namespace, name: metadata.name });
    }
    await plant.gone('used');
    await plant.gone('idle');
    expect(isConflicting).toBe(false);
    expect(plant.count('used', 'deleted')).toBe(1);
    expect(plant.count('idle', 'deleted')).toBe(0);
    await eventually('the Secrets to go', async () =>
      (await plant.secret('used-bmc')) === undefined && (await plant.secret('idle-bmc')) === undefined
        ? true
        : undefined,
    );
    expect(plant.node('used')).toBeUndefined();
  });
});

describe('an Ironic that has lost its database', () => {
  it('gets its hosts back: one at rest is only registered, one in use is adopted, neither is deployed or cleaned', async () => {
    await plant.add('used', { spec: { image } });
    await plant.add('idle', { spec: { image: undefined } });
    await plant.add('others', { spec: { image: undefined, externallyProvisioned: true } });
    await plant.settled('used');
    await plant.reaches('idle', 'available');
    await plant.reaches('others', 'externally provisioned');
    plant.ironic.emptyDatabase();
    for (const name of ['used', 'idle', 'others']) await plant.annotate(name, { 'example.com/poke': '1' });
    const isIn = (name: string, state: string) =>
      eventually(`${name} ${state}`, () => plant.node(name)?.provision_state === state);
    await isIn('used', 'active');
    await isIn('others', 'active');
    await isIn('idle', 'manageable');
    for (const [name, deployments, cleanings] of [
      ['used', 1, 0],
      ['idle', 0, 0],
      ['others', 0, 0],
    ] as const) {
      expect([name, plant.count(name, 'active'), plant.count(name, 'deleted')]).toEqual([name, deployments, cleanings]);
      expect(plant.count(name, 'inspect')).toBeLessThan(2);
      expect(plant.host(name).status?.errorType).toBeUndefined();
    }
    await plant.remove('used');
    await plant.gone('used');
  });
});
