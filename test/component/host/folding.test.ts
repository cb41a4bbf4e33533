import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { maxRounds } from '../../../src/controllers/host/index.js';
import { HostBench } from '../../support/host-bench.js';
import { aHost } from '../../support/host-builder.js';
import { registering, working } from '../../support/scripted-provisioner.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
  bench.maxRounds = maxRounds;
  bench.restart();
});
afterEach(() => bench.stop());

const statusWrites = (writes: string[]) => writes.filter((write) => write === 'patch baremetalhosts/status').length;

describe('a reconcile of several passes', () => {
  it('shows every state of a life, in fewer writes than passes', async () => {
    await bench.put(aHost());
    let writes = 0;
    for (let count = 0; count < 12; count += 1) {
      const passed = await bench.pass();
      writes += statusWrites(passed.writes);
      if (passed.decision.kind === 'after') break;
    }
    expect(bench.shown).toEqual(['registering', 'inspecting', 'preparing', 'available', 'provisioning', 'provisioned']);
    // One for each of them: what is found out on the way is written with the next.
    expect(writes).toBe(6);
  });

  it('takes a new host under management and begins to register it in one write', async () => {
    await bench.put(aHost());
    bench.backEnd.answer('register', registering(working(3000)));
    const { host, writes, decision } = await bench.pass();
    expect(statusWrites(writes)).toBe(1);
    expect(host?.status).toMatchObject({ provisioning: { state: 'registering', ID: 'node-1', bootMode: 'UEFI' } });
    expect(host?.status?.triedCredentials?.credentials?.name).toBe('bmc');
    expect(host?.status?.operationHistory?.register?.start).toBeTruthy();
    expect(decision).toEqual({ kind: 'after', ms: 3000 });
  });

  it('tells the events of all its passes, in order, and counts each change once', async () => {
    await bench.put(aHost().in('registering'), { goodCredentials: false });
    const { host, events } = await bench.pass();
    expect(host?.status?.provisioning.state).toBe('inspecting');
    expect(events).toEqual(['BMCAccessValidated']);
    expect(bench.counted.filter((name) => name.startsWith('metal3_provisioning_state_change_total'))).toEqual([
      'metal3_provisioning_state_change_total registering inspecting',
    ]);
    expect(bench.counted.filter((name) => name === 'metal3_credentials_updated_total')).toHaveLength(1);
  });

  it('never leaves a state that nobody has seen', async () => {
    await bench.put(aHost().in('inspecting'));
    expect((await bench.pass()).host?.status?.provisioning.state).toBe('preparing');
    // One more for the architecture, which is now known.
    expect((await bench.pass()).host?.spec.architecture).toBe('x86_64');
    await bench.pass();
    expect(bench.shown).toEqual(['preparing', 'available', 'provisioning']);
  });

  it('keeps what it found out when a later pass is thrown out', async () => {
    await bench.put(aHost().in('registering'), { goodCredentials: false });
    bench.backEnd.answer('register', registering({ kind: 'complete' }), new Error('connection reset'));
    const { host, events } = await bench.pass();
    expect(host?.status?.goodCredentials?.credentials?.name).toBe('bmc');
    expect(host?.status?.provisioning.state).toBe('registering');
    expect(host?.status?.lifecycle?.waitsFor).toBe('connection reset');
    expect(events).toContain('BMCAccessValidated');
  });

  it('counts and shows what it found out before the credentials were refused', async () => {
    const bmc = { address: 'redfish://h/1', credentialsName: 'nowhere' };
    await bench.put(aHost().spec({ bmc }));
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({ errorType: 'registration error', provisioning: { state: 'registering' } });
    expect(bench.counted).toContain('metal3_provisioning_state_change_total  registering');
  });

  it('stops where it has written to the object itself: the next one decides on what is there now', async () => {
    await bench.put(aHost().in('provisioned', { poweredOn: false }).annotated({ 'reboot.metal3.io': '' }));
    bench.backEnd.answer('updateHardwareState', { poweredOn: false });
    const { writes, decision } = await bench.pass();
    expect(writes[0]).toBe('patch baremetalhosts');
    expect(decision).toEqual({ kind: 'backoff' });
    expect(bench.backEnd.ops).not.toContain('powerOn');
  });

  it('keeps its slot from one pass to the next', async () => {
    await bench.put(aHost().in('provisioning', { operationalStatus: 'delayed' }));
    bench.backEnd.answer('provision', working(10_000));
    await bench.pass();
    expect(bench.backEnd.ops).toContain('provision');
    expect(bench.ledger.holders()).toEqual(['default/host']);
  });
});
