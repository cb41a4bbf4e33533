/** What holds a host up in Ironic is over in a moment, mostly; once it lasts, the host is given words for it. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OperationResult, Provisioner } from '../../../src/provisioner/index.js';
import { derivedUUID } from '../../../src/provisioner/ironic/identity.js';
import {
  hostAccess,
  hostUID,
  inspectData,
  prepareData,
  provisionData,
  registerData,
  serviceData,
  StillClock,
  testFactory,
} from '../../support/ironic-host.js';
import { MockIronic, nodeUUID } from '../../support/mock-ironic.js';

let mock: MockIronic;
let clock: StillClock;
beforeEach(async () => {
  mock = await MockIronic.start();
  clock = new StillClock();
});
afterEach(() => mock.stop());

type Work = (provisioner: Provisioner) => Promise<OperationResult>;
type Fields = Record<string, unknown>;
const path = `/v1/nodes/${nodeUUID}`;
const registered = { driver_info: { test_address: 'test.bmc' } };
const since = '1970-01-01T00:00:00Z';

const off: Work = (p) => p.powerOff({ rebootMode: 'hard', force: false, automatedCleaningMode: 'metadata' });
const on: Work = (p) => p.powerOn(false);
const deprovision: Work = (p) => p.deprovision({ restartOnFailure: false, automatedCleaningMode: 'metadata' });
const adopt: Work = (p) => p.adopt({ state: 'provisioned', restartOnFailure: false });
const register: Work = async (p) => (await p.register(registerData())).result;
const inspect: Work = async (p) => (await p.inspectHardware(inspectData({ refresh: true }))).result;
const provision: Work = async (p) => p.provision(provisionData());

/** One pass after the other, a minute apart, until this time (seconds) has come. Its words, or none, in turn. */
async function words(work: Work, until: number, host = hostAccess()): Promise<(string | undefined)[]> {
  const factory = testFactory(mock, { factory: { clock } });
  const said: (string | undefined)[] = [];
  for (; clock.ms <= until * 1000; clock.ms += 60_000) {
    const result = await work(await factory.forHost(host, () => undefined));
    if (result.kind !== 'inProgress') throw new Error(`is ${result.kind} already`);
    said.push(result.waitsFor);
  }
  return said;
}

const locked = { error_message: `Node ${nodeUUID} is locked by host conductor-7, please retry after a while.` };

function lock(body: object = locked): void {
  const refusal = { status: 409, body };
  mock.on('PATCH', path, refusal).on('DELETE', path, refusal);
  for (const route of ['states/provision', 'states/power', 'states/raid']) mock.on('PUT', `${path}/${route}`, refusal);
}

describe('a lock of the node that is not let go', () => {
  const held = expect.stringMatching(
    new RegExp(
      `^its Ironic node to be unlocked: the conductor "conductor-7" holds its lock, at least since ${since}\\. `,
    ),
  );
  const softwareRAID = { softwareRAIDVolumes: [{ level: '1' as const }] };
  const raid = { hardwareRAIDVolumes: [{ level: '1' as const }] };

  it.each<[string, Fields, Work]>([
    ['a registration', { provision_state: 'available' }, register],
    ['an inspection', { provision_state: 'manageable' }, inspect],
    [
      'a preparation',
      { provision_state: 'clean failed' },
      async (p) => (await p.prepare(prepareData({ targetRAID: raid, restartOnFailure: true }))).result,
    ],
    [
      'the volumes of a preparation',
      { provision_state: 'manageable', raid_interface: 'agent' },
      async (p) => (await p.prepare(prepareData({ targetRAID: softwareRAID }))).result,
    ],
    ['a deployment', { provision_state: 'manageable' }, provision],
    ['a deprovisioning', { provision_state: 'manageable' }, deprovision],
    ['a deprovisioning that has to set the cleaning', { provision_state: 'active' }, deprovision],
    ['an adoption', { provision_state: 'manageable' }, adopt],
    [
      'a servicing',
      { provision_state: 'service failed' },
      async (p) => (await p.service(serviceData({ hasFirmwareSpec: false }))).result,
    ],
    ['a power-on', { provision_state: 'active', power_state: 'power off' }, on],
    ['a power-off', { provision_state: 'active', power_state: 'power on' }, off],
    ['a removal', { provision_state: 'enroll' }, (p) => p.delete()],
  ])('is told of %s after three minutes, and in the same words from then on', async (_what, fields, work) => {
    mock.node(fields);
    lock();
    expect(await words(work, 360)).toEqual([undefined, undefined, undefined, held, held, held, held]);
  });

  it('is known by the node where Ironic does not name who holds it', async () => {
    mock.node({ provision_state: 'manageable', reservation: 'conductor-7' });
    lock({});
    expect((await words(deprovision, 180)).at(-1)).toEqual(held);
  });

  it('is waited for anew when another conductor holds it', async () => {
    mock.node({ provision_state: 'manageable', reservation: 'conductor-7' });
    lock({});
    await words(deprovision, 180);
    mock.node({ provision_state: 'manageable', reservation: 'conductor-8' });
    lock({});
    const factory = testFactory(mock, { factory: { clock } });
    const first = await deprovision(await factory.forHost(hostAccess(), () => undefined));
    expect(first).not.toHaveProperty('waitsFor');
  });

  const taken = { status: 202, body: {} };
  const patched = { body: { uuid: nodeUUID, name: 'myns~myhost', provision_state: 'enroll', last_error: '' } };

  it.each<[string, Work, () => void]>([
    ['a command that was taken', deprovision, () => void mock.on('PUT', `${path}/states/provision`, taken)],
    ['a change that was taken', register, () => void mock.on('PATCH', path, patched)],
    ['a while without any', deprovision, () => void (clock.ms += 600_000)],
  ])('is another one after %s', async (_what, work, between) => {
    mock.node({ provision_state: 'manageable' });
    lock();
    const factory = testFactory(mock, { factory: { clock } });
    const look = async () => work(await factory.forHost(hostAccess(), () => undefined));
    for (; clock.ms < 240_000; clock.ms += 60_000) await look();
    expect(await look()).toMatchObject({ waitsFor: held });
    between();
    await look();
    lock();
    expect(await look()).not.toHaveProperty('waitsFor');
  });

  it('is told in the words of Ironic where it is no lock', async () => {
    mock.node({ provision_state: 'manageable' });
    lock({ error_message: 'instance is associated with another node' });
    expect((await words(deprovision, 180)).at(-1)).toBe(
      `Ironic to take what it refuses at least since ${since}: instance is associated with another node`,
    );
  });

  it('of a node that cannot be made either', async () => {
    const host = hostAccess({ provisionerID: '' });
    mock.absent('myns~myhost', 'myhost', derivedUUID(hostUID)!);
    mock.on('POST', '/v1/nodes', { status: 409, body: { error_message: 'duplicate name' } });
    expect((await words(register, 180, host)).slice(-2)).toEqual([
      undefined,
      `Ironic to take what it refuses at least since ${since}: duplicate name`,
    ]);
  });
});

