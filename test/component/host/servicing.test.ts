import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { complete } from '../../../src/provisioner/index.js';
import { actualSettings, componentsObject, settingsObject } from '../../support/firmware-objects.js';
import { updateOf, verdict, wantedSettings } from '../../support/firmware-objects.js';
import { HostBench } from '../../support/host-bench.js';
import { aHost } from '../../support/host-builder.js';
import { failing, working } from '../../support/scripted-provisioner.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

const onReboot = { spec: { firmwareSettings: 'onReboot', firmwareUpdates: 'onReboot' } };
const rebooted = { 'reboot.metal3.io': '' };
const off = (times = 1) => {
  for (let count = 0; count < times; count += 1) bench.backEnd.answer('updateHardwareState', { poweredOn: false });
};
const offHost = (status: object = {}) => aHost().in('provisioned', { poweredOn: false, ...status });
const services = () => bench.backEnd.ops.filter((op) => op === 'service').length;
const bmc = updateOf('bmc', 1);

describe('the firmware of a host in use', () => {
  it('is changed at its next reboot: off, said so, changed while off, and on again after a minute', async () => {
    await bench.put(aHost().in('provisioned').annotated(rebooted));
    await bench.companion('policies', onReboot);
    await bench.companion('settings', settingsObject());
    bench.backEnd.answer('powerOff', working(3_000));
    await bench.pass();
    expect(bench.backEnd.ops).toContain('powerOff');
    off(6);
    expect((await bench.pass()).host?.status?.poweredOn).toBe(false);
    expect((await bench.pass()).host?.metadata.annotations ?? {}).toEqual({});

    const said = await bench.pass();
    expect(said.host?.status).toMatchObject({ operationalStatus: 'servicing', provisioning: { state: 'provisioned' } });
    expect(said.decision).toEqual({ kind: 'backoff' });
    expect(services()).toBe(0);

    bench.backEnd.answer('service', { result: working(10_000), started: true }, { result: complete, started: false });
    const begun = await bench.pass();
    expect(bench.backEnd.argsOf('service')).toEqual({
      firmware: { targetSettings: wantedSettings, actualSettings, targetComponents: [] },
      ...{ hasFirmwareSpec: true, unprepared: true, restartOnFailure: false },
    });
    expect(begun.decision).toEqual({ kind: 'after', ms: 10_000 });
    expect(begun.host?.status?.lifecycle?.waitsFor).toBe('the firmware to be changed');

    const done = await bench.pass();
    expect(bench.backEnd.argsOf('service')).toEqual({
      ...{ hasFirmwareSpec: true, unprepared: false, restartOnFailure: false },
    });
    expect(done.host?.status).toMatchObject({ operationalStatus: 'OK', errorCount: 0 });
    expect(done.decision).toEqual({ kind: 'after', ms: 60_000 });
    expect(bench.backEnd.ops).not.toContain('powerOn');

    await bench.pass();
    expect(bench.backEnd.ops).toContain('powerOn');
    expect(services()).toBe(2);
  });

  it.each<[string, object | undefined]>([
    ['nobody has said that it may', undefined],
    ['it may only while the host is prepared', { spec: { firmwareSettings: 'onPreparing' } }],
    ['only other firmware may', { spec: { firmwareUpdates: 'onReboot' } }],
  ])('stays as it is when %s', async (_what, policy) => {
    await bench.put(offHost());
    if (policy !== undefined) await bench.companion('policies', policy);
    await bench.companion('settings', settingsObject());
    off();
    await bench.pass();
    expect(services()).toBe(0);
    expect(bench.backEnd.ops).toContain('powerOn');
  });

  it('stays as it is while the host runs, or is to stay off', async () => {
    await bench.put(aHost().in('provisioned'));
    await bench.companion('policies', onReboot);
    await bench.companion('settings', settingsObject());
    await bench.passes(3);
    await bench.change({ spec: { online: false } });
    off(3);
    await bench.passes(3);
    expect(services()).toBe(0);
  });

  it('of a host that others provisioned is changed in the same way', async () => {
    const host = aHost().spec({ externallyProvisioned: true });
    await bench.put(host.in('externally provisioned', { poweredOn: false }));
    await bench.companion('policies', onReboot);
    await bench.companion('components', componentsObject([bmc]));
    off(2);
    await bench.pass();
    await bench.pass();
    expect(bench.backEnd.argsOf('service')).toMatchObject({ firmware: { targetComponents: [bmc] } });
    expect((await bench.companionOf('components'))?.status).toMatchObject({ updates: [bmc] });
  });

  it('is not decided upon before there is a verdict, and the host stays off until then', async () => {
    await bench.put(offHost());
    await bench.companion('policies', onReboot);
    await bench.companion('settings', settingsObject({ generation: 9 }));
    off(2);
    expect((await bench.pass()).decision).toEqual({ kind: 'backoff', maxMs: 30_000 });
    expect(bench.backEnd.ops).not.toContain('powerOn');
    await bench.companion('settings', { status: { conditions: verdict({ changed: false }) } });
    await bench.pass();
    expect(bench.backEnd.ops).toContain('powerOn');
  });
});

