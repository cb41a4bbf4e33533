import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  settingsDiffer,
  targetRAID,
  targetRootDeviceHints,
  targetSettings,
  withoutSettings,
  withSettings,
} from '../../../machines/host.settings.js';
import type { BareMetalHost, BareMetalHostStatus, RAIDConfig } from '../../../src/apis/index.js';
import { replay } from '../../support/seed.js';

const volume = { level: '1' as const };
const lists = (hardware: unknown, software: unknown) =>
  ({ hardwareRAIDVolumes: hardware, softwareRAIDVolumes: software }) as RAIDConfig;

function facts(spec: object, hints: object | undefined = {}) {
  const host = { metadata: { name: 'host' }, spec: { online: true, ...spec } } as unknown as BareMetalHost;
  return { host, profile: { name: 'p', hints } };
}

function recorded(provisioning: object): BareMetalHostStatus {
  return { provisioning: { ID: '', state: 'available', ...provisioning } } as BareMetalHostStatus;
}

describe('the RAID to build', () => {
  it.each<[string, RAIDConfig | undefined, RAIDConfig | undefined, RAIDConfig | undefined]>([
    ['nothing, where nothing is asked or recorded', undefined, undefined, undefined],
    ['left alone, once the wish is gone', undefined, lists([], []), lists(null, [])],
    ['kept on the controller, once the wish is gone', undefined, lists([volume], [volume]), lists([volume], [])],
    ['the same for an empty wish', {}, lists([volume], null), lists([volume], [])],
    ['both left alone, for an empty wish where nothing is recorded', {}, undefined, lists(null, null)],
    ['no software volumes, when that came to be recorded', {}, lists(null, null), lists(null, [])],
    ['the wish, copied', lists([volume], null), lists(null, []), lists([volume], null)],
    ['a wipe of the controller', lists([], null), lists([volume], []), lists([], null)],
    ['software volumes', lists(null, [volume]), undefined, lists(null, [volume])],
    ['both lists as they are wished', lists([volume], []), undefined, lists([volume], [])],
    ['a list left out, the same as null', { hardwareRAIDVolumes: [volume] }, undefined, lists([volume], null)],
  ])('is %s', (_what, wish, known, target) => expect(targetRAID(wish, known)).toEqual(target));

  it.each<[RAIDConfig | undefined, RAIDConfig | undefined, boolean]>([
    [undefined, undefined, false],
    [undefined, lists([], []), true],
    [{}, lists(null, []), false],
    [lists([volume], null), lists(null, []), true],
    [lists([volume], null), lists([volume], null), false],
    [lists([], null), lists([volume], null), true],
    [lists([], null), lists([], null), false],
    [lists([], null), lists(null, null), true],
    [lists(null, []), lists(null, null), true],
    // A merge patch drops what is null; it must not look like a change.
    [lists([volume], null), { hardwareRAIDVolumes: [volume] }, false],
    [{}, { softwareRAIDVolumes: [] }, false],
  ])('for the wish %j against the record %j differs: %s', (raid, known, differs) => {
    const status = recorded({ rootDeviceHints: {}, ...(known === undefined ? {} : { raid: known }) });
    expect(settingsDiffer(facts({ raid }), status)).toBe(differs);
  });

  it('settles: what was built once is not built again, also when the record lost its nulls', () => {
    const list = fc.constantFrom(undefined, null, [], [volume]);
    const raid = fc.option(fc.record({ hardware: list, software: list }), { nil: undefined });
    const settles = (wish: RAIDConfig | undefined, known: RAIDConfig | undefined) => {
      const given = facts({ raid: wish });
      let status = recorded({ rootDeviceHints: {}, ...(known === undefined ? {} : { raid: known }) });
      for (let times = 0; times < 3; times += 1) status = patched(withSettings(status, targetSettings(given, status)));
      expect(settingsDiffer(given, status)).toBe(false);
    };
    const config = raid.map((value) => value && lists(value.hardware, value.software));
    fc.assert(fc.property(config, config, settles), replay('RAID settles'));
  });
});

/** As it comes back from a server that was sent a merge patch. */
function patched(status: BareMetalHostStatus): BareMetalHostStatus {
  return JSON.parse(JSON.stringify(status, (_key, value: unknown) => (value === null ? undefined : value))) as never;
}

describe('root device hints', () => {
  it('of the host beat those of its profile', () => {
    const mine = { deviceName: '/dev/vdb' };
    expect(targetRootDeviceHints(facts({ rootDeviceHints: mine }, { deviceName: '/dev/sda' }))).toBe(mine);
    expect(targetRootDeviceHints(facts({}, { deviceName: '/dev/sda' }))).toEqual({ deviceName: '/dev/sda' });
  });

  it('go when a software volume is the root device, and only then', () => {
    const raid = (rootVolume: boolean) => ({ softwareRAIDVolumes: [volume, { ...volume, rootVolume }] });
    const rootDeviceHints = { deviceName: '/dev/sda' };
    expect(targetRootDeviceHints(facts({ rootDeviceHints, raid: raid(true) }))).toBeUndefined();
    expect(targetRootDeviceHints(facts({ rootDeviceHints, raid: raid(false) }))).toEqual(rootDeviceHints);
  });

  it.each([
    [{ rotational: true }, { rotational: false }, true],
    [{ rotational: true }, { rotational: true }, false],
    [{ rotational: false }, {}, true],
    [{ deviceName: '/dev/sda', minSizeGigabytes: 1 }, { minSizeGigabytes: 1, deviceName: '/dev/sda' }, false],
  ])('%j against %j differ: %s', (wished, known, differs) => {
    expect(settingsDiffer(facts({ rootDeviceHints: wished }), recorded({ rootDeviceHints: known }))).toBe(differs);
  });
});

describe('the record of the settings', () => {
  it('takes both in, and drops what is no longer wished', () => {
    const status = recorded({ rootDeviceHints: { deviceName: '/dev/sda' }, raid: lists([], []) });
    const { provisioning } = withSettings(status, { rootDeviceHints: undefined, raid: undefined });
    expect(provisioning).toEqual({ ID: '', state: 'available' });
    const raid = lists([volume], null);
    expect(withSettings(status, { rootDeviceHints: {}, raid }).provisioning).toMatchObject({
      rootDeviceHints: {},
      raid,
    });
  });

  it('forgets hints, firmware and software volumes, and keeps the volumes of the controller', () => {
    const status = recorded({ rootDeviceHints: {}, firmware: {}, raid: lists([volume], [volume]) });
    expect(withoutSettings(status).provisioning).toEqual({ ID: '', state: 'available', raid: lists([volume], null) });
    expect(withoutSettings(recorded({})).provisioning).toEqual({ ID: '', state: 'available' });
  });
});