describe('a node that stays in the midst of something', () => {
  const busy = (state: string, purpose: string) => `its Ironic node to be done with "${state}" before ${purpose}`;

  it.each<[Fields, string, Work, string]>([
    [{ power_state: 'power off', target_power_state: 'power on' }, 'on', on, 'the "power on" to end that Ironic is at'],
    [
      { power_state: 'power on', target_power_state: 'soft power off' },
      ...(['off', off, 'the "soft power off" to end that Ironic is at'] as const),
    ],
    [
      { power_state: 'power off', provision_state: 'verifying', target_provision_state: 'manageable' },
      ...(['on', on, busy('verifying', 'its power can be changed')] as const),
    ],
    [{ provision_state: 'cleaning' }, 'off', off, busy('cleaning', 'its power can be changed')],
    [
      { provision_state: 'clean wait', target_provision_state: 'available' },
      ...(['off', off, busy('clean wait', 'its power can be changed')] as const),
    ],
    [{ provision_state: 'servicing' }, 'detached', (p) => p.detach(true), busy('servicing', 'it can be removed')],
    [{ provision_state: 'verifying' }, 'removed', (p) => p.delete(), busy('verifying', 'it can be removed')],
    [{ provision_state: 'adopting' }, 'adopted', adopt, busy('adopting', 'its host can be looked after')],
    ...['deploying', 'servicing', 'adopting', 'inspecting'].map((state): [Fields, string, Work, string] => [
      ...([{ provision_state: state }, 'deprovisioned', deprovision] as const),
      busy(state, 'its disks can be cleaned'),
    ]),
    [{ provision_state: 'verifying' }, 'registered', register, 'Ironic to reach its BMC: its node is "verifying"'],
    [
      { provision_state: 'enroll', target_provision_state: 'manageable' },
      ...(['registered', register, 'Ironic to reach its BMC: its node is "enroll"'] as const),
    ],
  ])('(%j) is told once it has kept its host from being %s for long', async (fields, _what, work, told) => {
    mock.node({ ...registered, ...fields });
    const said = await words(work, 240);
    expect(said.slice(0, 3)).toEqual([undefined, undefined, undefined]);
    expect(new Set(said.slice(3))).toEqual(new Set([`${told}, as it has been at least since ${since}`]));
  });

  it.each<[string, Work]>([
    ['cleaning', deprovision],
    ['deploying', provision],
    ['inspecting', inspect],
    ['cleaning', async (p) => (await p.prepare(prepareData())).result],
  ])('is left to its work while it is at that: %s', async (state, work) => {
    mock.node({ provision_state: state });
    expect(new Set(await words(work, 1200))).toEqual(new Set([undefined]));
  });
});
