import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostBench } from '../../support/host-bench.js';
import { aHost, type HostBuilder } from '../../support/host-builder.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

/** Others hold every slot there is. */
function fill(): void {
  for (let count = 0; count < bench.backEnd.capacityLimit; count += 1) bench.ledger.reserve(`default/other-${count}`);
}

describe('a host that needs a slot', () => {
  it.each(['inspecting', 'provisioning', 'deprovisioning'])(
    'and is %s is delayed, and nothing is done to it',
    async (state) => {
      await bench.put(aHost().in(state));
      fill();
      const { host, decision } = await bench.pass();
      expect(host?.status).toMatchObject({ operationalStatus: 'delayed', provisioning: { state } });
      expect(host?.status?.lifecycle?.waitsFor).toContain('at most 20 hosts');
      expect(bench.backEnd.ops).toEqual([]);
      expect(decision).toEqual({ kind: 'after', ms: 10_000 });
      const kind = state === 'deprovisioning' ? 'deprovisioning' : 'provisioning';
      expect(bench.counted).toContain(`metal3_delayed__${kind}_total`);
    },
  );

  it.each<[string, (host: HostBuilder) => HostBuilder]>([
    ['for its deletion', (host) => host.deleted()],
    ['for want of an image', (host) => host.withoutImage()],
  ])('to be deprovisioned %s is counted as such', async (_why, change) => {
    await bench.put(change(aHost().in('provisioned')));
    fill();
    await bench.pass();
    expect(bench.counted).toContain('metal3_delayed__deprovisioning_total');
    expect(bench.counted).not.toContain('metal3_delayed__provisioning_total');
  });

  it('stays delayed while there is none, and says OK before it goes on', async () => {
    await bench.put(aHost().in('provisioning', { operationalStatus: 'delayed' }));
    fill();
    expect((await bench.pass()).host?.status?.operationalStatus).toBe('delayed');
    bench.ledger.release('default/other-0');
    const { host, decision } = await bench.pass();
    expect(host?.status).toMatchObject({ operationalStatus: 'OK', provisioning: { state: 'provisioning' } });
    expect(decision).toEqual({ kind: 'backoff' });
    expect(bench.backEnd.ops).toEqual([]);
    await bench.pass();
    expect(bench.backEnd.ops).toContain('provision');
  });

  it('keeps the slot that it has waited for until its work begins, though others are in line', async () => {
    await bench.put(aHost().in('available', { operationalStatus: 'delayed' }));
    fill();
    await bench.pass();
    bench.ledger.reserve('default/later');
    bench.ledger.release('default/other-0');
    await bench.pass();
    expect(bench.ledger.holds('default/host')).toBe(true);
    expect(bench.ledger.waiters()).toEqual(['default/later']);
    expect((await bench.pass()).host?.status?.provisioning.state).toBe('provisioning');
  });

  it.each([
    ['is paused', { metadata: { annotations: { 'baremetalhost.metal3.io/paused': '' } } }],
    ['has lost its Secret', { spec: { bmc: { credentialsName: 'gone' } } }],
  ])('does not stand before others while it %s', async (_case, change) => {
    await bench.put(aHost().in('available'));
    fill();
    await bench.pass();
    bench.ledger.reserve('default/later');
    await bench.change(change);
    await bench.pass();
    expect(bench.ledger.waiters()).toEqual(['default/later']);
  });

  it('to be deprovisioned for its deletion stays where it is until there is one', async () => {
    await bench.put(aHost().in('provisioned').deleted());
    fill();
    expect((await bench.pass()).host?.status).toMatchObject({
      operationalStatus: 'delayed',
      provisioning: { state: 'provisioned' },
    });
    bench.ledger.release('default/other-0');
    await bench.pass();
    expect((await bench.pass()).host?.status?.provisioning.state).toBe('deprovisioning');
  });

  it('to begin to be provisioned keeps its state and its place in line', async () => {
    await bench.put(aHost().in('available'));
    fill();
    expect((await bench.pass()).host?.status).toMatchObject({
      operationalStatus: 'delayed',
      provisioning: { state: 'available' },
    });
    expect(bench.ledger.waiters()).toEqual(['default/host']);
  });

  it('no longer waits when it no longer wants anything', async () => {
    await bench.put(aHost().in('available'));
    fill();
    await bench.pass();
    await bench.change({ spec: { image: null } });
    const { host } = await bench.pass();
    expect(host?.status?.operationalStatus).toBe('OK');
    expect(bench.ledger.waiters()).toEqual([]);
  });
});

describe('a slot', () => {
  it('is held while the host is worked on, and given back when the work is done', async () => {
    await bench.put(aHost().in('provisioning'));
    bench.backEnd.answer('provision', { kind: 'inProgress', requeueAfterMs: 10_000 });
    await bench.pass();
    expect(bench.ledger.holders()).toEqual(['default/host']);
    await bench.pass();
    expect(bench.ledger.holders()).toEqual([]);
  });

  it('is held by a deleted host until its inspection has been ended', async () => {
    await bench.put(aHost().in('inspecting').deleted());
    bench.backEnd.answer('powerOff', { kind: 'inProgress', requeueAfterMs: 10_000 });
    await bench.pass();
    await bench.pass();
    expect(bench.ledger.holders()).toEqual(['default/host']);
    await bench.passes();
    expect(bench.ledger.holders()).toEqual([]);
  });

  it('is given back by a host that waits after a failure', async () => {
    await bench.put(aHost().in('inspecting'));
    bench.backEnd.answer('inspectHardware', {
      result: { kind: 'failed', message: 'timeout' },
      started: false,
      details: undefined,
    });
    await bench.pass();
    expect(bench.ledger.holders()).toEqual([]);
  });

  it('is not needed by a host on virtual media', async () => {
    await bench.put(aHost().in('provisioning'));
    fill();
    bench.backEnd.answer('capacity', { exempt: true, busy: [] });
    await bench.pass();
    expect(bench.backEnd.ops).toContain('provision');
  });

  it('is never asked for by a host without a BMC', async () => {
    await bench.put(
      aHost()
        .spec({ bmc: undefined })
        .in('unmanaged', { provisioning: { ID: '' } })
        .deleted(),
    );
    fill();
    await bench.passes();
    expect(await bench.host()).toBeUndefined();
    expect(bench.backEnd.calls.map(({ op }) => op)).not.toContain('capacity');
  });
});
