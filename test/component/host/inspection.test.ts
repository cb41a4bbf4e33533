import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostBench } from '../../support/host-bench.js';
import { aHost } from '../../support/host-builder.js';
import { componentsObject, updateOf } from '../../support/firmware-objects.js';
import { failing, registering, working } from '../../support/scripted-provisioner.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

const inspection = (result: object, started = false) => ({ result, started, details: undefined });

describe('inspection', () => {
  it('that has started takes the requests that asked for it away, and leaves those that clients own', async () => {
    const asked = { 'inspect.metal3.io': '', 'reboot.metal3.io': '', 'reboot.metal3.io/client': '' };
    await bench.put(aHost().in('inspecting').annotated(asked));
    bench.backEnd.answer('inspectHardware', inspection(working(3000), true));
    const { host, decision } = await bench.pass();
    expect(host?.metadata.annotations).toEqual({ 'reboot.metal3.io/client': '' });
    expect(decision).toEqual({ kind: 'backoff' });
    expect(bench.backEnd.argsOf('inspectHardware').refresh).toBe(true);
  });

  it('puts new HardwareData in the place of the old, with our finalizer and the host in charge', async () => {
    await bench.put(aHost().spec({ architecture: 'x86_64' }).in('inspecting'));
    const old = await bench.api.create(
      { group: 'metal3.io', version: 'v1alpha1', kind: 'HardwareData', plural: 'hardwaredata' },
      {
        apiVersion: 'metal3.io/v1alpha1',
        kind: 'HardwareData',
        metadata: { name: 'host', namespace: 'default', finalizers: ['baremetalhost.metal3.io/hardwareData'] },
        spec: { hardware: { hostname: 'old' } },
      },
    );
    // With hardware known, the old HardwareData is not taken in first.
    await bench.change({ status: { hardware: { hostname: 'old' } } }, 'status');
    const { host } = await bench.pass();
    const data = await bench.hardwareData();
    expect(data?.metadata.uid).not.toBe(old.metadata.uid);
    expect(data?.metadata.finalizers).toEqual(['baremetalhost.metal3.io/hardwareData']);
    expect(data?.metadata.ownerReferences).toEqual([
      expect.objectContaining({
        kind: 'BareMetalHost',
        uid: host?.metadata.uid,
        controller: true,
        blockOwnerDeletion: true,
      }),
    ]);
    expect(data?.spec).toEqual({ hardware: { hostname: 'found', cpu: { arch: 'x86_64' } } });
    expect(host?.status).toMatchObject({ hardware: { hostname: 'found' }, provisioning: { state: 'preparing' } });
  });

  it('that was disabled meanwhile is skipped, without asking the back end', async () => {
    await bench.put(aHost().spec({ inspectionMode: 'disabled' }).in('inspecting'));
    const { host, events } = await bench.pass();
    expect(host?.status?.provisioning.state).toBe('preparing');
    expect(events).toContain('InspectionSkipped');
    expect(bench.backEnd.ops).not.toContain('inspectHardware');
  });

  it('that fails is an error of its own, and is restarted by the next try', async () => {
    await bench.put(aHost().in('inspecting'));
    bench.backEnd.answer('inspectHardware', inspection(failing('no heartbeat')));
    const { host, decision } = await bench.pass();
    expect(host?.status).toMatchObject({ errorType: 'inspection error', errorMessage: 'no heartbeat', errorCount: 1 });
    expect(decision).toEqual({ kind: 'after', ms: 120_000 });
    await bench.pass();
    expect(bench.backEnd.argsOf('inspectHardware').restartOnFailure).toBe(true);
  });

  it('that took too long is told with what to look at, after the words of the back end', async () => {
    await bench.put(aHost().in('inspecting'));
    bench.backEnd.answer('inspectHardware', inspection(failing('timeout reached while inspecting the node')));
    const { host, events } = await bench.pass();
    const message = host?.status?.errorMessage ?? '';
    expect(message).toMatch(/^timeout reached while inspecting the node \(the agent never called back: /);
    expect(events).toContain('InspectionError');
  });

  it('that could not set the boot mode names the mode that the host was to have', async () => {
    await bench.put(aHost().in('inspecting', { provisioning: { bootMode: 'legacy' } }));
    bench.backEnd.answer('inspectHardware', inspection(failing('Setting boot mode to bios failed')));
    const { host } = await bench.pass();
    expect(host?.status?.errorMessage).toMatch(
      /^Setting boot mode to bios failed \(legacy was wanted: .*spec\.bootMode/,
    );
  });

  it('of a host that is being deleted records no hardware', async () => {
    await bench.put(aHost().in('inspecting').deleted());
    expect(await bench.passes()).toEqual(['powering off before delete', 'deleting', 'gone']);
    expect(bench.backEnd.ops).not.toContain('inspectHardware');
    expect(await bench.hardwareData()).toBeUndefined();
  });

  it('that is thrown out leaves status and events as they were', async () => {
    await bench.put(aHost().in('inspecting'));
    bench.backEnd.answer('inspectHardware', new Error('connection reset'));
    const { host } = await bench.pass();
    expect(host?.status?.errorType).toBeUndefined();
    expect(host?.status?.errorCount).toBe(0);
    expect(host?.status?.provisioning.state).toBe('inspecting');
  });

  it.each(['available', 'inspecting'])(
    'that is asked for of a host in %s that is never to be inspected is refused, and told',
    async (state) => {
      const host = aHost().withoutImage().spec({ inspectionMode: 'disabled' }).in(state);
      await bench.put(host.annotated({ 'inspect.metal3.io': '', 'reboot.metal3.io/a': '' }));
      const states = await bench.passes(9);
      expect(states.at(-1)).toBe('available');
      expect(states.filter((each) => each === 'available')).toHaveLength(1);
      expect((await bench.host())?.metadata.annotations).toEqual({ 'reboot.metal3.io/a': '' });
      const told = (await bench.events('InspectionSkipped')).map(({ message }) => String(message));
      expect(told).toContainEqual(expect.stringMatching(/inspect\.metal3\.io.*spec\.inspectionMode/));
      expect(bench.backEnd.ops).not.toContain('inspectHardware');
      expect((await bench.pass()).decision).toEqual({ kind: 'after', ms: 60_000 });
    },
  );

  it('is asked for again from available by the annotation, which stays until it starts', async () => {
    await bench.put(aHost().withoutImage().in('available').annotated({ 'inspect.metal3.io': '' }));
    const { host } = await bench.pass();
    expect(host?.status?.provisioning.state).toBe('inspecting');
    expect(host?.metadata.annotations).toEqual({ 'inspect.metal3.io': '' });
  });
});

describe('preparation', () => {
  it('that has started saves what it applies, and is then over', async () => {
    await bench.put(
      aHost()
        .spec({ rootDeviceHints: { hctl: '1:2:3:4' } })
        .in('preparing', { provisioning: { rootDeviceHints: { hctl: '1:2:3:4' } } })
        .spec({ raid: { hardwareRAIDVolumes: [] } }),
    );
    bench.backEnd.answer(
      'prepare',
      { result: working(3000), started: true },
      { result: { kind: 'complete' }, started: false },
    );
    const { host, decision } = await bench.pass();
    expect(host?.status?.provisioning.raid).toEqual({ hardwareRAIDVolumes: [] });
    expect(decision).toEqual({ kind: 'after', ms: 3000 });
    const next = await bench.pass();
    expect(bench.backEnd.argsOf('prepare').unprepared).toBe(false);
    expect(next.host?.status).toMatchObject({ errorCount: 0, provisioning: { state: 'available' } });
  });

  it('that fails forgets hints and software RAID, and is retried from nothing', async () => {
    const raid = { hardwareRAIDVolumes: [{ level: '1' as const }], softwareRAIDVolumes: [] };
    await bench.put(
      aHost()
        .spec({ raid: { hardwareRAIDVolumes: [{ level: '5' }] } })
        .in('preparing', { provisioning: { raid } }),
    );
    bench.backEnd.answer('prepare', { result: failing('bad disk'), started: false });
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({ errorType: 'preparation error', errorMessage: 'bad disk' });
    expect(host?.status?.provisioning.raid).toEqual({ hardwareRAIDVolumes: [{ level: '1' }] });
    expect(host?.status?.provisioning.rootDeviceHints).toBeUndefined();
    await bench.passes(2);
    expect(bench.backEnd.argsOf('prepare')).toMatchObject({
      restartOnFailure: true,
      unprepared: true,
      actualRAID: undefined,
    });
  });

  describe('on a node that the back end has lost and made anew', () => {
    const raid = { hardwareRAIDVolumes: null, softwareRAIDVolumes: [{ level: '1' as const }] };
    const firstMade = '2026-01-01T00:00:00+00:00';
    const madeAnew = { ...registering({ kind: 'complete' }), createdAt: '2026-01-02T00:00:00+00:00' };
    const prepared = () =>
      aHost()
        .withoutImage()
        .spec({ raid: { softwareRAIDVolumes: [{ level: '1' }] } })
        .in('preparing', { provisioning: { raid }, lifecycle: { nodeCreatedAt: firstMade } });
    const unpreparedCalls = () =>
      bench.backEnd.calls.filter(({ op, args }) => op === 'prepare' && (args[0] as { unprepared: boolean }).unprepared);

    it('is made again, though it has the ID of the first one', async () => {
      await bench.put(prepared());
      for (let count = 0; count < 9; count += 1) bench.backEnd.answer('register', madeAnew);
      expect(await bench.passes()).toEqual(['preparing', 'available']);
      expect(unpreparedCalls()).toHaveLength(1);
      expect((await bench.host())?.status?.lifecycle?.nodeCreatedAt).toBe(madeAnew.createdAt);
    });

    it('is made again, though whatever was found out of it is lost with the process', async () => {
      await bench.put(prepared());
      const newer = { ...madeAnew, isNew: true, result: working(3000) };
      bench.backEnd.answer('register', newer, newer);
      bench.fault = ({ verb, subresource }) =>
        verb === 'patch' && subresource === 'status' ? { status: 500 } : undefined;
      await bench.pass();
      await bench.pass();
      bench.fault = undefined;
      bench.restart();
      // By now the node looks like any other.
      for (let count = 0; count < 9; count += 1) bench.backEnd.answer('register', madeAnew);
      await bench.passes();
      expect(unpreparedCalls()).toHaveLength(1);
    });

    it('is told from one whose age comes with another fraction of a second', async () => {
      await bench.put(prepared());
      const same = { ...registering({ kind: 'complete' }), createdAt: '2026-01-01T00:00:00.600000+00:00' };
      bench.backEnd.answer('register', same);
      expect(await bench.passes()).toEqual(['available']);
      expect(unpreparedCalls()).toEqual([]);
    });

    it('of which nobody knows the age yet is not done again', async () => {
      await bench.put(aHost().withoutImage().in('preparing'));
      bench.backEnd.answer('register', madeAnew);
      await bench.passes();
      expect(unpreparedCalls()).toEqual([]);
      expect((await bench.host())?.status?.lifecycle?.nodeCreatedAt).toBe(madeAnew.createdAt);
    });

    it('is made again when the first registration of the new one failed', async () => {
      await bench.put(prepared());
      const refused = { ...madeAnew, result: failing('no such BMC') };
      bench.backEnd.answer('register', refused);
      await bench.pass();
      for (let count = 0; count < 9; count += 1) bench.backEnd.answer('register', madeAnew);
      await bench.passes();
      expect(unpreparedCalls()).toHaveLength(1);
    });

    it('begins the updates once more that were under way', async () => {
      await bench.put(
        aHost()
          .withoutImage()
          .in('preparing', { lifecycle: { nodeCreatedAt: firstMade, begunUpdates: '1@2026-01-01T00:00:00Z' } }),
      );
      await bench.companion('components', componentsObject([updateOf('bmc', 1)], [updateOf('bmc', 1)]));
      for (let count = 0; count < 9; count += 1) bench.backEnd.answer('register', madeAnew);
      await bench.passes();
      expect(unpreparedCalls()).toHaveLength(1);
      expect(bench.backEnd.argsOf('prepare')).toMatchObject({
        firmware: { targetComponents: [updateOf('bmc', 1)] },
      });
    });
  });

  it('comes again when the RAID that is wished for has changed', async () => {
    await bench.put(
      aHost()
        .withoutImage()
        .in('available', { provisioning: { raid: { hardwareRAIDVolumes: null, softwareRAIDVolumes: null } } })
        .spec({ raid: { hardwareRAIDVolumes: [] } }),
    );
    expect((await bench.pass()).host?.status?.provisioning.state).toBe('preparing');
  });

  it('does not circle: what was applied and recorded is not applied again', async () => {
    await bench.put(
      aHost()
        .withoutImage()
        .spec({ raid: { hardwareRAIDVolumes: [] } })
        .in('preparing'),
    );
    expect(await bench.passes()).toEqual(['available']);
    expect(bench.backEnd.ops.filter((op) => op === 'prepare')).toHaveLength(1);
  });
});
