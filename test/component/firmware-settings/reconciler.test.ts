import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import { FirmwareSchemas, FirmwareSettingsReconciler } from '../../../src/controllers/firmware-settings/index.js';
import { NeedsRegistration, ProvisionerNotReady } from '../../../src/provisioner/index.js';
import { conditionIn, ObjectBench, verdictOf } from '../../support/object-bench.js';

const { hostFirmwareSettings: kind, firmwareSchema, bareMetalHost } = kinds;
const key = 'default/host';
const minute = 60_000;

const schema = {
  ProcVirtualization: { attribute_type: 'Enumeration', allowable_values: ['Enabled', 'Disabled'], read_only: false },
  NetworkBootRetryCount: { attribute_type: 'Integer', lower_bound: 0, upper_bound: 20 },
  SecureBoot: { attribute_type: 'Enumeration', allowable_values: ['Enabled', 'Disabled'], read_only: true },
  SysPassword: { attribute_type: 'Password' },
  SetupKey: { attribute_type: 'Password' },
  Strange: { attribute_type: 'Matrix' },
};
const settings = {
  ProcVirtualization: 'Disabled',
  NetworkBootRetryCount: '20',
  SecureBoot: 'Enabled',
  SysPassword: '',
  SetupKey: '',
  Strange: '1',
};
const { SysPassword: _password, SetupKey: _key, ...visible } = settings;
const read = { settings, schema };

let bench: ObjectBench;
let reconciler: FirmwareSettingsReconciler;

beforeEach(async () => {
  bench = await ObjectBench.start();
  assemble();
});
afterEach(() => bench.stop());

/** A new process, too: what it held in memory is gone. */
function assemble(): void {
  const { api, provisioners, events, clock, log } = bench;
  const stores = { settings: bench.store(kind), hosts: bench.store(bareMetalHost) };
  const schemas = new FirmwareSchemas(api, bench.store(firmwareSchema), stores.settings);
  reconciler = new FirmwareSettingsReconciler({ api, ...stores, schemas, provisioners, events, clock, log });
}

const wish = (wanted: Record<string, string | number>, of = key) => bench.put(kind, of, { spec: { settings: wanted } });
const now = (of = key) => bench.get(kind, of);
const pass = (of = key) => bench.pass(reconciler, of);
const finds = (...answers: unknown[]) => bench.provisioners.answer('firmwareSettings', ...answers);

async function schemasNow() {
  return (await bench.person.list(firmwareSchema, {})).items;
}

