import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { image, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

describe('an image that is changed while it is deployed', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    const slow = { state: 'wait call-back' as const, factor: 20 };
    plant = await TestPlant.start({ speed: 40, faults: { rules: [{ match: { name: 'changing' }, slow }] } });
  });
  afterAll(() => plant.stop());

  const other = { url: 'http://images.example.com/other.qcow2', checksum: 'b'.repeat(64), checksumType: 'sha256' };

  it('is what the host is said to have, until the other one is on it', async () => {
    await plant.add('changing', { spec: { image } });
    await plant.until('changing', 'on record', ({ status }) => status?.lastAttemptedImage?.url === image.url);
    await eventually('it has begun', () => plant.node('changing')?.provision_state === 'wait call-back');
    await plant.change('changing', { spec: { image: other } });

    const has = (url: string) => (state: string) =>
      plant.until('changing', `${state} with ${url}`, ({ status }) => {
        const { provisioning } = status ?? {};
        return provisioning?.state === state && provisioning.image?.url === url;
      });
    const first = await has(image.url)('provisioned');
    expect(first.status?.provisioning.image).toEqual(image);
    await has('')('available');
    const last = await has(other.url)('provisioned');
    expect(last.status?.provisioning.image).toEqual(other);
    expect(plant.count('changing', 'active')).toBe(2);
    expect(plant.node('changing')?.instance_info).toMatchObject({ image_source: other.url });
    await plant.events('changing', 'ProvisioningComplete', 2);
    expect(await plant.reasons('changing')).toContain('ProvisioningCancelled');
  });
});
