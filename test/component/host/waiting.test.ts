/** A host says what it waits for: what is asked of it and cannot act where it is, above all. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { hostKind } from '../../../src/controllers/host/index.js';
import { secretKind } from '../../../src/kube/index.js';
import { componentsObject, settingsObject, updateOf } from '../../support/firmware-objects.js';
import { HostBench } from '../../support/host-bench.js';
import { aHost, type HostBuilder, image } from '../../support/host-builder.js';
import { working } from '../../support/scripted-provisioner.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

const place = { namespace: 'default', name: 'host' };
const detached = 'baremetalhost.metal3.io/detached';
const lifecycle = { waitsFor: 'something else' };
const waitsFor = async () => (await bench.host())?.status?.lifecycle?.waitsFor;
const errorOf = (errorType: 'inspection error' | 'provisioning error' | 'provisioned registration error') =>
  ({ operationalStatus: 'error', errorType, errorMessage: 'x', errorCount: 2 }) as const;
const again = { 'inspect.metal3.io': '' };

/** Told in these words, by one write, and by no more of them as time goes on. */
async function expectTold(words: RegExp): Promise<void> {
  expect((await bench.pass()).host?.status?.lifecycle?.waitsFor).toMatch(words);
  for (let count = 0; count < 3; count += 1) {
    bench.clock.advance(61_000);
    expect((await bench.pass()).writes).toEqual([]);
  }
}

describe('what is asked of a host at rest, and cannot act there', () => {
  const free = (what: string) => new RegExp(`^the host to be available again, before which ${what} cannot act$`);

  it.each<[string, HostBuilder, RegExp]>([
    ['another inspection', aHost().in('provisioned').annotated(again), free('the annotation inspect\\.metal3\\.io')],
    [
      'another inspection, where others have provisioned it',
      aHost().spec({ externallyProvisioned: true }).in('externally provisioned').annotated(again),
      free('the annotation inspect\\.metal3\\.io'),
    ],
    [
      'RAID',
      aHost()
        .spec({ raid: { hardwareRAIDVolumes: [{ level: '1' }] } })
        .in('provisioned'),
      free('spec\\.raid'),
    ],
    [
      'another boot mode',
      aHost()
        .spec({ bootMode: 'legacy' })
        .in('provisioned', { provisioning: { bootMode: 'UEFI' } }),
      free('spec\\.bootMode'),
    ],
    [
      'to be left to others',
      aHost().spec({ externallyProvisioned: true }).in('provisioned'),
      free('spec\\.externallyProvisioned'),
    ],
    [
      'another checksum of the same image, and another inspection',
      aHost()
        .spec({ image: { ...image, checksum: 'ef01' } })
        .in('provisioned')
        .annotated(again),
      free('the annotation inspect\\.metal3\\.io, what of spec\\.image was changed beside its url'),
    ],
    [
      'another profile',
      aHost().spec({ hardwareProfile: 'dell' }).in('provisioned'),
      /^spec\.hardwareProfile to be "unknown" again/,
    ],
    [
      'a reboot by no force, where nobody uses it',
      aHost().withoutImage().in('available').annotated({ 'reboot.metal3.io': '{"mode":"hard"}' }),
      /^its reboot\.metal3\.io annotations to be removed, or to say "force": true/,
    ],
    [
      'the same by a client',
      aHost().withoutImage().in('available').annotated({ 'reboot.metal3.io/a': '' }),
      /^its reboot\.metal3\.io annotations/,
    ],
  ])('is told: %s', async (_what, host, words) => {
    await bench.put(host);
    await expectTold(words);
    expect(bench.backEnd.ops).not.toContain('powerOff');
    const { state } = (await bench.host())!.status!.provisioning;
    expect(state).toBe(host.status?.provisioning?.state);
  });

  it('is told to its end, however much it is', async () => {
    const raid = { hardwareRAIDVolumes: [{ level: '1' }] };
    const spec = { raid, bootMode: 'legacy', externallyProvisioned: true, hardwareProfile: 'dell' };
    const known = { provisioning: { bootMode: 'UEFI' } } as const;
    const host = aHost().spec({ ...spec, image: { ...image, checksum: 'ef01' } });
    await bench.put(host.in('provisioned', known).annotated(again));
    await bench.companion('settings', settingsObject());
    await bench.companion('components', componentsObject([updateOf('bmc', 1)]));
    await bench.companion('policies', { spec: { firmwareSettings: 'onReboot' } });
    await bench.companion('dataImages', { spec: { url: 'http://images.example.com/data.iso' } });
    await expectTold(/inspect\.metal3\.io, spec\.raid, .*HostFirmwareSettings, its DataImage .*a host is set once$/);
  });

  it('is told no more once it is taken back', async () => {
    await bench.put(aHost().in('provisioned').annotated(again));
    await bench.pass();
    await bench.change({ metadata: { annotations: { 'inspect.metal3.io': null } } });
    expect((await bench.pass()).host?.status?.lifecycle?.waitsFor).toBeUndefined();
  });

  it('acts once it can: the annotation is kept until then', async () => {
    await bench.put(aHost().in('provisioned').annotated(again));
    await bench.pass();
    await bench.change({ spec: { image: null } });
    expect(await bench.passes(4)).toContain('inspecting');
  });

  it.each([
    [aHost().in('provisioned', { provisioning: { bootMode: 'UEFI' } })],
    [aHost().in('provisioned').annotated({ 'inspect.metal3.io': 'disabled' })],
    [aHost().spec({ hardwareProfile: 'unknown' }).in('provisioned')],
    [
      aHost()
        .spec({ raid: { hardwareRAIDVolumes: null, softwareRAIDVolumes: null } })
        .in('provisioned'),
    ],
    [
      aHost()
        .withoutImage()
        .spec({ online: false })
        .in('available', { poweredOn: false })
        .annotated({ 'reboot.metal3.io/a': '' }),
    ],
  ])('is nothing where nothing differs', async (host) => {
    bench.backEnd.gate = (op) =>
      op === 'updateHardwareState' ? { poweredOn: host.status?.poweredOn === true } : undefined;
    await bench.put(host);
    await bench.pass();
    expect(await bench.pass()).toMatchObject({ writes: [], decision: { kind: 'after', ms: 60_000 } });
    expect(await waitsFor()).toBeUndefined();
  });
});

