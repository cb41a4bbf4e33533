import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProvisionerNotReady } from '../../../src/provisioner/index.js';
import { HostBench } from '../../support/host-bench.js';
import { aHost, type HostBuilder } from '../../support/host-builder.js';
import { failing, registering } from '../../support/scripted-provisioner.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

const times = (metric: string) => bench.counted.filter((each) => each === metric).length;

describe('of reconciles is counted', () => {
  it('each one of a host that is there, be it paused', async () => {
    await bench.pass();
    expect(times('metal3_reconcile_total')).toBe(0);
    await bench.put(aHost().annotated({ 'baremetalhost.metal3.io/paused': '' }));
    await bench.pass();
    await bench.pass();
    expect(times('metal3_reconcile_total')).toBe(2);
    expect(times('metal3_reconcile_error_total')).toBe(0);
  });

  it('as an error what is thrown, and not that the back end is away, which has a counter of its own', async () => {
    await bench.put(aHost().in('provisioned'));
    await bench.pass();
    bench.backEnd.unready = new ProvisionerNotReady('Ironic is not ready');
    await bench.pass();
    expect([times('metal3_reconcile_error_total'), times('metal3_provisioner_not_ready_total')]).toEqual([0, 1]);
    bench.backEnd.unready = undefined;
    bench.backEnd.answer('adopt', new Error('no answer'));
    await bench.pass();
    expect([times('metal3_reconcile_error_total'), times('metal3_provisioner_not_ready_total')]).toEqual([1, 1]);
  });
});

describe('of registrations is counted', () => {
  const required = () => times('metal3_host_registration_required_total');

  it('each one that takes the pass up, and none that finds the host as it was', async () => {
    await bench.put(aHost().in('provisioned'));
    await bench.pass();
    expect(required()).toBe(0);
    bench.backEnd.answer('register', registering(failing('no route to BMC')));
    await bench.pass();
    expect(required()).toBe(1);
  });

  it('one that fails for want of an agent image that can be built', async () => {
    await bench.put(aHost().in('inspecting'));
    bench.backEnd.answer('preprovisioningImageFormats', []);
    await bench.pass();
    expect(required()).toBe(1);
  });

  it('a Secret that cannot be read', async () => {
    await bench.put(aHost().in('available'));
    bench.fault = ({ verb, resource }) => (verb === 'get' && resource === 'secrets' ? { status: 500 } : undefined);
    await bench.pass();
    expect(times('metal3_credentials_unhandled_error_total')).toBe(1);
  });
});

describe('the time is taken', () => {
  const begun = (operation: string) => ({
    operationHistory: { [operation]: { start: '2025-12-31T23:59:00Z', end: null } },
  });
  it.each<[string, HostBuilder]>([
    ['register', aHost().in('registering', begun('register'))],
    ['inspect', aHost().in('inspecting', begun('inspect'))],
    ['provision', aHost().in('provisioning', begun('provision'))],
    ['deprovision', aHost().in('deprovisioning', begun('deprovision'))],
  ])('that it took to %s a host, once it is done', async (operation, builder) => {
    await bench.put(builder);
    await bench.pass();
    expect(times(`metal3_operation_${operation}_duration_seconds`)).toBe(1);
  });
});
