import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostBench } from '../../support/host-bench.js';
import { aHost, image } from '../../support/host-builder.js';
import { failing, silence, working } from '../../support/scripted-provisioner.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

const off = () => bench.backEnd.answer('updateHardwareState', { poweredOn: false });

describe('power', () => {
  it('as it is wished is left alone and looked at every minute', async () => {
    await bench.put(aHost().in('provisioned'));
    await bench.passes();
    expect(await bench.pass()).toMatchObject({ decision: { kind: 'after', ms: 60_000 }, writes: [] });
    expect(bench.backEnd.ops).not.toContain('powerOn');
  });

  it('is recorded as it was seen, before anything is done about it', async () => {
    await bench.put(aHost().in('provisioned'));
    off();
    const { host, decision } = await bench.pass();
    expect(host?.status?.poweredOn).toBe(false);
    expect(decision).toEqual({ kind: 'backoff' });
    expect(bench.backEnd.ops).not.toContain('powerOn');
    off();
    await bench.pass();
    expect(bench.backEnd.ops).toContain('powerOn');
  });

  it('that a silent BMC did not change is tried again soon, and the error ends with the success', async () => {
    await bench.put(aHost().in('provisioned', { poweredOn: false }));
    for (let count = 0; count < 3; count += 1) off();
    bench.backEnd.answer('powerOn', silence, silence);
    const first = await bench.pass();
    expect(first.host?.status).toMatchObject({ errorType: 'power management error', errorCount: 1 });
    expect(first.host?.status?.lifecycle).toMatchObject({ nextRetryAt: '2026-01-01T00:00:10Z' });
    expect(first.decision).toEqual({ kind: 'after', ms: 10_000 });
    expect((await bench.pass()).decision).toEqual({ kind: 'after', ms: 20_000 });
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({ operationalStatus: 'OK', errorMessage: '', errorCount: 0 });
  });

  it('of unknown state is no reason to act', async () => {
    await bench.put(aHost().in('provisioned'));
    bench.backEnd.answer('updateHardwareState', { poweredOn: undefined });
    expect((await bench.pass()).decision).toEqual({ kind: 'after', ms: 60_000 });
  });

  it('is off while a client holds it off, and on again once the client lets go; its annotation stays', async () => {
    await bench.put(aHost().in('provisioned').annotated({ 'reboot.metal3.io/maintenance': '' }));
    bench.backEnd.answer('powerOff', working(0));
    await bench.pass();
    expect(bench.backEnd.ops).toContain('powerOff');
    for (let count = 0; count < 4; count += 1) off();
    await bench.passes(3);
    expect((await bench.host())?.metadata.annotations).toEqual({ 'reboot.metal3.io/maintenance': '' });
    expect(bench.backEnd.ops).not.toContain('powerOn');
    await bench.change({ metadata: { annotations: { 'reboot.metal3.io/maintenance': null } } });
    off();
    await bench.pass();
    expect(bench.backEnd.ops).toContain('powerOn');
  });

  it('goes off once for a one-shot request, which is removed when the host was seen off', async () => {
    await bench.put(aHost().in('provisioned').annotated({ 'reboot.metal3.io': '' }));
    bench.backEnd.answer('powerOff', working(0));
    await bench.pass();
    expect(bench.backEnd.argsOf('powerOff')).toMatchObject({ rebootMode: 'soft', force: false });
    off();
    expect((await bench.pass()).host?.status?.poweredOn).toBe(false);
    off();
    expect((await bench.pass()).host?.metadata.annotations ?? {}).toEqual({});
    off();
    await bench.pass();
    expect(bench.backEnd.ops).toContain('powerOn');
  });

  it.each([
    [
      'one hard and one soft',
      { 'reboot.metal3.io/a': '{"mode":"hard"}', 'reboot.metal3.io/b': '{"mode":"soft"}' },
      'hard',
      [],
    ],
    ['what is no JSON', { 'reboot.metal3.io/a': '{mode' }, 'soft', ['InvalidAnnotationValue']],
    ['an empty value', { 'reboot.metal3.io/a': '' }, 'soft', []],
    ['an unknown mode', { 'reboot.metal3.io/a': '{"mode":"gentle"}' }, 'soft', []],
  ])('takes %s for what it is', async (_what, annotations, mode, told) => {
    await bench.put(
      aHost()
        .in('provisioned')
        .annotated(annotations as never),
    );
    bench.backEnd.answer('powerOff', working(0));
    const { events } = await bench.pass();
    expect(bench.backEnd.argsOf('powerOff').rebootMode).toBe(mode);
    expect(events).toEqual(told);
  });

  it.each([
    ['', false],
    ['{"mode":"hard"}', false],
    ['{"force":true}', true],
  ])('of an available host answers only to a forced request: %s', async (value, acts) => {
    await bench.put(aHost().withoutImage().in('available').annotated({ 'reboot.metal3.io': value }));
    await bench.pass();
    expect(bench.backEnd.ops.includes('powerOff')).toBe(acts);
  });

  it('that would not go off softly is forced off the next time, and says so', async () => {
    await bench.put(aHost().spec({ online: false }).in('provisioned'));
    bench.backEnd.answer('powerOff', failing('timeout'));
    const { host, events } = await bench.pass();
    expect(host?.status).toMatchObject({ errorType: 'power management error', errorCount: 1 });
    expect(host?.status?.errorMessage).toBe('soft power off failed, the next one is hard: timeout');
    expect(events).toContain('PowerManagementError');
    bench.backEnd.answer('powerOff', failing('again'));
    const second = await bench.pass();
    expect(bench.backEnd.argsOf('powerOff')).toMatchObject({ rebootMode: 'hard', force: true });
    expect(second.host?.status?.errorMessage).toBe('again');
  });

  it('of a host that must not be powered off is cycled once for each change of a lasting request', async () => {
    const hold = { 'reboot.metal3.io/a': '' };
    await bench.put(aHost().spec({ disablePowerOff: true }).in('provisioned').annotated(hold));
    for (let count = 0; count < 3; count += 1) bench.backEnd.answer('powerOff', working(0));
    await bench.passes();
    await bench.pass();
    expect(bench.backEnd.ops.filter((op) => op === 'powerOff')).toHaveLength(1);
    await bench.change({ metadata: { annotations: { 'reboot.metal3.io/b': '' } } });
    await bench.pass();
    expect(bench.backEnd.ops.filter((op) => op === 'powerOff')).toHaveLength(2);
  });

  const never = () => aHost().spec({ disablePowerOff: true }).in('provisioned');

  it('of a host that must not be powered off, whose reboot failed, is tried again by force, with the request kept', async () => {
    await bench.put(never().annotated({ 'reboot.metal3.io/a': '', 'reboot.metal3.io': '' }));
    bench.backEnd.answer('powerOff', failing('no reset'), working(0));
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({ errorType: 'power management error', errorCount: 1 });
    expect(Object.keys(host?.metadata.annotations ?? {}).sort()).toEqual(['reboot.metal3.io', 'reboot.metal3.io/a']);
    const second = await bench.pass();
    expect(bench.backEnd.argsOf('powerOff')).toMatchObject({ rebootMode: 'hard', force: true });
    const settled = second.host?.metadata.annotations ?? {};
    expect(Object.keys(settled).sort()).toEqual(['ironchart.io/rebooted', 'reboot.metal3.io/a']);
    expect((await bench.pass()).host?.status).toMatchObject({
      operationalStatus: 'OK',
      errorMessage: '',
      errorCount: 0,
    });
  });

  it('that a client has not taken back yet holds the host off, and the host says so', async () => {
    await bench.put(aHost().in('provisioned', { poweredOn: false }).annotated({ 'reboot.metal3.io/a': '' }));
    off();
    const { host, decision } = await bench.pass();
    expect(decision).toEqual({ kind: 'after', ms: 60_000 });
    expect(host?.status?.lifecycle?.waitsFor).toMatch(/reboot\.metal3\.io/);
    await bench.change({ metadata: { annotations: { 'reboot.metal3.io/a': null } } });
    off();
    bench.backEnd.answer('powerOn', working(0));
    expect((await bench.pass()).host?.status?.lifecycle?.waitsFor).toBeUndefined();
    expect(bench.backEnd.ops).toContain('powerOn');
  });

  it.each([
    ['that has an image to get', aHost(), /^spec\.online to be true/],
    ['that wants nothing', aHost().withoutImage(), undefined],
  ])('off, as wished, of an available host %s is told if it keeps the host from its image', async (_, host, words) => {
    await bench.put(host.spec({ online: false }).in('available', { poweredOn: false }));
    off();
    const { status } = (await bench.pass()).host ?? {};
    expect(status?.provisioning.state).toBe('available');
    expect(status?.lifecycle?.waitsFor).toEqual(words === undefined ? undefined : expect.stringMatching(words));
    off();
    expect((await bench.pass()).writes).toEqual([]);
  });

  it('of a host that must not be powered off is asked for until the machine was told', async () => {
    await bench.put(never().annotated({ 'reboot.metal3.io/a': '' }));
    const later = { ...working(3000), isDeferred: true };
    bench.backEnd.answer('powerOff', later, later, working(0));
    for (let count = 0; count < 2; count += 1) {
      const { decision, host } = await bench.pass();
      expect(decision).toEqual({ kind: 'after', ms: 3000 });
      expect(host?.metadata.annotations).toEqual({ 'reboot.metal3.io/a': '' });
    }
    expect((await bench.pass()).host?.metadata.annotations).toHaveProperty(['ironchart.io/rebooted']);
    await bench.pass();
    expect(bench.backEnd.ops.filter((op) => op === 'powerOff')).toHaveLength(3);
  });

  describe('that is to be off by one field of the spec, and never by another', () => {
    const torn = () => never().spec({ online: false });

    it('is neither taken away nor cycled: the host rests, says so, and tells it once', async () => {
      await bench.put(torn());
      const first = await bench.pass();
      expect(first.events).toEqual(['PowerOffRefused']);
      expect(first.host?.status?.lifecycle?.waitsFor).toMatch(/spec\.online.*spec\.disablePowerOff/);
      const { message } = first.host!.status!.conditions!.find(({ type }) => type === 'Progressing')!;
      expect(message).toBe(first.host?.status?.lifecycle?.waitsFor);
      for (let count = 0; count < 5; count += 1) {
        bench.clock.advance(61_000);
        const { decision, events, writes } = await bench.pass();
        expect([decision, events, writes]).toEqual([{ kind: 'after', ms: 60_000 }, [], []]);
      }
      expect(bench.backEnd.ops.filter((op) => op.startsWith('power'))).toEqual([]);
    });

    it('is told by the operator that comes next neither', async () => {
      await bench.put(torn());
      await bench.pass();
      bench.restart();
      expect((await bench.pass()).events).toEqual([]);
    });

    it('is said no more once the spec is of one mind', async () => {
      await bench.put(torn());
      await bench.pass();
      await bench.change({ spec: { online: true } });
      const { host } = await bench.pass();
      expect(host?.status?.lifecycle?.waitsFor).toBeUndefined();
      expect(host?.status?.conditions?.find(({ type }) => type === 'Progressing')?.message).toBe('');
    });

    it('ends the error of a power-off that came before', async () => {
      await bench.put(aHost().spec({ online: false }).in('provisioned'));
      bench.backEnd.answer('powerOff', failing('no'));
      await bench.pass();
      await bench.change({ spec: { disablePowerOff: true } });
      const { host } = await bench.pass();
      expect(host?.status).toMatchObject({ operationalStatus: 'OK', errorMessage: '', errorCount: 0, poweredOn: true });
    });

    it('is still rebooted for whoever asks, once', async () => {
      await bench.put(torn().annotated({ 'reboot.metal3.io': '' }));
      bench.backEnd.answer('powerOff', working(0));
      await bench.passes();
      const { host } = await bench.pass();
      expect(host?.metadata.annotations).toBeUndefined();
      expect(bench.backEnd.ops.filter((op) => op === 'powerOff')).toHaveLength(1);
    });
  });

  describe('of a host whose machine cannot be what the status says', () => {
    const odd = { poweredOn: true, contradiction: 'available here, active there' };

    it.each(['available', 'provisioned'])('and that rests as %s, says so, and tells it once', async (state) => {
      await bench.put(aHost().withoutImage().spec({ customDeploy: undefined }).in(state, { provisioning: { image } }));
      await bench.change({ spec: { image } });
      for (let count = 0; count < 4; count += 1) bench.backEnd.answer('updateHardwareState', odd);
      const first = await bench.pass();
      expect(bench.backEnd.argsOf('updateHardwareState')).toBe(state);
      expect(first.events).toEqual(['StateContradicted']);
      expect(first.host?.status?.lifecycle?.waitsFor).toBe(odd.contradiction);
      expect(first.host?.status?.provisioning.state).toBe(state);
      bench.clock.advance(61_000);
      const { decision, events, writes } = await bench.pass();
      expect([decision, events, writes]).toEqual([{ kind: 'after', ms: 60_000 }, [], []]);
    });

    it('is told of an available host whose status has an image on record: it would never get that one', async () => {
      await bench.put(aHost().in('available', { provisioning: { image } }));
      const first = await bench.pass();
      expect(first.events).toEqual(['StateContradicted']);
      const { waitsFor } = first.host?.status?.lifecycle ?? {};
      expect(waitsFor).toMatch(/status\.provisioning\.image .*power commands still go/);
      // It may hold a login, which is no matter of events.
      expect(waitsFor).not.toContain(image.url);
      await bench.change({ status: { provisioning: { image: null } } }, 'status');
      expect((await bench.pass()).host?.status?.provisioning.state).toBe('provisioning');
    });

    it('says so no more once it can', async () => {
      await bench.put(aHost().in('provisioned'));
      bench.backEnd.answer('updateHardwareState', odd, { poweredOn: true });
      await bench.pass();
      const { host } = await bench.pass();
      expect(host?.status?.lifecycle?.waitsFor).toBeUndefined();
    });
  });

  it('error ends when the wish that could not be fulfilled is taken back', async () => {
    await bench.put(aHost().spec({ online: false }).in('provisioned'));
    bench.backEnd.answer('powerOff', failing('no'));
    expect((await bench.pass()).host?.status?.errorType).toBe('power management error');
    await bench.change({ spec: { online: true } });
    const { host, decision } = await bench.pass();
    expect(host?.status).toMatchObject({ operationalStatus: 'OK', errorMessage: '', errorCount: 0 });
    expect(host?.status?.errorType).toBeUndefined();
    expect(decision).toEqual({ kind: 'after', ms: 60_000 });
  });

  it('as it is wished ends no error but its own', async () => {
    const other = {
      errorType: 'servicing error',
      errorMessage: 'x',
      operationalStatus: 'error',
      errorCount: 2,
    } as const;
    await bench.put(aHost().in('provisioned', { ...other, poweredOn: true }));
    expect((await bench.pass()).host?.status?.errorCount).not.toBe(0);
  });

  it.each([true, false])(
    'that changed at the second try counts no failure: the next power-off is gentle (online: %s)',
    async (online) => {
      await bench.put(aHost().spec({ online }).in('provisioned', { poweredOn: !online }));
      let isOn = !online;
      bench.backEnd.gate = (op) => (op === 'updateHardwareState' ? { poweredOn: isOn } : undefined);
      bench.backEnd.answer(online ? 'powerOn' : 'powerOff', failing('no'), working(3_000));
      expect((await bench.pass()).host?.status).toMatchObject({ errorType: 'power management error', errorCount: 1 });
      // Under way: what is counted is kept, so that a try after this one is hard as well.
      expect((await bench.pass()).host?.status).toMatchObject({ operationalStatus: 'OK', errorCount: 1 });
      isOn = online;
      await bench.passes();
      const { status } = (await bench.host())!;
      expect(status).toMatchObject({ operationalStatus: 'OK', errorCount: 0, poweredOn: online });
    },
  );

  it('error is cleared by the power that is seen', async () => {
    const failed = {
      errorType: 'power management error' as const,
      errorMessage: 'x',
      operationalStatus: 'error' as const,
      poweredOn: false,
      errorCount: 3,
    };
    await bench.put(aHost().in('provisioned', failed));
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({ poweredOn: true, operationalStatus: 'OK', errorMessage: '', errorCount: 0 });
  });

  it('counts each command by its wish', async () => {
    await bench.put(aHost().in('provisioned', { poweredOn: false }));
    off();
    bench.backEnd.answer('powerOn', working(0));
    await bench.pass();
    expect(bench.counted).toContain('metal3_operation_power_change_total on');
  });

  it('counts as on until it was seen off, however long that takes', async () => {
    await bench.put(aHost().spec({ online: false }).in('provisioned'));
    for (let count = 0; count < 20; count += 1) {
      bench.backEnd.answer('powerOff', working(3_000));
      expect((await bench.pass()).host?.status?.poweredOn).toBe(true);
      bench.clock.advance(3_000);
    }
    off();
    expect((await bench.pass()).host?.status?.poweredOn).toBe(false);
  });
});
