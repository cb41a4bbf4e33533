/** A state in which a host comes to rest is written together with what the next pass finds of its power. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { maxRounds } from '../../../src/controllers/host/index.js';
import { HostBench, type Passed } from '../../support/host-bench.js';
import { aHost, type HostBuilder, image } from '../../support/host-builder.js';
import { failing, working } from '../../support/scripted-provisioner.js';

const commands = ['prepare', 'provision', 'deprovision', 'powerOn', 'powerOff', 'service', 'attachDataImage'];

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
  bench.maxRounds = maxRounds;
  bench.restart();
});
afterEach(() => bench.stop());

const history = { deprovision: { start: '2026-01-01T00:00:00Z', end: null } };
const cleaned = () => aHost().withoutImage().in('deprovisioning', { operationHistory: history });
const statusWrites = ({ writes }: Passed) => writes.filter((write) => write === 'patch baremetalhosts/status').length;
const commanded = () => bench.backEnd.ops.filter((op) => commands.includes(op));

/** Cleaned, and found to be off. */
async function putCleaned(host: HostBuilder = cleaned()): Promise<void> {
  await bench.put(host);
  bench.backEnd.gate = (op) => (op === 'updateHardwareState' ? { poweredOn: false } : undefined);
}

describe('the end of a cleaning and the power that is seen then', () => {
  it('are one write, and the machine is switched on after it', async () => {
    await putCleaned();
    bench.backEnd.answer('powerOn', working(3000));
    const passed = await bench.pass();
    expect(statusWrites(passed)).toBe(1);
    expect(passed.host?.status).toMatchObject({
      provisioning: { state: 'available' },
      poweredOn: false,
      operationHistory: { deprovision: { end: expect.stringMatching(/T/) as unknown } },
      lifecycle: { state: 'available' },
    });
    const conditions = passed.host?.status?.conditions ?? [];
    expect(conditions.find(({ type }) => type === 'AvailableForProvisioning')?.status).toBe('True');
    expect(conditions.find(({ type }) => type === 'Progressing')?.status).toBe('False');
    expect(commanded()).toEqual(['deprovision', 'powerOn']);
    expect(passed.decision).toEqual({ kind: 'after', ms: 3000 });
  });

  it('are told and counted once, though a command comes in between', async () => {
    await putCleaned();
    const { decision } = await bench.pass();
    expect(decision.kind).toBe('after');
    const changes = bench.counted.filter((name) => name.startsWith('metal3_provisioning_state_change_total'));
    expect(changes).toEqual(['metal3_provisioning_state_change_total deprovisioning available']);
    expect(bench.reports.map(({ from, to }) => `${from} > ${to}`)).toEqual([
      'deprovisioning > available',
      'available > available',
    ]);
  });

  it('are one write where nothing is to be done', async () => {
    await putCleaned(cleaned().spec({ online: false }));
    const passed = await bench.pass();
    expect(statusWrites(passed)).toBe(1);
    expect(passed.host?.status).toMatchObject({ provisioning: { state: 'available' }, poweredOn: false });
    expect(commanded()).toEqual(['deprovision']);
  });

  it('are both kept when the command fails', async () => {
    await putCleaned();
    bench.backEnd.answer('powerOn', failing('no answer'));
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({
      provisioning: { state: 'available' },
      errorType: 'power management error',
      errorCount: 1,
    });
  });

  it('give the slot back before more work stands in line for one', async () => {
    bench.backEnd.capacityLimit = 1;
    bench.restart();
    await putCleaned(aHost().in('deprovisioning'));
    bench.ledger.reserve('default/host');
    bench.ledger.reserve('default/waiting');
    const { host } = await bench.pass();
    expect(bench.ledger.holders()).toEqual(['default/waiting']);
    expect(host?.status).toMatchObject({ provisioning: { state: 'available' }, operationalStatus: 'delayed' });
  });
});

