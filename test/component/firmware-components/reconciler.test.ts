import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import { timestamp } from '../../../src/clock.js';
import { FirmwareComponentsReconciler } from '../../../src/controllers/firmware-components/index.js';
import { ProvisionerNotReady } from '../../../src/provisioner/index.js';
import { conditionIn, ObjectBench, verdictOf } from '../../support/object-bench.js';

const { hostFirmwareComponents: kind, bareMetalHost } = kinds;
const key = 'default/host';
const minute = 60_000;

const components = [
  { component: 'bios', initialVersion: '1', currentVersion: '2' },
  { component: 'nic:1', initialVersion: '1', updatedAt: '2026-01-01T00:00:00+00:00' },
];
const bios = { component: 'bios', url: 'http://images.example.com/bios' };
const psu = { component: 'psu', url: 'http://images.example.com/psu' };

let bench: ObjectBench;
let reconciler: FirmwareComponentsReconciler;

beforeEach(async () => {
  bench = await ObjectBench.start();
  const { api, provisioners, events, clock, log } = bench;
  const stores = { components: bench.store(kind), hosts: bench.store(bareMetalHost) };
  reconciler = new FirmwareComponentsReconciler({ api, ...stores, provisioners, events, clock, log });
});
afterEach(() => bench.stop());

const wish = (...updates: object[]) => bench.put(kind, key, { spec: { updates } });
const now = () => bench.get(kind, key);
const pass = () => bench.pass(reconciler, key);
const finds = (...answers: unknown[]) => bench.provisioners.answer('firmwareComponents', ...answers);

describe('the components of a registered host', () => {
  beforeEach(async () => {
    await bench.host(key);
    await wish();
  });

  it('are shown, and written only when there is something new', async () => {
    finds(components, components, [components[1]]);
    expect(await pass()).toEqual({ kind: 'after', ms: 5 * minute });
    expect((await now())?.status).toMatchObject({ components, lastUpdated: timestamp(bench.clock.now()) });
    expect(verdictOf(await now(), 'ChangeDetected')).toBe('False OK');
    expect(verdictOf(await now(), 'Valid')).toBe('True OK');
    await pass();
    expect(bench.writes).toEqual([]);
    await pass();
    expect((await now())?.status).toMatchObject({ components: [components[1]] });
  });

  it('whose updates are wanted are a change until they have begun, and what has begun is left to the host', async () => {
    finds(components, components);
    const { metadata } = await wish(bios);
    expect(await pass()).toEqual({ kind: 'after', ms: minute });
    expect(conditionIn(await now(), 'ChangeDetected')).toMatchObject({
      status: 'True',
      observedGeneration: metadata.generation,
    });
    await bench.put(kind, key, { status: { updates: [bios] } });
    expect(await pass()).toEqual({ kind: 'after', ms: 5 * minute });
    expect(verdictOf(await now(), 'ChangeDetected')).toBe('False OK');
    expect((await now())?.status).toMatchObject({ updates: [bios] });
  });

  it('that cannot be updated are told once', async () => {
    finds(components, components);
    await wish(bios, psu);
    await pass();
    expect(verdictOf(await now(), 'ChangeDetected')).toBe('True OK');
    expect(verdictOf(await now(), 'Valid')).toBe('False InvalidComponent');
    expect(await bench.told()).toEqual([
      { reason: 'ValidationFailed', name: 'host', message: expect.stringContaining('"psu"') },
    ]);
    await pass();
    expect(await bench.told()).toEqual([]);
  });

  it('that cannot be read say why', async () => {
    finds(components, new Error('the BMC is mute'));
    await pass();
    expect(await pass()).toEqual({ kind: 'after', ms: 30_000 });
    expect((await now())?.status).toMatchObject({ components });
    expect(conditionIn(await now(), 'ChangeDetected')).toMatchObject({
      status: 'False',
      message: expect.stringContaining('the BMC is mute'),
    });
  });

  it('wait for a back end that is away', async () => {
    bench.provisioners.unready = new ProvisionerNotReady('away');
    expect(await pass()).toEqual({ kind: 'after', ms: 30_000 });
    expect(bench.writes).toEqual([]);
  });

  it('do not overwrite what the host has noted meanwhile', async () => {
    finds(components, components);
    await bench.sync();
    await bench.put(kind, key, { status: { updates: [bios] } });
    expect(await bench.passAsCached(reconciler, key)).toMatchObject({ kind: 'backoff' });
    expect(await bench.passAsCached(reconciler, key)).toMatchObject({ kind: 'after' });
    expect((await now())?.status).toMatchObject({ updates: [bios], components });
    expect(verdictOf(await now(), 'ChangeDetected')).toBe('True OK');
  });
});

it('components of a host that is paused, away or gone are left alone', async () => {
  await wish();
  expect(await pass()).toEqual({ kind: 'after', ms: 10_000 });
  await bench.host(key, {}, { 'baremetalhost.metal3.io/paused': '' });
  expect(await pass()).toEqual({ kind: 'after', ms: 10 * minute });
  await bench.host(key, { operationalStatus: 'detached' }, { 'baremetalhost.metal3.io/paused': null });
  expect(await pass()).toEqual({ kind: 'after', ms: 10 * minute });
  await bench.remove(kind, key);
  expect(await pass()).toEqual({ kind: 'done' });
  expect([bench.writes, bench.provisioners.calls]).toEqual([[], []]);
});

it('components without a host say so after a while, once, until it is there and read', async () => {
  await wish(bios);
  bench.clock.advance(10_000);
  expect(await pass()).toEqual({ kind: 'done' });
  expect(verdictOf(await now(), 'ChangeDetected')).toBe('Unknown HostMissing');
  expect(await pass()).toEqual({ kind: 'done' });
  expect(bench.writes).toEqual([]);
  await bench.host(key, { provisioning: { state: 'registering', ID: '' } });
  await pass();
  expect(verdictOf(await now(), 'ChangeDetected')).toBe('Unknown ReadFailed');
  await bench.host(key);
  bench.provisioners.answer('firmwareComponents', components);
  await pass();
  expect(verdictOf(await now(), 'ChangeDetected')).toBe('True OK');
});