describe('the settings of a registered host', () => {
  beforeEach(async () => {
    await bench.host(key, { hardware: { systemVendor: { manufacturer: 'Maker', productName: 'M1' } } as never });
    await wish({});
  });

  it('are shown, but for passwords, with the schema that they keep', async () => {
    finds(read);
    expect(await pass()).toEqual({ kind: 'after', ms: 5 * minute });
    const object = await now();
    const [made] = await schemasNow();
    const { settings: shown, schema: named } = object?.status as { settings: object; schema: object };
    expect(shown).toEqual(visible);
    expect(named).toEqual({ name: made?.metadata.name, namespace: 'default' });
    expect(verdictOf(object, 'Valid')).toBe('True Success');
    expect(verdictOf(object, 'ChangeDetected')).toBe('False Success');
    expect(made?.spec).toEqual({
      hardwareVendor: 'Maker',
      hardwareModel: 'M1',
      schema: {
        ProcVirtualization: schema.ProcVirtualization,
        NetworkBootRetryCount: schema.NetworkBootRetryCount,
        SecureBoot: schema.SecureBoot,
        Strange: {},
      },
    });
    expect(bench.provisioners.access).toMatchObject({ provisionerID: 'node-1', bmcAddress: '' });
  });

  it('are written only when there is something new', async () => {
    finds(read, read, { settings: { ...settings, NetworkBootRetryCount: '3' }, schema });
    await pass();
    expect(bench.writes).toEqual(['create firmwareschemas', 'patch hostfirmwaresettings/status']);
    await pass();
    expect(bench.writes).toEqual([]);
    await pass();
    expect(bench.writes).toEqual(['patch hostfirmwaresettings/status']);
    expect((await now())?.status).toMatchObject({ settings: { NetworkBootRetryCount: '3' } });
  });

  it('that the machine has no longer go', async () => {
    const { Strange: _strange, ...fewer } = settings;
    finds(read, { settings: fewer, schema });
    await pass();
    await pass();
    const { settings: shown } = (await now())?.status as { settings: object };
    expect(Object.keys(shown).sort()).toEqual(['NetworkBootRetryCount', 'ProcVirtualization', 'SecureBoot']);
  });

  it('that differ from those wanted are a change, looked at again within the minute', async () => {
    await wish({ ProcVirtualization: 'Enabled' });
    finds(read);
    expect(await pass()).toEqual({ kind: 'after', ms: minute });
    const object = await now();
    expect(verdictOf(object, 'ChangeDetected')).toBe('True Success');
    expect(verdictOf(object, 'Valid')).toBe('True Success');
  });

  it('wanted as a number equal the text of it', async () => {
    await wish({ NetworkBootRetryCount: 20 });
    finds(read);
    await pass();
    expect(verdictOf(await now(), 'ChangeDetected')).toBe('False Success');
  });

  it.each([
    ['NetworkBootRetryCount', 1000],
    ['NetworkBootRetryCount', 'twenty'],
    ['Unheard', 'x'],
    ['SysPassword', 'x'],
    ['SecureBoot', 'Disabled'],
  ])('that cannot be made (%s = %s) are told once, and are no change that the host would make', async (name, value) => {
    await wish({ [name]: value });
    finds(read, read);
    await pass();
    expect(verdictOf(await now(), 'ChangeDetected')).toBe('True Success');
    expect(verdictOf(await now(), 'Valid')).toBe('False ConfigurationError');
    const [told, ...more] = await bench.told();
    expect(told).toMatchObject({ reason: 'ValidationFailed', name: 'host', message: expect.stringContaining(name) });
    expect(more).toEqual([]);
    await pass();
    expect(await bench.told()).toEqual([]);
  });

  it('are judged for the generation that they are found in, and times move with statuses alone', async () => {
    await wish({ ProcVirtualization: 'Enabled' });
    finds(read, read, { settings: { ...settings, ProcVirtualization: 'Enabled' }, schema });
    await pass();
    const first = conditionIn(await now(), 'ChangeDetected');
    bench.clock.advance(minute);
    const { metadata } = await wish({ ProcVirtualization: 'Enabled', NetworkBootRetryCount: 5 });
    await pass();
    const second = conditionIn(await now(), 'ChangeDetected');
    expect(second).toMatchObject({ status: 'True', observedGeneration: metadata.generation });
    expect(second?.observedGeneration).toBeGreaterThan(first!.observedGeneration);
    expect(second?.lastTransitionTime).toBe(first?.lastTransitionTime);
    bench.clock.advance(minute);
    await wish({ NetworkBootRetryCount: null as never });
    await pass();
    expect(conditionIn(await now(), 'ChangeDetected')).toMatchObject({ status: 'False' });
    expect(conditionIn(await now(), 'ChangeDetected')?.lastTransitionTime).not.toBe(first?.lastTransitionTime);
    expect(conditionIn(await now(), 'Valid')?.lastTransitionTime).toBe(first?.lastTransitionTime);
  });

  it('that cannot be read say why, and do not hold the host up', async () => {
    finds(new Error('BIOS attribute registry is broken'), read);
    expect(await pass()).toEqual({ kind: 'after', ms: 30_000 });
    const object = await now();
    expect(conditionIn(object, 'ChangeDetected')).toMatchObject({
      status: 'Unknown',
      reason: 'ReadFailed',
      message: expect.stringContaining('BIOS attribute registry is broken'),
    });
    expect(conditionIn(object, 'Valid')).toBeUndefined();
    await pass();
    expect(conditionIn(await now(), 'ChangeDetected')).toMatchObject({ status: 'False', message: '' });
  });

  it('that cannot be read any more stand as they were found, with the reason', async () => {
    await wish({ ProcVirtualization: 'Enabled' });
    finds(read, new NeedsRegistration(), new NeedsRegistration());
    await pass();
    const before = conditionIn(await now(), 'ChangeDetected');
    await pass();
    const { message, ...after } = conditionIn(await now(), 'ChangeDetected')!;
    expect(message).toContain('not registered');
    expect(after).toEqual({ ...before, message: undefined });
    expect((await now())?.status).toMatchObject({ settings: visible });
    await pass();
    expect(bench.writes).toEqual([]);
  });

  it('wait for a back end that is away, and nothing is said of them meanwhile', async () => {
    bench.provisioners.unready = new ProvisionerNotReady('away');
    expect(await pass()).toEqual({ kind: 'after', ms: 30_000 });
    expect(bench.writes).toEqual([]);
  });

  it('are judged anew after somebody else was sooner', async () => {
    finds(read, read);
    await bench.sync();
    await wish({ ProcVirtualization: 'Enabled' });
    expect(await bench.passAsCached(reconciler, key)).toMatchObject({ kind: 'backoff' });
    expect((await now())?.status).toBeUndefined();
    // What was read after the conflict is there without a watch.
    expect(await bench.passAsCached(reconciler, key)).toEqual({ kind: 'after', ms: minute });
    expect(verdictOf(await now(), 'ChangeDetected')).toBe('True Success');
  });
});

