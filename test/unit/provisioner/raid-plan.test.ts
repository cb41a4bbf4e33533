import { describe, expect, it } from '@jest/globals';
import type { RAIDConfig } from '../../../src/apis/index.js';
import { planRAID, type RAIDWish } from '../../../src/provisioner/ironic/raid-plan.js';
import { firmwareSteps } from '../../../src/provisioner/ironic/steps.js';

const plan = (target: RAIDConfig | undefined, actual?: RAIDConfig, more: Partial<RAIDWish> = {}) =>
  planRAID({ target, actual, driverInterface: 'redfish', haveRootDeviceHints: true, ...more });
const steps = (...args: Parameters<typeof plan>) => plan(...args).steps.map((each) => `${each.interface}.${each.step}`);

const volume = { level: '1' } as const;
const hardware = (...volumes: NonNullable<RAIDConfig['hardwareRAIDVolumes']>) => ({ hardwareRAIDVolumes: volumes });
const software = (...volumes: NonNullable<RAIDConfig['softwareRAIDVolumes']>) => ({ softwareRAIDVolumes: volumes });
const neither = { hardwareRAIDVolumes: null, softwareRAIDVolumes: null };

const wipe = 'raid.delete_configuration';
const erase = 'deploy.erase_devices_metadata';
const create = 'raid.create_configuration';

describe('RAID steps', () => {
  it.each<[string, RAIDConfig | undefined, RAIDConfig | undefined, string[]]>([
    ['no wish', undefined, hardware(volume), []],
    ['a wish for nothing', neither, { ...hardware(volume), ...software(volume) }, []],
    ['a wish with absent halves', {}, hardware(volume), []],
    ['the hardware that is there', hardware(volume), hardware(volume), []],
    ['new hardware', hardware(volume), undefined, [wipe, create]],
    ['other hardware', hardware(volume, volume), hardware(volume), [wipe, create]],
    ['no hardware, where nothing is known', hardware(), undefined, [wipe]],
    ['no hardware, where there is some', hardware(), hardware(volume), [wipe]],
    ['no hardware, where there is none', hardware(), hardware(), []],
    ['the software that is there', software(volume), software(volume), []],
    ['new software', software(volume), undefined, [wipe, erase, create]],
    ['no software, where nothing is known', software(), undefined, []],
    ['no software, where there was none', software(), { softwareRAIDVolumes: null }, []],
    ['no software, where there is some', software(), software(volume), [wipe, erase]],
  ])('for %s', (_, target, actual, expected) => {
    expect(steps(target, actual)).toEqual(expected);
  });

  it.each<[string, RAIDConfig, RAIDConfig | undefined, string[]]>([
    [
      'hardware changes beside software that is to stay away',
      { ...hardware(volume), ...software() },
      undefined,
      [wipe, create],
    ],
    [
      'software changes beside hardware that was never there',
      { ...hardware(), ...software(volume) },
      undefined,
      [wipe, erase, create],
    ],
    [
      'hardware stays while software goes',
      { ...hardware(volume), ...software() },
      { ...hardware(volume), ...software(volume) },
      [wipe, erase],
    ],
    [
      'null leaves hardware alone',
      { ...neither, ...software() },
      { ...hardware(volume), ...software(volume) },
      [wipe, erase],
    ],
    ['null leaves software alone', { ...neither, ...hardware() }, { ...hardware(volume), ...software(volume) }, [wipe]],
    [
      'hardware goes where software stays away',
      { ...hardware(), ...software() },
      { ...hardware(volume), ...software() },
      [wipe],
    ],
  ])('%s', (_, target, actual, expected) => {
    expect(steps(target, actual)).toEqual(expected);
  });

  it.each<[string, RAIDConfig, RAIDConfig]>([
    ['software must be deleted before', { ...hardware(volume), ...software() }, software(volume)],
    ['hardware RAID volumes must be deleted before', { ...hardware(), ...software(volume) }, hardware(volume)],
  ])('do not mix what needs two interfaces: %s', (words, target, actual) => {
    expect(() => plan(target, actual)).toThrow(words.replace('software must', 'software RAID volumes must'));
  });

  it('has no hardware part where the driver has none', () => {
    expect(steps(hardware(), hardware(volume), { driverInterface: 'no-raid' })).toEqual([]);
    expect(() => plan(hardware(volume), undefined, { driverInterface: 'no-raid' })).toThrow('does not support RAID');
    expect(() => plan(hardware(volume), hardware(volume), { driverInterface: 'no-raid' })).toThrow('support RAID');
    expect(() => plan(hardware(volume), undefined, { driverInterface: 'agent' })).toThrow('only software RAID');
    expect(steps(software(volume), undefined, { driverInterface: 'no-raid' })).toEqual([wipe, erase, create]);
  });

  it('refuses both kinds at once', () => {
    expect(() => plan({ ...hardware(volume), ...software(volume) })).toThrow('exclude each other');
  });
});

