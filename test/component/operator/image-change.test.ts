import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { image, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

describe('a wish that is changed while it is deployed', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    const slow = { state: 'wait call-back' as const, factor: 40 };
    plant = await TestPlant.start({ speed: 40, faults: { rules: [{ slow }] } });
  });
  afterAll(() => plant.stop());

  const other = { url: 'http://images.example.com/other.qcow2', checksum: 'b'.repeat(64), checksumType: 'sha256' };

  /** Changed in the middle of the first deployment. */
  const begin = async (name: string, first: Record<string, unknown>, then: Record<string, unknown>) => {
    await plant.add(name, { spec: first });
    await eventually('it has begun', () => plant.node(name)?.provision_state === 'wait call-back');
    await plant.change(name, { spec: then });
    expect(plant.node(name)?.provision_state).toBe('wait call-back');
  };
  const has = (name: string, state: string, what: { url?: string; method?: string }) =>
    plant.until(name, `${state} with ${JSON.stringify(what)}`, ({ status }) => {
      const { provisioning } = status ?? {};
      const isThat = provisioning?.image?.url === (what.url ?? '') && provisioning.customDeploy?.method === what.method;
      return provisioning?.state === state && isThat;
    });

  it.each([
    ['an image', image, other],
    ['an image of a registry', { url: 'oci://registry.example.com/a:1' }, { url: 'oci://registry.example.com/b:2' }],
  ])('%s: is said to be on the host until the other one is', async (what, first, then) => {
    const name = what.replaceAll(' ', '-');
    await begin(name, { image: first }, { image: then });
    const { status } = await has(name, 'provisioned', first);
    expect(status?.provisioning.image).toEqual(first);
    await has(name, 'available', {});
    const last = await has(name, 'provisioned', then);
    expect(last.status?.provisioning.image).toEqual(then);
    expect(plant.count(name, 'active')).toBe(2);
    expect(plant.node(name)?.instance_info).toMatchObject({ image_source: then.url });
    await plant.events(name, 'ProvisioningComplete', 2);
    expect(await plant.reasons(name)).toContain('ProvisioningCancelled');
  });

  it('a custom deploy: is said to be what the host has until the other one is', async () => {
    const deploy = (method: string) => ({ image: undefined, customDeploy: { method } });
    await begin('custom', deploy('first_step'), { customDeploy: { method: 'second_step' } });
    await has('custom', 'provisioned', { method: 'first_step' });
    await has('custom', 'available', {});
    await has('custom', 'provisioned', { method: 'second_step' });
    expect(plant.count('custom', 'active')).toBe(2);
  });
});