describe('a change that is made while a host is off', () => {
  const onReboot = { spec: { firmwareSettings: 'onReboot', firmwareUpdates: 'onReboot' } };
  const url = 'http://images.example.com/data.iso';

  it('of firmware is told of one in use, with what would let it act', async () => {
    await bench.put(aHost().in('provisioned'));
    await bench.companion('settings', settingsObject());
    await bench.companion('components', componentsObject([updateOf('bmc', 1)]));
    await expectTold(
      /^the host to be available again, or a HostUpdatePolicy with onReboot, before which its HostFirmwareSettings, its HostFirmwareComponents cannot act$/,
    );
    await bench.companion('policies', { spec: { firmwareSettings: 'onReboot' } });
    expect((await bench.pass()).host?.status?.lifecycle?.waitsFor).toMatch(
      /with onReboot, before which its HostFirmwareComponents cannot act; the host to be switched off and on again, before which its HostFirmwareSettings cannot act$/,
    );
  });

  it.each([
    [
      false,
      /^the host to be switched off and on again, before which its HostFirmwareSettings, its DataImage cannot act$/,
    ],
    [true, /^the host to be off once, which spec\.disablePowerOff keeps it from, before which /],
  ])('waits for that (disablePowerOff: %s)', async (disablePowerOff, words) => {
    await bench.put(aHost().spec({ disablePowerOff }).in('provisioned'));
    await bench.companion('policies', onReboot);
    await bench.companion('settings', settingsObject());
    await bench.companion('dataImages', { spec: { url } });
    await expectTold(words);
  });

  it('is none where the drive has the image already', async () => {
    await bench.put(aHost().in('provisioned'));
    await bench.companion('dataImages', { spec: { url }, status: { attachedImage: { url } } });
    await bench.pass();
    expect(await waitsFor()).toBeUndefined();
  });
});

