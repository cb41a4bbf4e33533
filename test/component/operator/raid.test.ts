import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

const redfish = (name: string) => ({
  bmc: { address: 'redfish://192.0.2.200/redfish/v1/Systems/1', credentialsName: `${name}-bmc` },
  image: undefined,
});
const volumes = [{ level: '1' as const, name: 'root' }];

describe('the RAID volumes of a host', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start({
      isUnguarded: true,
      faults: { rules: [{ match: { name: 'broken' }, fail: { step: 'clean', times: 2, text: 'disk is on fire' } }] },
    });
  });
  afterAll(() => plant.stop());

  const cleanings = (name: string) => plant.requests(name).filter((verb) => verb === 'clean').length;

  it('are made once before it is available, and made anew when the wish changes', async () => {
    await plant.add('hardware', { spec: { ...redfish('hardware'), raid: { hardwareRAIDVolumes: volumes } } });
    await plant.reaches('hardware', 'available');
    expect(cleanings('hardware')).toBe(1);
    expect(plant.node('hardware')).toMatchObject({
      raid_interface: 'redfish',
      raid_config: { logical_disks: [{ volume_name: 'root', raid_level: '1' }] },
    });
    const host = plant.host('hardware');
    expect(host.status?.provisioning.raid).toMatchObject({ hardwareRAIDVolumes: volumes });

    await plant.change('hardware', { spec: { raid: { hardwareRAIDVolumes: [] } } });
    await plant.until(
      'hardware',
      'the wipe',
      ({ status }) => status?.provisioning.raid?.hardwareRAIDVolumes?.length === 0,
    );
    await plant.reaches('hardware', 'available');
    expect(cleanings('hardware')).toBe(2);
    expect(plant.node('hardware')).toMatchObject({ raid_config: { logical_disks: [] } });
  });

  it('that its BMC cannot make are an error of preparing, until the wish is withdrawn', async () => {
    const ipmi = { ...redfish('plain'), bmc: { address: 'ipmi://192.0.2.201', credentialsName: 'plain-bmc' } };
    await plant.add('plain', { spec: { ...ipmi, raid: { hardwareRAIDVolumes: volumes } } });
    await plant.until('plain', 'the error', ({ status }) => status?.errorType === 'preparation error');
    const host = plant.host('plain');
    expect(host.status?.errorMessage).toContain('does not support RAID');
    await plant.change('plain', { spec: { raid: null } });
    await plant.reaches('plain', 'available');
    expect(cleanings('plain')).toBe(0);
  });

  it('that could not be made are tried again until they are', async () => {
    await plant.add('broken', { spec: { ...redfish('broken'), raid: { hardwareRAIDVolumes: volumes } } });
    await plant.fails('broken', 'preparation error');
    expect(plant.host('broken').status?.errorMessage).toContain('disk is on fire');
    await plant.annotate('broken', { 'ironchart.io/retry': '' });
    await plant.reaches('broken', 'available');
    expect(cleanings('broken')).toBe(3);
    expect(plant.node('broken')).toMatchObject({
      maintenance: false,
      raid_config: { logical_disks: [{ volume_name: 'root' }] },
    });
  });
});