describe('the end of a deployment and the power that is seen then', () => {
  it('are one write', async () => {
    await bench.put(aHost().in('provisioning', { poweredOn: false }));
    const passed = await bench.pass();
    expect(statusWrites(passed)).toBe(1);
    expect(passed.host?.status).toMatchObject({
      provisioning: { state: 'provisioned', image },
      poweredOn: true,
    });
  });
});

describe('a write that the API server refuses before a command', () => {
  it('is no failure of the drive that the command is about', async () => {
    const url = 'http://images.example.com/data.iso';
    await bench.put(aHost().in('provisioning', { poweredOn: false }));
    await bench.companion('dataImages', { spec: { url } });
    bench.backEnd.gate = (op) => (op === 'updateHardwareState' ? { poweredOn: false } : undefined);
    bench.backEnd.answer('dataImageAttached', false, false);
    bench.fault = ({ verb, resource }) =>
      verb === 'patch' && resource.startsWith('baremetalhosts.') && commanded().length > 0
        ? { status: 500 }
        : undefined;
    const { host } = await bench.pass();
    expect(host?.status?.provisioning.state).toBe('provisioning');
    bench.fault = undefined;
    expect((await bench.companionOf('dataImages'))?.status).toBeUndefined();
    expect(commanded()).toEqual(['provision']);
    await bench.passes();
    expect((await bench.companionOf('dataImages'))?.status).toMatchObject({ attachedImage: { url } });
    expect(commanded()).toEqual(['provision', 'provision', 'attachDataImage']);
  });
});

describe('a host that leaves its new state at once', () => {
  it('is seen in it nevertheless, with a write of its own', async () => {
    await bench.put(aHost().in('preparing'));
    const passed = await bench.pass();
    expect(bench.shown).toEqual(['available', 'provisioning']);
    expect(statusWrites(passed)).toBe(2);
    expect(commanded()).toEqual(['prepare']);
  });
});

/** What goes out in such a reconcile, in order: the end of the cleaning, the folded write, the command to the machine. */
describe('an operator that is killed', () => {
  let isOn = false;
  const machine = (op: string) => {
    if (op === 'powerOn') isOn = true;
    return op === 'updateHardwareState' ? { poweredOn: isOn } : undefined;
  };
  beforeEach(() => {
    isOn = false;
    bench.backEnd.gate = machine;
  });

  /** Nothing goes out any more after `lived` of these, as from a process that is gone; then a new one begins. */
  async function killAfter(lived: number, losesAnswer: boolean): Promise<void> {
    let out = 0;
    const isLate = () => (out += 1) > lived;
    bench.fault = ({ verb }) => {
      if (verb !== 'patch' || !isLate()) return undefined;
      return losesAnswer && out === lived + 1 ? 'dropAfter' : 'drop';
    };
    bench.backEnd.gate = (op) => {
      if (commands.includes(op) && isLate()) throw new Error('killed');
      return machine(op);
    };
    await bench.pass();
    bench.fault = undefined;
    bench.backEnd.gate = machine;
    bench.restart();
  }

  it.each([
    ['before the cleaning has ended', 0, false, 'deprovisioning', []],
    ['before the write', 1, false, 'deprovisioning', ['deprovision']],
    ['before the answer to the write', 1, true, 'available', ['deprovision']],
    ['after the write', 2, false, 'available', ['deprovision']],
    ['after the command', 3, false, 'available', ['deprovision', 'powerOn']],
  ])('%s leaves what was written and told, and goes on from there', async (_when, lived, loses, state, told) => {
    await bench.put(cleaned());
    await killAfter(lived, loses);
    expect((await bench.host())?.status?.provisioning.state).toBe(state);
    expect(commanded()).toEqual(told);
    await bench.passes();
    expect((await bench.host())?.status).toMatchObject({
      provisioning: { state: 'available' },
      ...{ poweredOn: true, operationalStatus: 'OK', errorCount: 0 },
      operationHistory: { deprovision: { end: expect.stringMatching(/T/) as unknown } },
    });
    expect(commanded().filter((op) => op === 'powerOn')).toEqual(['powerOn']);
    expect(bench.shown.filter((shown) => shown !== 'deprovisioning')).toEqual(['available']);
  });
});
