/** Provisioners of third parties: each fault has its own refusal, and no fault of theirs becomes ours. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { messageOf } from '../../../src/errors.js';
import {
  accessByID,
  complete,
  NeedsRegistration,
  type Provisioner,
  type ProvisionerFactory,
} from '../../../src/provisioner/index.js';
import { GuardedFactory, loadPlugin, type PluginConfig } from '../../../src/provisioner/plugin/index.js';
import { provisionerMethods } from '../../../src/provisioner/plugin/contract.js';
import { frozenCopy } from '../../../src/provisioner/plugin/frozen-copy.js';
import { FakeClock } from '../../support/fake-clock.js';

const never = new Promise<never>(() => undefined);
let clock: FakeClock;
let told: [object, string][];
let config: PluginConfig;
beforeEach(() => {
  clock = new FakeClock();
  told = [];
  const note = (fields: object, message: string) => void told.push([fields, message]);
  const log = { info: note, warn: note, error: note };
  config = { log, clock, random: { next: () => 0 }, features: { preprovisioningImage: false } };
});

const factory = (changes: object = {}) => ({
  name: 'mine',
  capacityLimit: 7,
  forHost: () => never,
  close: () => Promise.resolve(),
  ...changes,
});
const plugin = (changes: object = {}) => ({
  pluginName: 'mine',
  contractVersion: 1,
  newProvisionerFactory: () => factory(),
  ...changes,
});

describe('loading a plugin', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'plugins-')));
    writeFileSync(join(folder, 'mine-provisioner.mjs'), '');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const load = (module: unknown, name = 'mine', place = folder): Promise<ProvisionerFactory> =>
    loadPlugin({ name, folder: place, importModule: () => Promise.resolve(module) }, config);

  async function refusal(loading: Promise<unknown>): Promise<string> {
    const error = await loading.then(
      () => new Error('it was taken'),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code: 'INVALID_INPUT', retry: 'never' });
    return messageOf(error);
  }

  it('gives its factory, and one line of the log says what it is', async () => {
    const loaded = await load(plugin());
    expect([loaded.name, loaded.capacityLimit]).toEqual(['mine', 7]);
    expect(told).toEqual([
      [
        { plugin: 'mine', path: join(folder, 'mine-provisioner.mjs'), bytes: 0, contractVersion: 1, capacityLimit: 7 },
        'a provisioner was loaded from a plugin',
      ],
    ]);
  });

  it.each(['', '../mine', 'Mine', '-mine', 'mi ne', 'mine/../../etc', 'mine\0'])(
    'refuses the name %j',
    async (name) => {
      expect(await refusal(load(plugin(), name))).toMatch(
        /^--provisioner: .* is no name of a plugin; use small letters/,
      );
    },
  );

  it('refuses what is not there', async () => {
    expect(await refusal(load(plugin(), 'other'))).toMatch(
      /there is no plugin .*other-provisioner\.mjs; put it there, or give .* by --plugin-dir/,
    );
    expect(await refusal(load(plugin(), 'mine', join(folder, 'no')))).toMatch(
      /the plugin folder .* cannot be read; give .* by --plugin-dir/,
    );
  });

  it('refuses a file that leads out of the folder, though not one that a volume links to within it', async () => {
    symlinkSync('/etc/passwd', join(folder, 'out-provisioner.mjs'));
    expect(await refusal(load(plugin(), 'out'))).toMatch(/leads out of the plugin folder/);
    mkdirSync(join(folder, '..data'));
    writeFileSync(join(folder, '..data', 'in-provisioner.mjs'), '');
    symlinkSync('..data/in-provisioner.mjs', join(folder, 'in-provisioner.mjs'));
    expect((await load(plugin({ pluginName: 'in' }), 'in')).name).toBe('in');
  });

  it('refuses what is no file, and what everybody can change', async () => {
    mkdirSync(join(folder, 'dir-provisioner.mjs'));
    expect(await refusal(load(plugin(), 'dir'))).toMatch(/is no file/);
    chmodSync(join(folder, 'mine-provisioner.mjs'), 0o666);
    expect(await refusal(load(plugin()))).toMatch(/can be changed by everybody/);
  });

  it.each<[string, object, RegExp]>([
    ['no name', { pluginName: undefined }, /exports no pluginName that is a text/],
    ['the name of another', { pluginName: 'other' }, /calls itself "other", not "mine"/],
    [
      'another version of the contract',
      { contractVersion: 2 },
      /written for version 2 of the contract, and this is ver/,
    ],
    ['no version of the contract', { contractVersion: undefined }, /written for version undefined/],
    ['no function', { newProvisionerFactory: {} }, /exports no function newProvisionerFactory/],
    ['a factory that is none', { newProvisionerFactory: () => null }, /is no object/],
    ['no limit', { newProvisionerFactory: () => factory({ capacityLimit: 0 }) }, /has no capacityLimit above 0/],
    ['no way to a host', { newProvisionerFactory: () => factory({ forHost: 1 }) }, /has no method forHost/],
    ['no end', { newProvisionerFactory: () => factory({ close: undefined }) }, /has no method close/],
  ])('refuses one with %s', async (_what, changes, message) => {
    expect(await refusal(load(plugin(changes)))).toMatch(message);
  });

  it('tells why one cannot be loaded, or makes no factory', async () => {
    const importModule = () => Promise.reject(new SyntaxError('Unexpected token'));
    expect(await refusal(loadPlugin({ name: 'mine', folder, importModule }, config))).toMatch(
      /loaded: Unexpected token/,
    );
    const newProvisionerFactory = () => {
      throw new Error('RACK_URL is not set');
    };
    expect(await refusal(load(plugin({ newProvisionerFactory })))).toMatch(/failed: RACK_URL is not set/);
  });

  it.each<[string, () => Promise<unknown>, object]>([
    ['loads for ever', () => never, {}],
    ['makes its factory for ever', () => Promise.resolve(plugin({ newProvisionerFactory: () => never })), {}],
  ])('gives one up that %s', async (_what, importModule) => {
    let refused = '';
    void refusal(loadPlugin({ name: 'mine', folder, importModule }, config)).then((text) => (refused = text));
    // The folder is read in real time, whenever that is done: the clock goes on until there is an answer.
    for (let second = 0; second <= 100_000 && refused === ''; second += 1) {
      await clock.advanceAsync(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(refused).toMatch(/no answer within 30 s/);
  });
});

describe('a plugin at work', () => {
  const access = accessByID({ namespace: 'lab', name: 'host', uid: 'u', provisionerID: 'p' });

  async function using(methods: object): Promise<Provisioner> {
    const whole = { ...Object.fromEntries(provisionerMethods.map((name) => [name, () => complete])), ...methods };
    const guarded = new GuardedFactory('mine', factory({ forHost: () => Promise.resolve(whole) }), clock);
    return guarded.forHost(access, () => undefined);
  }
  const fault = (what: string) => ({ code: 'PLUGIN_FAULT', retry: 'backoff', message: expect.stringContaining(what) });

  it('that says which hosts it knows is heard, one that says nothing of it is not asked', async () => {
    const knowing = (knownHosts: unknown) => new GuardedFactory('mine', factory({ knownHosts }), clock).knownHosts;
    expect(knowing(undefined)).toBeUndefined();
    expect(await knowing(() => Promise.resolve(['a/one']))?.()).toEqual(['a/one']);
    await expect(knowing(() => Promise.resolve(['one']))?.()).rejects.toMatchObject(fault('no list of NAMESPACE/NAME'));
    await expect(knowing(() => 'a/one')?.()).rejects.toMatchObject(fault('knownHosts of the plugin mine'));
    await expect(
      knowing(() => {
        throw new Error('the rack burns');
      })?.(),
    ).rejects.toMatchObject(fault('the rack burns'));
  });

  it('that answers well is heard', async () => {
    const provisioner = await using({ powerOn: () => Promise.resolve({ kind: 'inProgress', requeueAfterMs: 5 }) });
    expect(await provisioner.powerOn(false)).toEqual({ kind: 'inProgress', requeueAfterMs: 5 });
    expect(await provisioner.delete()).toEqual(complete);
  });

  it('that lacks a method is found out before anything is done', async () => {
    await expect(using({ service: undefined, health: 1 })).rejects.toMatchObject(fault('lacks service, health'));
  });

  it.each([undefined, null, 'a provisioner'])('that makes %j for a host is at fault', async (made) => {
    const guarded = new GuardedFactory('mine', factory({ forHost: () => Promise.resolve(made) }), clock);
    const making = guarded.forHost(access, () => undefined);
    await expect(making).rejects.toMatchObject(fault('forHost of the plugin mine made no provisioner'));
  });

  it('whose progress throws, or is none, is at fault', async () => {
    const broken = await using({
      progress: () => {
        throw new TypeError('x is undefined');
      },
    });
    expect(() => broken.progress()).toThrow(expect.objectContaining(fault('progress of the plugin mine failed: x is')));
    const odd = await using({ progress: () => 'half way' });
    expect(() => odd.progress()).toThrow(expect.objectContaining(fault('has no state that is a text')));
  });

  it.each<[keyof Provisioner, unknown, string]>([
    ['powerOn', undefined, 'powerOn of the plugin mine gave an answer that is no result'],
    ['delete', { kind: 'done' }, 'is of the unknown kind "done"'],
    ['adopt', { kind: 'failed' }, 'failed without a message'],
    ['detach', { kind: 'inProgress', requeueAfterMs: NaN }, 'has no requeueAfterMs of 0 or more'],
    ['register', { result: complete }, 'has no provisionerID that is a string'],
    ['prepare', { result: { kind: 'x' }, started: true }, 'is of the unknown kind "x"'],
    ['capacity', {}, 'has no list busy'],
    ['hasPowerFailure', 'no', 'is no boolean'],
    ['firmwareComponents', {}, 'is no list'],
    ['firmwareComponents', [{ component: 'bmc' }], 'has a component without its name or its first version'],
    ['preprovisioningImageFormats', ['iso', 'floppy'], 'is neither undefined nor a list of iso and initrd'],
    ['updateHardwareState', { poweredOn: 'yes' }, 'has a poweredOn that is no boolean'],
    ['updateHardwareState', undefined, 'is no object'],
    [
      'inspectHardware',
      { result: complete, started: true, details: { cpu: { count: 'many' } } },
      'inspectHardware of the plugin mine gave an answer that has details that are no hardware details: details.cpu.count: ',
    ],
  ])('whose %s answers %j is at fault, and the host is not', async (method, answer, message) => {
    const provisioner = await using({ [method]: () => Promise.resolve(answer) });
    const methods = provisioner as unknown as Record<string, (this: void, input: unknown) => Promise<unknown>>;
    await expect(methods[method]?.({})).rejects.toMatchObject(fault(message));
  });

  it('that throws is at fault; what the contract lets it throw is passed on', async () => {
    const provisioner = await using({
      powerOn: () => {
        throw new TypeError('x is undefined');
      },
      adopt: () => Promise.reject(new NeedsRegistration()),
    });
    await expect(provisioner.powerOn(false)).rejects.toMatchObject(fault('failed: x is undefined'));
    await expect(provisioner.adopt({ state: '', restartOnFailure: false })).rejects.toBeInstanceOf(NeedsRegistration);
  });

  it('that never answers is given up after two minutes', async () => {
    const provisioner = await using({ powerOn: () => never });
    const asked = provisioner.powerOn(false);
    const refused = expect(asked).rejects.toMatchObject(fault('no answer within 120 s'));
    for (let second = 0; second <= 120; second += 1) await clock.advanceAsync(1000);
    await refused;
  });

  it('cannot change what it is given', async () => {
    const image = { url: 'http://images/a', tags: ['x'] };
    const provisioner = await using({
      provision: (data: { image: { url: string } }) => {
        data.image.url = 'http://images/evil';
        return Promise.resolve(complete);
      },
    });
    await expect(provisioner.provision({ image } as never)).rejects.toMatchObject(fault('read only property'));
    expect(image.url).toBe('http://images/a');
  });

  it('gets copies that are frozen to their ends, with the functions in them', () => {
    const read = () => 'secret';
    const given = { list: [{ a: 1 }], read };
    const copy = frozenCopy(given);
    expect(copy).toEqual(given);
    expect(copy.read).toBe(read);
    expect([copy, copy.list, copy.list[0]].every(Object.isFrozen)).toBe(true);
    expect(Object.isFrozen(given)).toBe(false);
  });
});