describe('the RAID interface', () => {
  it.each<[RAIDConfig, RAIDConfig | undefined, string | undefined]>([
    [hardware(volume), undefined, 'redfish'],
    [hardware(), hardware(volume), 'redfish'],
    [software(volume), undefined, 'agent'],
    [software(), software(volume), 'agent'],
    [neither, hardware(volume), undefined],
  ])('for %j after %j is %s', (target, actual, expected) => {
    expect(plan(target, actual).interface).toBe(expected);
  });
});

describe('logical disks', () => {
  it('say all that a hardware volume says', () => {
    const full = {
      ...{ level: '5+0', sizeGibibytes: 100, name: 'data', rotational: false, numberOfPhysicalDisks: 2 },
      ...{ controller: 'c', physicalDisks: ['a', 'b'] },
    } as const;
    const disks = plan(
      hardware({ ...full, physicalDisks: [...full.physicalDisks] }, { level: '0', rotational: true }),
    ).disks;
    expect(disks).toEqual([
      {
        ...{ size_gb: 100, raid_level: '5+0', volume_name: 'data', disk_type: 'ssd', number_of_physical_disks: 2 },
        ...{ controller: 'c', physical_disks: ['a', 'b'] },
      },
      { size_gb: 'MAX', raid_level: '0', disk_type: 'hdd' },
    ]);
  });

  it('take size 0 for all that there is', () => {
    expect(plan(hardware({ level: '1', sizeGibibytes: 0 })).disks).toEqual([{ size_gb: 'MAX', raid_level: '1' }]);
  });

  it.each<[string, RAIDConfig]>([
    ['are repeated', hardware({ level: '1', name: 'a' }, { level: '1', name: 'b' }, { level: '0', name: 'a' })],
    ["'controller' must be specified", hardware({ level: '1', physicalDisks: ['a', 'b'] })],
    ['is not same as', hardware({ level: '1', controller: 'c', physicalDisks: ['a', 'b'], numberOfPhysicalDisks: 3 })],
    ['must be RAID1', software({ level: '0' })],
    ['has no level', hardware({ level: '' } as never)],
  ])('are refused: %s', (words, target) => {
    expect(() => plan(target)).toThrow(words);
  });

  it('may share an empty name, and count their disks', () => {
    const both = hardware({ level: '1', name: '' }, { level: '1', name: '' });
    expect(plan(both).disks).toHaveLength(2);
    const counted = hardware({ level: '1', controller: 'c', physicalDisks: ['a', 'b'], numberOfPhysicalDisks: 2 });
    expect(plan(counted).disks).toHaveLength(1);
  });

  it.each<[string, RAIDConfig, boolean, unknown[]]>([
    ['the first hardware volume without hints', hardware(volume, volume), false, [true, undefined]],
    ['no hardware volume with hints', hardware(volume, volume), true, [undefined, undefined]],
    ['the first software volume without hints', software(volume, volume), false, [true, false]],
    ['no software volume with hints', software(volume, volume), true, [false, false]],
    ['the software volume that says so', software(volume, { ...volume, rootVolume: true }), false, [false, true]],
  ])('put the root on %s', (_, target, haveRootDeviceHints, expected) => {
    expect(plan(target, undefined, { haveRootDeviceHints }).disks.map((disk) => disk.is_root_volume)).toEqual(expected);
  });
});

describe('firmware steps', () => {
  const wish = { targetSettings: {}, actualSettings: {}, targetComponents: [] };
  const settings = (...args: [Record<string, string | number>, Record<string, string> | undefined]) =>
    firmwareSteps({ ...wish, targetSettings: args[0], actualSettings: args[1] }).flatMap((step) => step.args?.settings);

  it('change what differs, numbers as numbers', () => {
    const target = { A: 42, B: '42', C: 42, D: 'x', E: '' };
    expect(settings(target, { C: '42', D: 'x' })).toEqual([
      { name: 'A', value: 42 },
      { name: 'B', value: '42' },
    ]);
  });

  it('are not fooled by names that every object has', () => {
    expect(settings({ toString: 'x' }, {})).toEqual([{ name: 'toString', value: 'x' }]);
  });

  it('change nothing while nothing is known', () => {
    expect(settings({ A: 1 }, undefined)).toEqual([]);
    expect(firmwareSteps(undefined)).toEqual([]);
    expect(firmwareSteps(wish)).toEqual([]);
  });
});
