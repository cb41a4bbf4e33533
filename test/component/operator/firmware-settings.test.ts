import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import type { KubeObject } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { conditionIn, verdictOf } from '../../support/object-bench.js';
import { image, TestPlant } from '../../support/plant.js';

jest.setTimeout(120_000);

describe('the settings of a host', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start({
      faults: {
        rules: [{ match: { name: 'unserved' }, fail: { step: 'service', times: 9, text: 'the BMC is on fire' } }],
      },
    });
  });
  afterAll(() => plant.stop());

  const shown = (object: KubeObject | undefined) =>
    (object?.status as { settings?: Record<string, string> } | undefined)?.settings ?? {};

  function settings(name: string, what: string, accepts: (object: KubeObject) => boolean): Promise<KubeObject> {
    return eventually(`${name}: ${what}`, async () => {
      const object = await plant.companionOf('settings', name);
      return object !== undefined && accepts(object) ? object : undefined;
    });
  }

  const isRead = (object: KubeObject) => shown(object).NumLock === 'On';

  it('are read once it is registered, made when they are wanted, and read back', async () => {
    await plant.add('wanted', { spec: { image: undefined } });
    await plant.reaches('wanted', 'available');
    const read = await settings('wanted', 'read', isRead);
    expect(verdictOf(read, 'ChangeDetected')).toBe('False Success');
    const { schema } = read.status as { schema: { name: string; namespace: string } };
    expect((await plant.api.get<KubeObject>(kinds.firmwareSchema, schema))?.spec).toMatchObject({
      schema: { NumLock: { attribute_type: 'Enumeration', allowable_values: ['On', 'Off'] } },
    });

    await plant.companion('settings', 'wanted', { spec: { settings: { NumLock: 'Off', PowerOnDelay: 7 } } });
    await plant.until('wanted', 'preparing', ({ status }) => status?.provisioning.state === 'preparing');
    await plant.reaches('wanted', 'available');
    const made = await settings('wanted', 'read back', (object) => verdictOf(object, 'ChangeDetected').startsWith('F'));
    expect(shown(made)).toMatchObject({ NumLock: 'Off', PowerOnDelay: '7' });
    expect(plant.count('wanted', 'clean')).toBe(1);
  });

  it('that nobody can make are told on the object and as an event, and the host stays available', async () => {
    await plant.add('faulty', { spec: { image: undefined } });
    await plant.reaches('faulty', 'available');
    await settings('faulty', 'read', isRead);
    await plant.companion('settings', 'faulty', { spec: { settings: { PowerOnDelay: 1000 } } });
    const judged = await settings('faulty', 'judged', (object) => verdictOf(object, 'Valid').startsWith('F'));
    expect(conditionIn(judged, 'Valid')?.message).toContain('240');
    const told = await plant.events('faulty', 'ValidationFailed');
    expect(told.at(-1)?.message).toContain('PowerOnDelay');
    await plant.clock.sleep(120_000);
    expect(plant.host('faulty').status?.provisioning.state).toBe('available');
    expect(plant.count('faulty', 'clean')).toBe(0);
    expect((await plant.reasons('faulty')).filter((reason) => reason === 'ValidationFailed')).toHaveLength(1);
  });

  it('that people make before the host are taken up with it', async () => {
    await plant.companion('settings', 'early', { spec: { settings: { NumLock: 'Off' } } });
    await plant.add('early', { spec: { image: undefined } });
    await settings('early', 'made', (object) => shown(object).NumLock === 'Off');
    await plant.reaches('early', 'available');
    expect(plant.count('early', 'clean')).toBe(1);
  });

  it('leave no schema behind, also where they went while no operator was there', async () => {
    const place = { namespace: plant.namespace, name: 'schema-00c0ffee' };
    const { firmwareSchema } = kinds;
    await plant.operator.stop();
    const object = {
      apiVersion: 'metal3.io/v1alpha1',
      kind: firmwareSchema.kind,
      metadata: place,
      spec: { schema: {} },
    };
    await plant.api.create(firmwareSchema, object);
    await plant.startOperator();
    await eventually('its end', async () => (await plant.api.get(firmwareSchema, place)) === undefined);
  });

  it('of a host in use can be given up by withdrawing them, after they could not be made', async () => {
    await plant.add('unserved', { spec: { image } });
    await plant.settled('unserved');
    await settings('unserved', 'read', isRead);
    await plant.companion('policies', 'unserved', { spec: { firmwareSettings: 'onReboot' } });
    await plant.companion('settings', 'unserved', { spec: { settings: { NumLock: 'Off' } } });
    await settings('unserved', 'judged', (object) => verdictOf(object, 'ChangeDetected').startsWith('T'));
    await plant.annotate('unserved', { 'reboot.metal3.io': '' });
    await plant.fails('unserved', 'servicing error');
    await plant.companion('settings', 'unserved', { spec: { settings: { NumLock: null } } });
    await plant.settled('unserved');
    const rest = await settings('unserved', 'at rest', (object) => verdictOf(object, 'ChangeDetected').startsWith('F'));
    expect(shown(rest).NumLock).toBe('On');
    expect(plant.host('unserved').status?.errorType).toBeUndefined();
    expect(plant.count('unserved', 'active')).toBe(1);
  });
});

describe('the settings of hosts that are gone', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start({ speed: 100 });
  });
  afterAll(() => plant.stop());

  const names = Array.from({ length: 40 }, (_unused, index) => `gone-${index}`);

  /** Of the settings, the answer once it is the same for all. */
  const all = (what: string, accepts: (object: KubeObject | undefined) => boolean) =>
    eventually(what, async () => {
      const { items } = await plant.api.list(kinds.hostFirmwareSettings, {});
      return names.every((name) => accepts(items.find(({ metadata }) => metadata.name === name)));
    });

  async function looks(): Promise<number> {
    const metric = await plant.metrics.registry.getSingleMetric('controller_runtime_reconcile_total')?.get();
    const ours = (metric?.values ?? []).filter(({ labels }) => labels.controller === 'hostfirmwaresettings');
    return ours.reduce((sum, { value }) => sum + value, 0);
  }

  it('are looked at no more', async () => {
    await Promise.all(names.map((name) => plant.add(name, { spec: { image: undefined } })));
    await all('read', (object) => object?.status !== undefined);
    await Promise.all(names.map((name) => plant.remove(name)));
    await Promise.all(names.map((name) => plant.gone(name)));
    await all('their end', (object) => object === undefined);
    await plant.clock.sleep(60_000);
    const before = await looks();
    expect(before).toBeGreaterThan(names.length);
    // Longer than any pause between two looks.
    await plant.clock.sleep(700_000);
    expect(await looks()).toBe(before);
  });
});