describe('settings that nothing is asked about', () => {
  beforeEach(() => wish({}));
  const status = (state: string, operationalStatus = 'OK') => ({ operationalStatus, provisioning: { state } }) as never;

  it.each([
    ['a new host', status(''), undefined],
    ['an unmanaged host', status('unmanaged'), undefined],
    ['a detached host', status('available', 'detached'), undefined],
    ['a host to be detached', status('available'), { 'baremetalhost.metal3.io/detached': '' }],
    ['a paused host', status('available'), { 'baremetalhost.metal3.io/paused': '' }],
  ])('are those of %s', async (_what, hostStatus, annotations) => {
    await bench.host(key, hostStatus, annotations);
    expect(await pass()).toEqual({ kind: 'after', ms: 10 * minute });
    expect([bench.writes, bench.provisioners.calls]).toEqual([[], []]);
  });

  it('are those without a host: they say so after a while, once, and are not looked at for ever', async () => {
    expect(await pass()).toEqual({ kind: 'after', ms: 10_000 });
    expect(bench.writes).toEqual([]);
    bench.clock.advance(10_000);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(verdictOf(await now(), 'ChangeDetected')).toBe('Unknown HostMissing');
    expect(conditionIn(await now(), 'ChangeDetected')?.message).toMatch(/^no BareMetalHost of this name.*: create it/);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.writes).toEqual([]);
    await bench.host(key, { provisioning: { state: 'registering', ID: '' } });
    await pass();
    expect(verdictOf(await now(), 'ChangeDetected')).toBe('Unknown ReadFailed');
    await bench.remove(kind, key);
    expect(await pass()).toEqual({ kind: 'done' });
    expect(bench.provisioners.calls).toEqual([]);
  });
});

describe('a schema', () => {
  const keys = ['default/a', 'default/b', 'other/c'] as const;
  beforeEach(async () => {
    await bench.namespace('other');
    for (const each of keys) {
      await bench.host(each);
      await wish({}, each);
    }
  });

  it('serves all hosts of a model in a namespace, is written once, and is owned by none', async () => {
    finds(read, read, read);
    for (const each of keys) await pass(each);
    const made = await schemasNow();
    expect(made.map(({ metadata }) => metadata.namespace).sort()).toEqual(['default', 'other']);
    expect(new Set(made.map(({ metadata }) => metadata.name)).size).toBe(1);
    for (const { metadata } of made) {
      expect(metadata.ownerReferences).toBeUndefined();
      expect(metadata.generation).toBe(1);
    }
  });

  it('goes with the last settings that name it, also when the operator began anew meanwhile', async () => {
    finds(read, read, read);
    for (const each of keys) await pass(each);
    await bench.remove(kind, keys[0]);
    await pass(keys[0]);
    expect(await schemasNow()).toHaveLength(2);
    assemble();
    await bench.remove(kind, keys[1]);
    await pass(keys[1]);
    expect((await schemasNow()).map(({ metadata }) => metadata.namespace)).toEqual(['other']);
  });

  it('that settings have come to in this pass is theirs, though it is removed before they say so', async () => {
    finds(read);
    const schemas = new FirmwareSchemas(bench.api, bench.store(firmwareSchema), bench.store(kind));
    await bench.sync();
    const name = await schemas.ensure(keys[0], schema, { vendor: '', model: '' } as never);
    await bench.sync();
    const made = bench.store(firmwareSchema).get(`default/${name}`);
    expect(schemas.usersOf(made!)).toEqual([keys[0]]);
    expect(schemas.unnamed()).toEqual([]);
  });

  it('that is left where the last settings went while nobody looked is found, and goes', async () => {
    finds(read, read);
    for (const each of [keys[0], keys[2]]) await pass(each);
    const name = (await schemasNow())[0]!.metadata.name;
    for (const each of keys.slice(0, 2)) await bench.remove(kind, each);
    await bench.put(firmwareSchema, 'default/mine', { spec: { schema: {} } });
    assemble();
    await bench.sync();
    const left = new FirmwareSchemas(bench.api, bench.store(firmwareSchema), bench.store(kind)).unnamed();
    expect(left).toEqual([`default/${name}`]);
    await pass(left[0]);
    expect((await schemasNow()).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort()).toEqual([
      'default/mine',
      `other/${name}`,
    ]);
  });

  it('that others own or have named differently is left to them', async () => {
    const { uid = '' } = (await bench.get(bareMetalHost, keys[0]))!.metadata;
    const ownerReferences = [{ apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', name: 'a', uid }];
    await bench.put(firmwareSchema, 'default/schema-00000000', { metadata: { ownerReferences }, spec: { schema: {} } });
    await bench.put(firmwareSchema, 'default/mine', { spec: { schema: {} } });
    await bench.remove(kind, keys[0]);
    await pass(keys[0]);
    expect(await schemasNow()).toHaveLength(2);
  });

  it('that is there already, unseen yet, serves as well', async () => {
    finds(read, read);
    await pass(keys[0]);
    assemble();
    const seen = bench.store(firmwareSchema);
    await bench.sync();
    seen.keepOnly(new Set());
    expect(await bench.passAsCached(reconciler, keys[1])).toMatchObject({ kind: 'after' });
    expect((await now(keys[1]))?.status).toMatchObject({ settings: visible });
  });

  it('that is removed brings those that name it into question, and is made anew', async () => {
    finds(read, read);
    await pass(keys[0]);
    const [made] = await schemasNow();
    await bench.sync();
    const { api } = bench;
    const schemas = new FirmwareSchemas(api, bench.store(firmwareSchema), bench.store(kind));
    expect(schemas.usersOf(made!)).toEqual([keys[0]]);
    await bench.remove(firmwareSchema, `default/${made!.metadata.name}`);
    await pass(keys[0]);
    expect(bench.writes).toEqual(['create firmwareschemas']);
  });
});