describe('a change of firmware that fails', () => {
  it('is an error of servicing, and the next try says so first and then begins anew', async () => {
    await bench.put(offHost({ operationalStatus: 'servicing' }));
    await bench.companion('policies', onReboot);
    await bench.companion('settings', settingsObject());
    await bench.companion('components', componentsObject([bmc]));
    off(9);
    bench.backEnd.answer(
      'service',
      { result: working(10_000), started: true },
      { result: failing('no such file'), started: false },
    );
    await bench.pass();
    expect((await bench.companionOf('components'))?.status).toMatchObject({ updates: [bmc] });
    const failed = await bench.pass();
    expect(failed.host?.status).toMatchObject({
      ...{ operationalStatus: 'error', errorType: 'servicing error', errorMessage: 'no such file', errorCount: 1 },
    });
    expect(failed.events).toContain('ServicingError');
    expect(failed.decision).toEqual({ kind: 'after', ms: 120_000 });
    expect((await bench.companionOf('components'))?.status).not.toHaveProperty('updates');

    const said = await bench.pass();
    expect(said.host?.status).toMatchObject({ operationalStatus: 'servicing', errorType: 'servicing error' });
    expect(services()).toBe(2);
    bench.backEnd.answer('service', { result: working(0), started: false });
    for (let count = 0; count < 2; count += 1) await bench.pass();
    expect(bench.backEnd.argsOf('service')).toMatchObject({
      firmware: { targetSettings: wantedSettings, targetComponents: [bmc] },
      ...{ restartOnFailure: true, unprepared: true, hasFirmwareSpec: true },
    });
  });

  it('is given up once nobody wishes for it any more', async () => {
    const failed = { errorType: 'servicing error', errorMessage: 'x', errorCount: 2 };
    await bench.put(offHost({ operationalStatus: 'servicing', ...failed }));
    await bench.companion('settings', settingsObject());
    off(2);
    bench.backEnd.answer('service', { result: working(0), started: true });
    await bench.pass();
    expect(bench.backEnd.argsOf('service')).toEqual({
      ...{ hasFirmwareSpec: false, unprepared: false, restartOnFailure: true },
    });
    expect((await bench.pass()).host?.status).toMatchObject({ operationalStatus: 'OK', errorCount: 0 });
  });

  it('does not follow the host into its next life', async () => {
    const failed = { operationalStatus: 'error', errorType: 'servicing error', errorMessage: 'x' } as const;
    await bench.put(aHost().withoutImage().in('deprovisioning', failed));
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({
      operationalStatus: 'OK',
      errorMessage: '',
      provisioning: { state: 'available' },
    });
    await bench.passes(3);
    expect(services()).toBe(0);
  });
});
