import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OrphanController } from '../../../../src/controllers/orphans/index.js';
import { ProvisionerNotReady } from '../../../../src/provisioner/index.js';
import { FakeClock, settle } from '../../../support/fake-clock.js';

const minute = 60_000;
let clock: FakeClock;
let hosts: Set<string>;
let known: string[];
let failure: Error | undefined;
let looks: number;
let told: { level: string; fields: Record<string, unknown>; message: string }[];
let controller: OrphanController;

beforeEach(() => {
  clock = new FakeClock();
  hosts = new Set(['metal/kept']);
  known = ['metal/kept', 'metal/gone', 'elsewhere/gone'];
  failure = undefined;
  looks = 0;
  told = [];
  const note = (level: string) => (fields: object, message: string) =>
    void told.push({ level, fields: { ...fields }, message });
  controller = new OrphanController({
    hosts: { has: (key) => hosts.has(key), namespaces: ['metal'] },
    look: () => {
      looks += 1;
      return failure === undefined ? Promise.resolve(known) : Promise.reject(failure);
    },
    clock,
    log: { debug: note('debug'), info: note('info'), warn: note('warn') },
  });
});
afterEach(() => controller.stop());

/** The first look and the one that makes sure. */
async function start(): Promise<void> {
  controller.start();
  await clock.advanceAsync(minute);
  await settle();
}

describe('the teller of machines without a host', () => {
  it('says nothing on the first look, and warns once when the second one finds the same', async () => {
    controller.start();
    await settle();
    expect([looks, controller.count, told]).toEqual([1, 0, []]);
    await clock.advanceAsync(minute);
    expect([looks, controller.count]).toEqual([2, 1]);
    expect(told).toEqual([
      {
        level: 'warn',
        fields: { controller: 'orphans', count: 1, hosts: ['metal/gone'] },
        message: expect.stringMatching(/nothing is done to them.*BareMetalHost.*delete its node/),
      },
    ]);
  });

  it('looks every ten minutes, and is silent as long as nothing changes', async () => {
    await start();
    await clock.advanceAsync(30 * minute);
    expect(looks).toBe(5);
    expect(told).toHaveLength(1);
  });

  it('does not suspect a host that was being made or removed during one look', async () => {
    known = ['metal/kept', 'metal/early'];
    controller.start();
    await settle();
    hosts.add('metal/early');
    known = ['metal/kept', 'metal/early', 'metal/leaving'];
    await clock.advanceAsync(minute);
    known = ['metal/kept', 'metal/early'];
    await clock.advanceAsync(30 * minute);
    expect([controller.count, told]).toEqual([0, []]);
  });

  it('says when the set changes, and when it is empty again', async () => {
    await start();
    known = [...known, 'metal/more'];
    await clock.advanceAsync(11 * minute);
    hosts.add('metal/gone').add('metal/more');
    await clock.advanceAsync(10 * minute);
    expect(told.map(({ level, fields }) => [level, fields.count, fields.hosts])).toEqual([
      ['warn', 1, ['metal/gone']],
      ['warn', 2, ['metal/gone', 'metal/more']],
      ['info', 0, undefined],
    ]);
    expect(controller.count).toBe(0);
  });

  it('names no more than fits a line, and counts them all', async () => {
    known = Array.from({ length: 120 }, (_, index) => `metal/gone-${index}`);
    await start();
    expect(told[0]!.fields.count).toBe(120);
    expect(told[0]!.fields.hosts).toHaveLength(50);
  });

  it('keeps what it knows while the back end is away, and asks again in a minute', async () => {
    await start();
    failure = new ProvisionerNotReady('Ironic is away');
    await clock.advanceAsync(12 * minute);
    expect(looks).toBe(5);
    expect(controller.count).toBe(1);
    expect(told.filter(({ level }) => level !== 'debug')).toHaveLength(1);
    failure = undefined;
    await clock.advanceAsync(minute);
    expect([looks, controller.count]).toEqual([6, 1]);
    expect(told.filter(({ level }) => level !== 'debug')).toHaveLength(1);
  });

  it('ends, and a look that was under way tells nothing any more', async () => {
    await start();
    known = ['metal/kept'];
    clock.advance(10 * minute);
    await controller.stop();
    await clock.advanceAsync(60 * minute);
    expect([looks, told.length, clock.waiting]).toEqual([3, 1, 0]);
  });
});