describe('a host at work', () => {
  it('says when it is detached, if that has to wait, and how it need not', async () => {
    await bench.put(
      aHost()
        .in('preparing', { lifecycle })
        .annotated({ [detached]: '' }),
    );
    for (let count = 0; count < 4; count += 1)
      bench.backEnd.answer('prepare', { result: working(10_000), started: false });
    await expectTold(
      /^the preparation to end; its detached annotation acts after that, or at once if it says "force": true$/,
    );
    expect(bench.backEnd.ops).not.toContain('detach');
  });

  it.each([
    ['inspecting', 'inspectHardware', { result: working(3000), started: true, details: undefined }],
    ['provisioning', 'provision', working(3000)],
  ])('in %s that a client begins anew again and again says who does', async (state, op, answer) => {
    await bench.put(
      aHost().in(state, { lifecycle, lastAttemptedImage: image }).annotated({ 'reboot.metal3.io/a': '{"force":true}' }),
    );
    for (let count = 0; count < 9; count += 1) bench.backEnd.answer(op, answer);
    await bench.pass();
    expect(await waitsFor()).toMatch(/^its reboot\.metal3\.io\/\.\.\. annotations with "force": true to be removed/);
  });

  it('passes on what its back end waits for, by one write, and ends it by another', async () => {
    await bench.put(aHost().spec({ online: false }).in('provisioned'));
    const held = { ...working(3000), isDeferred: true, waitsFor: 'its Ironic node to be unlocked' };
    bench.backEnd.answer('powerOff', held, held, held, held, working(3000));
    await expectTold(/^its Ironic node to be unlocked$/);
    expect((await bench.pass()).writes).toEqual(['patch baremetalhosts/status']);
    expect(await waitsFor()).toBeUndefined();
  });

  it('whose inspection is disabled after it failed has no error of it any more', async () => {
    await bench.put(aHost().spec({ inspectionMode: 'disabled' }).in('inspecting', errorOf('inspection error')));
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({ operationalStatus: 'OK', errorMessage: '', errorCount: 0 });
    expect(host?.status?.errorType).toBeUndefined();
    expect(host?.status?.provisioning.state).toBe('preparing');
  });

  it.each([
    [
      'its adoption, which somebody else has mended',
      aHost().in('provisioned', errorOf('provisioned registration error')),
    ],
    [
      'an image, which it is not to have any more',
      aHost()
        .withoutImage()
        .in('available', { ...errorOf('provisioning error'), provisioningFailCount: 5 }),
    ],
  ])('has no error any more of %s', async (_what, host) => {
    await bench.put(host);
    expect((await bench.pass()).host?.status).toMatchObject({
      operationalStatus: 'OK',
      errorMessage: '',
      errorCount: 0,
    });
    expect((await bench.pass()).writes).toEqual([]);
  });

  it('that gives an image up names what may change that', async () => {
    await bench.put(aHost().in('available', { provisioningFailCount: 5, lastAttemptedImage: image }));
    const { host } = await bench.pass();
    expect(host?.status?.lifecycle?.waitsFor).toMatch(
      /^a change after: provisioning failed 5 times .*ironchart\.io\/retry/,
    );
  });
});

describe('a deletion that waits', () => {
  it('for the detached annotation says so', async () => {
    await bench.put(
      aHost()
        .in('provisioned')
        .annotated({ [detached]: '{"deleteAction":"delay"}' }),
    );
    await bench.pass();
    expect(await waitsFor()).toBe('its detached annotation to be removed');
    await bench.api.delete(hostKind, place);
    await expectTold(
      /^its detached annotation to be removed, or to have no deleteAction "delay" any more: its deletion waits/,
    );
  });
});

describe('a host that is let go, and held by others', () => {
  const held = { metadata: { finalizers: ['baremetalhost.metal3.io', 'example.com/a'] } };
  const secretFinalizers = async () => (await bench.readSecret('bmc'))?.metadata.finalizers ?? [];

  beforeEach(async () => {
    await bench.put(aHost().in('deleting'));
    await bench.change(held);
    await bench.api.delete(hostKind, place);
  });

  it('says who holds it, and no longer what is done', async () => {
    const { host, writes } = await bench.pass();
    expect(host?.metadata.finalizers).toEqual(['example.com/a']);
    expect(writes).toEqual(['patch secrets', 'patch baremetalhosts', 'patch baremetalhosts/status']);
    expect(await waitsFor()).toBe('others to remove the finalizers example.com/a');
    for (const restart of [false, true]) {
      if (restart) bench.restart();
      expect(await bench.pass()).toMatchObject({ writes: [], decision: { kind: 'done' } });
    }
  });

  it('takes no hold away that another host has of the Secret they share', async () => {
    await bench.pass();
    expect(await secretFinalizers()).toEqual([]);
    await bench.api.patch(
      secretKind,
      { namespace: 'default', name: 'bmc' },
      { metadata: { finalizers: ['baremetalhost.metal3.io/secret'] } },
    );
    bench.restart();
    expect((await bench.pass()).writes).toEqual([]);
    expect(await secretFinalizers()).toEqual(['baremetalhost.metal3.io/secret']);
  });
});

describe('what the API server does not let the operator do', () => {
  it('is told on the host, as long as it lasts', async () => {
    await bench.put(aHost().in('provisioned'), { unclaimed: true });
    bench.fault = ({ verb, resource }) =>
      verb === 'create' && resource === 'hostfirmwaresettings.metal3.io'
        ? { status: 403, message: 'the operator may not create it' }
        : undefined;
    const { host, events } = await bench.pass();
    expect(host?.status?.lifecycle?.waitsFor).toMatch(/hostfirmwaresettings.*403.*may not create it/);
    expect(events).toEqual(['Waiting']);
    expect(host?.status?.errorCount).toBe(0);
    bench.fault = undefined;
    await bench.passes();
    expect(await waitsFor()).toBeUndefined();
  });
});
