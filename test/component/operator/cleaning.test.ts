import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { FaultsInput } from '../../../src/embedded/ironic/index.js';
import { eventually } from '../../support/eventually.js';
import { condition, otherImage, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

/** Cleaning is automatic: it comes between `manageable` and `available`, and after each undeployment. */
const broken: FaultsInput = { rules: [{ fail: { step: 'clean', always: true, text: 'platter stuck' } }] };
const powerReasons = new Set(['PowerOn', 'PowerOff']);

describe('a cleaning that always fails', () => {
  let plant: TestPlant;
  beforeEach(async () => {
    plant = await TestPlant.start({ speed: 600, patienceMs: 40_000, phases: { phaseSeconds: 2 } });
  });
  afterEach(() => plant.stop());

  /** So many more passes over this host, each brought about by somebody's change of it. */
  async function passes(name: string, many: number): Promise<void> {
    const count = () => plant.reports.filter(({ key }) => key.endsWith(`/${name}`)).length;
    const enough = count() + many;
    for (let note = 0; count() < enough; note += 1) {
      const before = count();
      await plant.annotate(name, { 'notes/looked': String(note) });
      await eventually('one more pass', () => count() > before);
    }
  }

  function wasUncleanAndTaken(name: string): boolean {
    // Work that only a clean machine may be given.
    return plant.requests(name).some((action) => action === 'active' || action.startsWith('power on'));
  }

  it('on the way to a deployment is an error that is shown, not a loop; it works once cleaning does', async () => {
    plant.ironic.setFaults(broken);
    await plant.add('host');
    const { status } = await plant.fails('host', 'provisioning error');
    expect(status).toMatchObject({
      operationalStatus: 'error',
      errorCount: 1,
      provisioning: { state: 'provisioning' },
    });
    expect(status?.errorMessage).toMatch(/^Cleaning failed: .*platter stuck/);
    expect(status?.lifecycle?.nextRetryAt).toEqual(expect.any(String));
    expect(condition(plant.host('host'), 'Ready').status).toBe('False');

    await passes('host', 50);
    // One enrolment, and never in a state that says the machine may be had.
    expect(plant.states('host').slice(-2)).toEqual(['provisioning', 'deprovisioning']);
    const told = await plant.reasons('host', 'ProvisioningError');
    expect(told.filter((reason) => powerReasons.has(reason)).length).toBeLessThanOrEqual(1);
    expect(wasUncleanAndTaken('host')).toBe(false);

    plant.ironic.setFaults({});
    await passes('host', 1);
    await plant.settled('host');
    const { errorCount, errorMessage, provisioningFailCount } = plant.host('host').status ?? {};
    expect({ errorCount, errorMessage, provisioningFailCount }).toEqual({
      ...{ errorCount: 0, errorMessage: '', provisioningFailCount: 0 },
    });
    expect(plant.count('host', 'active')).toBe(1);
  });

  it('after a deployment never makes the host available, nor switches it on', async () => {
    await plant.add('host');
    await plant.settled('host');
    plant.ironic.setFaults(broken);
    const before = plant.requests('host').length;
    await plant.change('host', { spec: { image: otherImage } });
    await plant.until('host', 'four failures', ({ status }) => (status?.errorCount ?? 0) >= 4);
    expect(plant.host('host').status?.errorMessage).toMatch(/^Cleaning failed: .*platter stuck/);
    expect(plant.states('host').at(-1)).toBe('deprovisioning');
    const asked = plant.requests('host').slice(before);
    expect(new Set(asked)).toEqual(new Set(['deleted', 'manage', 'provide']));

    plant.ironic.setFaults({});
    await plant.until('host', 'other', ({ status }) => status?.provisioning.image?.url === otherImage.url);
    await plant.settled('host');
    expect(plant.count('host', 'active')).toBe(2);
  });
});

describe('an available host', () => {
  let plant: TestPlant;
  beforeEach(async () => {
    plant = await TestPlant.start({ speed: 200 });
    await plant.add('host', { spec: { image: undefined } });
    await plant.until('host', 'on', ({ status }) => status?.provisioning.state === 'available' && status.poweredOn);
  });
  afterEach(() => plant.stop());

  const ways = () => plant.history('host').map(({ to }) => to);
  /** Begun: a cleaning that goes on after a wait for its agent is no other one. */
  const cleanings = () =>
    plant.history('host').filter(({ from, to }) => to === 'cleaning' && !/^clean/.test(from ?? '')).length;

  it('that never had an image stays manageable in Ironic, and is cleaned before its first one', async () => {
    const looks = plant.reports.length;
    await eventually('some looks more', () => plant.reports.length >= looks + 3);
    expect(plant.host('host').status?.provisioning.state).toBe('available');
    expect(plant.node('host')?.provision_state).toBe('manageable');
    expect(cleanings()).toBe(0);

    await plant.change('host', { spec: { image: otherImage } });
    await plant.settled('host');
    expect(cleanings()).toBe(1);
    expect(ways().indexOf('cleaning')).toBeLessThan(ways().indexOf('deploying'));
  });

  it('that was deprovisioned is available and clean in Ironic as well', async () => {
    await plant.change('host', { spec: { image: otherImage } });
    await plant.settled('host');
    const before = cleanings();
    await plant.change('host', { spec: { image: null } });
    await plant.reaches('host', 'available');
    expect(plant.node('host')?.provision_state).toBe('available');
    expect(cleanings()).toBe(before + 1);
  });
});
