/** Hosts that are held up say by what, and go on by themselves once that is over. */
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

let plant: TestPlant;
afterEach(() => plant.stop());

const waits = () => plant.versions('host').flatMap(({ status }) => status?.lifecycle?.waitsFor ?? []);

describe('a lock that is never let go', () => {
  it('is told with its conductor, in one write, and a deployment follows once it is', async () => {
    plant = await TestPlant.start({ speed: 150 });
    const text = 'Node x is locked by host conductor-7, please retry after the current operation is completed.';
    plant.ironic.setFaults({ api: [{ match: { method: 'P*T*', path: '/v1/nodes/*' }, status: 409, text }] });
    await plant.add('host');
    const isLock = (words: string | undefined) => words?.includes('conductor "conductor-7" holds its lock') === true;
    await plant.until('host', 'the lock', ({ status }) => isLock(status?.lifecycle?.waitsFor));
    await plant.clock.sleep(300_000);
    const told = waits().filter(isLock);
    expect(new Set(told).size).toBe(1);
    expect(told).toHaveLength(1);
    plant.ironic.setFaults({});
    await plant.settled('host');
    expect(plant.host('host').status).toMatchObject({ errorCount: 0, provisioning: { state: 'provisioned' } });
    expect(plant.host('host').status?.lifecycle?.waitsFor).toBeUndefined();
  });
});

describe('an inspection that is disabled', () => {
  const disabled = { spec: { inspectionMode: 'disabled' } };

  it('after it has failed lets the host be prepared and deployed, without a trace of its error', async () => {
    plant = await TestPlant.start({ speed: 150, faults: { rules: [{ fail: { step: 'inspect', always: true } }] } });
    await plant.add('host');
    await plant.fails('host', 'inspection error');
    await plant.change('host', disabled);
    await plant.settled('host');
    const { status } = plant.host('host');
    expect(status).toMatchObject({ operationalStatus: 'OK', errorMessage: '', provisioning: { state: 'provisioned' } });
    expect(status?.hardware).toBeUndefined();
  });

  it('while it is under way is ended, and the host says so until it is', async () => {
    plant = await TestPlant.start({ phases: { phaseSeconds: 20 } });
    await plant.add('host');
    await eventually('the inspection', () => plant.node('host')?.provision_state === 'inspect wait');
    await plant.change('host', disabled);
    await plant.settled('host');
    expect(waits()).toContain('the inspection to end that was under way when it was disabled');
    expect(plant.count('host', 'abort')).toBe(1);
    expect(plant.host('host').status?.errorCount).toBe(0);
  });
});
