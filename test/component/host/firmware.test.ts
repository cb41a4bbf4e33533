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

const atRest = () => aHost().withoutImage().in('available');
const preparing = (status: object = {}) => aHost().withoutImage().in('preparing', status);
const started = (ms = 10_000) => ({ result: working(ms), started: true });
const stateNow = async () => (await bench.host())?.status?.provisioning.state;
const updatesNow = async () => ((await bench.companionOf('components'))?.status as { updates?: unknown }).updates;
const bmc = updateOf('bmc', 1);
const bios = [updateOf('bios', 1), updateOf('bios', 2)] as const;

describe('the firmware objects of a registered host', () => {
  it('are made, and belong to it: settings always, components where the back end has any', async () => {
    await bench.put(preparing(), { unclaimed: true });
    bench.backEnd.answer('firmwareComponents', [{ component: 'bmc', initialVersion: '1' }]);
    const { writes } = await bench.pass();
    expect(writes.filter((write) => write.startsWith('create'))).toEqual([
      'create hostfirmwaresettings',
      'create hostfirmwarecomponents',
    ]);
    const { uid } = (await bench.host())!.metadata;
    for (const name of ['settings', 'components'] as const) {
      const object = await bench.companionOf(name);
      expect(object?.metadata.ownerReferences).toEqual([
        { apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', name: 'host', uid },
      ]);
    }
    expect((await bench.companionOf('settings'))?.spec).toEqual({ settings: {} });
    expect((await bench.companionOf('components'))?.spec).toEqual({ updates: [] });
  });

  it('that people made before it are taken over as they are, beside other owners', async () => {
    const { uid = '' } = (await bench.readSecret('bmc'))!.metadata;
    const other = { apiVersion: 'v1', kind: 'Secret', name: 'bmc', uid };
    const alone = { metadata: { ownerReferences: [other] } };
    await bench.put(preparing(), { unclaimed: true });
    await bench.companion('settings', { ...alone, spec: { settings: wantedSettings } });
    await bench.companion('components', { ...alone, spec: { updates: [bmc] } });
    await bench.companion('policies', { ...alone, spec: { firmwareSettings: 'onReboot' } });
    await bench.pass();
    for (const name of ['settings', 'components', 'policies'] as const) {
      const { ownerReferences = [] } = (await bench.companionOf(name))!.metadata;
      expect(ownerReferences.map(({ kind }) => kind)).toEqual(['Secret', 'BareMetalHost']);
    }
    expect((await bench.companionOf('settings'))?.spec).toEqual({ settings: wantedSettings });
  });

  it('are left alone once they belong to it, and one without components is not asked at each look', async () => {
    await bench.put(atRest());
    for (let count = 0; count < 4; count += 1) await bench.pass();
    const asked = () => bench.backEnd.calls.filter(({ op }) => op === 'firmwareComponents').length;
    expect(asked()).toBe(1);
    bench.clock.advance(600_000);
    expect((await bench.pass()).writes).toEqual([]);
    expect(asked()).toBe(2);
  });

  it('are not made for a host that is being deleted', async () => {
    await bench.put(aHost().in('deprovisioning').deleted(), { unclaimed: true });
    bench.backEnd.answer('deprovision', working(10_000));
    await bench.pass();
    expect(await bench.companionOf('settings')).toBeUndefined();
  });

  it('wait for a back end that cannot tell of components: settings are made, and the work goes on', async () => {
    await bench.put(preparing(), { unclaimed: true });
    bench.backEnd.answer('firmwareComponents', new Error('away'));
    expect((await bench.pass()).host?.status?.provisioning.state).toBe('available');
    expect(await bench.companionOf('components')).toBeUndefined();
  });
});

describe('a change of firmware settings', () => {
  it.each<[string, object, string]>([
    ['that differ and are in order leads to preparing', settingsObject(), 'preparing'],
    ['that are not in order leads nowhere', settingsObject({ valid: false }), 'available'],
    ['that differ in nothing leads nowhere', settingsObject({ changed: false }), 'available'],
    ['without a verdict leads nowhere', { spec: { settings: wantedSettings } }, 'available'],
  ])('%s', async (_what, object, state) => {
    await bench.put(atRest());
    await bench.companion('settings', object);
    await bench.pass();
    expect(await stateNow()).toBe(state);
  });

  it.each<[string, object]>([
    ['on another generation', settingsObject({ generation: 7 })],
    ['without the settings of the machine', settingsObject({}, {})],
  ])(
    'with a verdict %s is waited for: soon where the host rests, in a minute where it is prepared',
    async (_w, object) => {
      await bench.put(atRest());
      await bench.companion('settings', object);
      const resting = await bench.pass();
      expect(resting.host?.status).toMatchObject({ operationalStatus: 'OK', provisioning: { state: 'available' } });
      expect(resting.decision).toEqual({ kind: 'backoff', maxMs: 30_000 });
      expect(resting.host?.status?.lifecycle?.waitsFor).toContain('HostFirmwareSettings');
      expect((await bench.pass()).writes).toEqual([]);
      await bench.change({ status: { provisioning: { state: 'preparing' } } }, 'status');
      const { host, decision } = await bench.pass();
      expect(decision).toEqual({ kind: 'after', ms: 60_000 });
      expect(host?.status).toMatchObject({ operationalStatus: 'OK', errorCount: 0 });
      expect(host?.status?.lifecycle?.waitsFor).toContain('HostFirmwareSettings');
      expect(bench.backEnd.ops).not.toContain('prepare');
      expect((await bench.pass()).writes).toEqual([]);
    },
  );

  it('that turns out to be none is waited for no more, and the host says so', async () => {
    await bench.put(atRest());
    await bench.companion('settings', settingsObject({ generation: 7 }));
    await bench.pass();
    await bench.companion('settings', { status: { conditions: verdict({ changed: false }) } });
    const { host } = await bench.pass();
    expect(host?.status?.lifecycle?.waitsFor).toBeUndefined();
    expect((await bench.pass()).writes).toEqual([]);
  });

  it('is given to the back end, whole, until it has begun, and not again for the same change', async () => {
    await bench.put(preparing());
    await bench.companion('settings', settingsObject());
    bench.backEnd.answer('prepare', { result: working(3_000), started: false }, started(), {
      result: complete,
      started: false,
    });
    const firmware = { targetSettings: wantedSettings, actualSettings, targetComponents: [] };
    await bench.pass();
    expect(bench.backEnd.argsOf('prepare')).toMatchObject({ firmware, unprepared: true });
    await bench.pass();
    expect(bench.backEnd.argsOf('prepare')).toMatchObject({ firmware, unprepared: true });
    await bench.pass();
    expect(bench.backEnd.argsOf('prepare')).toMatchObject({ unprepared: false });
    expect(bench.backEnd.argsOf('prepare').firmware).toBeUndefined();
    expect(await stateNow()).toBe('available');
    // Its controller has not looked at the machine since.
    bench.restart();
    for (let count = 0; count < 3; count += 1) await bench.pass();
    expect(await stateNow()).toBe('available');
    expect(bench.backEnd.ops.filter((op) => op === 'prepare')).toHaveLength(3);
  });

  it.each<[string, Parameters<HostBench['companion']>[1]]>([
    ['another wish', { spec: { settings: { More: 'x' } }, status: settingsObject().status }],
    ['the same, found unfulfilled again', { status: settingsObject({ since: '2026-01-01T01:00:00Z' }).status }],
  ])('is another one when it is %s', async (_what, news) => {
    await bench.put(preparing());
    await bench.companion('settings', settingsObject());
    bench.backEnd.answer('prepare', started());
    await bench.pass();
    await bench.passes(3);
    expect(await stateNow()).toBe('available');
    await bench.companion('settings', news);
    await bench.pass();
    expect(await stateNow()).toBe('preparing');
  });

  it('that failed is begun again', async () => {
    await bench.put(preparing());
    await bench.companion('settings', settingsObject());
    bench.backEnd.answer('prepare', started(), { result: failing('no'), started: false });
    await bench.pass();
    const failed = await bench.pass();
    expect(failed.host?.status).toMatchObject({ errorType: 'preparation error', errorCount: 1 });
    await bench.pass();
    expect(bench.backEnd.argsOf('prepare')).toMatchObject({
      firmware: { targetSettings: wantedSettings },
      restartOnFailure: true,
      unprepared: true,
    });
  });
});

describe('a change of firmware components', () => {
  it('names only what has not begun, and takes note of it once it has', async () => {
    await bench.put(preparing());
    await bench.companion('components', componentsObject([bmc, ...bios], [bmc, bios[0]]));
    const now = [{ component: 'bmc', initialVersion: '1', currentVersion: '2' }];
    bench.backEnd.answer('prepare', started()).answer('firmwareComponents', now);
    await bench.pass();
    expect(bench.backEnd.argsOf('prepare').firmware).toEqual({
      targetSettings: {},
      targetComponents: [bios[1]],
    });
    expect((await bench.companionOf('components'))?.status).toMatchObject({
      updates: [bmc, ...bios],
      components: now,
    });
    // What was begun is no change any more, although the verdict still stands.
    await bench.passes(4);
    expect(await stateNow()).toBe('available');
    expect(bench.backEnd.ops.filter((op) => op === 'prepare')).toHaveLength(2);
  });

  it('that failed is to begin again, and so is what the host was to be set up with', async () => {
    const raid = { hardwareRAIDVolumes: [{ level: '1' as const }] };
    await bench.put(preparing({ provisioning: { raid } }));
    await bench.companion('components', componentsObject([bmc], [updateOf('bmc', 0)]));
    bench.backEnd.answer('prepare', { result: failing('no'), started: false });
    const { host, writes } = await bench.pass();
    expect(await updatesNow()).toBeUndefined();
    expect(writes).toContain('patch hostfirmwarecomponents/status');
    expect(host?.status).toMatchObject({ errorType: 'preparation error', errorCount: 1 });
    expect(host?.status?.provisioning.rootDeviceHints).toBeUndefined();
    expect(host?.status?.provisioning.raid).toEqual(raid);
    await bench.passes(2);
    expect(bench.backEnd.argsOf('prepare')).toMatchObject({ restartOnFailure: true, actualRAID: undefined });
  });

  it('that fails after it had begun is to begin again too, but not one that was done long ago', async () => {
    await bench.put(preparing());
    await bench.companion('components', componentsObject([bmc]));
    bench.backEnd.answer('prepare', started(), { result: failing('no'), started: false });
    await bench.pass();
    expect(await updatesNow()).toEqual([bmc]);
    await bench.companion('components', { status: { conditions: verdict({ changed: false }) } });
    await bench.pass();
    expect(await updatesNow()).toBeUndefined();

    await bench.companion('components', { status: { updates: [bmc] } });
    await bench.pass();
    expect(await stateNow()).toBe('available');
    await bench.change({ spec: { raid: { hardwareRAIDVolumes: [] } } });
    bench.backEnd.answer('prepare', { result: failing('no'), started: false });
    await bench.passes(4);
    expect((await bench.host())?.status?.errorType).toBe('preparation error');
    expect(await updatesNow()).toEqual([bmc]);
  });

  it('is not asked about while the settings are without a verdict', async () => {
    await bench.put(atRest());
    await bench.companion('settings', settingsObject({ generation: 7 }));
    await bench.companion('components', componentsObject([bmc]));
    expect((await bench.pass()).decision).toEqual({ kind: 'backoff', maxMs: 30_000 });
    expect(await stateNow()).toBe('available');
  });
});

describe('a change of firmware during which one write fails', () => {
  /** True from the write on that is the one to fail. */
  async function comesThrough(failingWrite: number): Promise<boolean> {
    await bench.put(preparing(), { unclaimed: true });
    await bench.companion('settings', { metadata: { ownerReferences: [] }, ...settingsObject() });
    await bench.companion('components', { metadata: { ownerReferences: [] }, ...componentsObject([bmc]) });
    let writes = 0;
    bench.fault = ({ verb, resource }) => {
      if (['get', 'list', 'watch'].includes(verb) || resource === 'events') return undefined;
      writes += 1;
      return writes === failingWrite ? { status: 500 } : undefined;
    };
    bench.backEnd.answer('prepare', started());
    for (let count = 0; count < 9; count += 1) await bench.pass();
    bench.fault = undefined;
    const { status } = (await bench.host())!;
    expect([failingWrite, status?.provisioning.state, status?.errorType]).toEqual([
      failingWrite,
      'available',
      undefined,
    ]);
    expect(await updatesNow()).toEqual([bmc]);
    expect(status?.lifecycle?.begunSettings).toBeDefined();
    expect(status?.lifecycle?.begunUpdates).toBeUndefined();
    return writes >= failingWrite;
  }

  const writes = [1, 2, 3, 4, 5];

  it.each(writes)('comes to the same end: write %i', async (write) => {
    expect(await comesThrough(write)).toBe(true);
  });

  it('makes no more writes than these', async () => {
    expect(await comesThrough(writes.length + 1)).toBe(false);
  });
});
