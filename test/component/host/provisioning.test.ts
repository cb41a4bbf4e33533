import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventKind } from '../../../src/kube/index.js';
import { HostBench } from '../../support/host-bench.js';
import { aHost, image } from '../../support/host-builder.js';
import { failing, working } from '../../support/scripted-provisioner.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

const stateAfter = async () => (await bench.pass()).host?.status?.provisioning.state;

describe('an available host', () => {
  it('that others provision becomes externally provisioned, and forgets what was prepared', async () => {
    await bench.put(aHost().spec({ externallyProvisioned: true }).in('available'));
    const { host } = await bench.pass();
    expect(host?.status?.provisioning.state).toBe('externally provisioned');
    // The registration of this pass found the hints in place; leaving available clears them.
    expect(host?.status?.provisioning.rootDeviceHints).toBeUndefined();
  });

  it('that is to be offline is not provisioned, only powered off', async () => {
    await bench.put(aHost().spec({ online: false }).in('available'));
    expect(await stateAfter()).toBe('available');
    expect(bench.backEnd.ops).toContain('powerOff');
  });

  it('with a custom deploy is provisioned', async () => {
    await bench.put(
      aHost()
        .withoutImage()
        .spec({ customDeploy: { method: 'install_everything' } })
        .in('available'),
    );
    expect(await stateAfter()).toBe('provisioning');
  });

  it('is not tried again once the limit is reached, and says what helps', async () => {
    await bench.put(aHost().in('available', { provisioningFailCount: 5, lastAttemptedImage: image }));
    const { host, decision } = await bench.pass();
    expect(host?.status).toMatchObject({ errorType: 'provisioning error', provisioning: { state: 'available' } });
    expect(host?.status?.errorMessage).toMatch(/failed 5 times.*limit is 5.*change the image/);
    expect(decision.kind).toBe('after');
    expect(bench.backEnd.ops).not.toContain('provision');
  });

  it.each([
    ['one failure short of the limit', 5, { provisioningFailCount: 4, lastAttemptedImage: image }, 4],
    ['no limit', 0, { provisioningFailCount: 100, lastAttemptedImage: image }, 100],
    [
      'another URL than the one that failed',
      5,
      { provisioningFailCount: 5, lastAttemptedImage: { ...image, url: 'http://other' } },
      0,
    ],
    [
      'another checksum than the one that failed',
      5,
      { provisioningFailCount: 5, lastAttemptedImage: { ...image, checksum: 'ef' } },
      0,
    ],
  ])('is tried again with %s', async (_what, limit, status, failCount) => {
    bench.maxRetries = limit;
    bench.restart();
    await bench.put(aHost().in('available', status));
    const { host } = await bench.pass();
    expect(host?.status?.provisioning.state).toBe('provisioning');
    expect(host?.status?.provisioningFailCount).toBe(failCount);
  });

  it('holds the limit for a custom deploy too', async () => {
    await bench.put(
      aHost()
        .withoutImage()
        .spec({ customDeploy: { method: 'x' } })
        .in('available', { provisioningFailCount: 5 }),
    );
    const { host } = await bench.pass();
    expect(host?.status?.errorType).toBe('provisioning error');
  });
});

describe('whether a provisioned host keeps its image', () => {
  const recorded = { url: 'http://images/os.qcow2' };
  const cases: [string, object, object, boolean][] = [
    ['the same image', { image }, { image: recorded }, true],
    ['no image', { image: null }, { image: recorded }, false],
    ['another URL', { image: { ...image, url: 'http://other' } }, { image: recorded }, false],
    ['another checksum only', { image: { ...image, checksum: 'ef' } }, { image: recorded }, true],
    ['offline', { online: false }, { image: recorded }, true],
    [
      'the same custom deploy',
      { image: null, customDeploy: { method: 'a' } },
      { image: { url: '' }, customDeploy: { method: 'a' } },
      true,
    ],
    [
      'another custom deploy',
      { image: null, customDeploy: { method: 'b' } },
      { image: { url: '' }, customDeploy: { method: 'a' } },
      false,
    ],
    [
      'the custom deploy removed, with the same image',
      { image },
      { image: recorded, customDeploy: { method: 'a' } },
      false,
    ],
    [
      'the same deploy with another image',
      { image: { ...image, url: 'http://other' }, customDeploy: { method: 'a' } },
      { image: recorded, customDeploy: { method: 'a' } },
      false,
    ],
    [
      'the same deploy with the image removed',
      { image: null, customDeploy: { method: 'a' } },
      { image: recorded, customDeploy: { method: 'a' } },
      false,
    ],
  ];

  it.each(cases)('%s', async (_what, spec, provisioning, keeps) => {
    const given = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null));
    const base = (spec as { image?: unknown }).image === null ? aHost().withoutImage() : aHost();
    await bench.put(base.spec(given).in('provisioned', { provisioning: { ...provisioning } as never }));
    expect(await stateAfter()).toBe(keeps ? 'provisioned' : 'deprovisioning');
  });

  it.each<[string, object, string]>([
    ['another URL', { spec: { image: { ...image, url: 'http://other' } } }, 'spec.image.url was changed'],
    ['no image', { spec: { image: null } }, 'spec.image.url was removed'],
  ])('and what took it is told, once (%s)', async (_what, change, cause) => {
    await bench.put(aHost().in('provisioned'));
    expect((await bench.pass()).events).not.toContain('ProvisioningCancelled');
    await bench.change(change);
    expect((await bench.pass()).events).toEqual(['ProvisioningCancelled']);
    await bench.pass();
    const { items } = await bench.api.list(eventKind, { namespace: 'default' });
    const told = items.filter(({ reason }) => reason === 'ProvisioningCancelled');
    const [message] = told.map((event) => String(event.message));
    expect(told).toHaveLength(1);
    expect(message?.replace(/ by .*: the/, ': the')).toBe(`${cause}: the host is deprovisioned and powered off`);
    // Somebody else's change goes by the same name here.
    expect(message).toMatch(/ by (ironchart at 2026-|a client that the API server does not name)/);
  });

  it('is not said to be called off where the host is deleted', async () => {
    await bench.put(aHost().withoutImage().in('provisioned').deleted());
    const { events, host } = await bench.pass();
    expect(host?.status?.provisioning.state).toBe('deprovisioning');
    expect(events).not.toContain('ProvisioningCancelled');
  });

  it('an unprovisioned one with a wish goes on', async () => {
    await bench.put(aHost().in('provisioning'));
    bench.backEnd.answer('provision', working(10_000));
    expect(await stateAfter()).toBe('provisioning');
  });
});

describe('provisioning', () => {
  it('that is done records image and deploy, and forgets failures', async () => {
    await bench.put(
      aHost()
        .spec({ customDeploy: { method: 'm' } })
        .in('provisioning', { errorCount: 3, provisioningFailCount: 2 }),
    );
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({
      errorCount: 0,
      provisioningFailCount: 0,
      provisioning: { state: 'provisioned', image, customDeploy: { method: 'm' } },
    });
  });

  it('that fails is told with its image, then cleaned up, then tried again', async () => {
    await bench.put(aHost().in('provisioning'));
    bench.backEnd.answer('provision', failing('disk too small'));
    const failed = await bench.pass();
    expect(failed.host?.status).toMatchObject({
      errorType: 'provisioning error',
      errorMessage: 'disk too small',
      errorCount: 1,
      lastAttemptedImage: image,
      provisioning: { state: 'provisioning' },
    });
    expect(failed.decision).toEqual({ kind: 'after', ms: 120_000 });
    const cleaning = await bench.pass();
    expect(cleaning.host?.status).toMatchObject({
      provisioningFailCount: 1,
      provisioning: { state: 'deprovisioning' },
    });
    expect(await bench.passes(4)).toEqual(['available', 'provisioning', 'provisioned']);
    expect(bench.backEnd.argsOf('deprovision').restartOnFailure).toBe(true);
  });

  const before = { ...image, url: 'http://images.example.com/before.qcow2' };
  const onRecord = (method: string) => ({ lastAttemptedImage: before, lifecycle: { begunDeploy: method } });
  it.each([
    ['that the back end has begun', onRecord('m'), before.url, before, 'm'],
    ['without a custom deploy, that the back end has begun', onRecord(''), before.url, before, ''],
    ['that this pass begins', onRecord('m'), undefined, image, 'n'],
    ['of which nothing is on record', {}, before.url, image, 'n'],
    ['whose method is not on record', { lastAttemptedImage: before }, before.url, image, 'n'],
    ['that the back end calls by another name', onRecord('m'), 'http://elsewhere', image, 'n'],
  ])('tries what %s, and records it as what the host has', async (_, status, imageURL, expected, method) => {
    await bench.put(
      aHost()
        .spec({ customDeploy: { method: 'n' } })
        .in('provisioning', status),
    );
    const begun = imageURL === undefined ? {} : { begun: { imageURL } };
    bench.backEnd.answer('provision', { ...working(10_000), ...begun });
    const { host: trying } = await bench.pass();
    expect(trying?.status).toMatchObject({
      lastAttemptedImage: expected,
      provisioning: { state: 'provisioning' },
      lifecycle: { begunDeploy: method },
    });
    bench.backEnd.answer('provision', { kind: 'complete', ...begun });
    const { host } = await bench.pass();
    const customDeploy = method === '' ? undefined : { method };
    expect(host?.status).toMatchObject({ provisioning: { state: 'provisioned', image: expected }, lifecycle: {} });
    expect(host?.status?.provisioning.customDeploy).toEqual(customDeploy);
    expect(host?.status?.lifecycle).not.toHaveProperty('begunDeploy');
  });

  it('by a custom deploy without an image is not taken for one of the image that was tried before', async () => {
    await bench.put(
      aHost()
        .withoutImage()
        .spec({ customDeploy: { method: 'n' } })
        .in('provisioning', onRecord('m')),
    );
    bench.backEnd.answer('provision', { kind: 'complete', begun: { imageURL: '' } });
    const { host } = await bench.pass();
    expect(host?.status?.provisioning).toMatchObject({
      state: 'provisioned',
      image: { url: '' },
      customDeploy: { method: 'm' },
    });
  });

  it('takes a one-shot reboot request as fulfilled, with or without force', async () => {
    await bench.put(aHost().in('provisioning').annotated({ 'reboot.metal3.io': '{"force":true}' }));
    const { host, decision } = await bench.pass();
    expect(bench.backEnd.argsOf('provision').forceReboot).toBe(true);
    expect(host?.metadata.annotations ?? {}).toEqual({});
    expect(decision).toEqual({ kind: 'backoff' });
    expect(host?.status?.provisioning.state).toBe('provisioning');
  });

  it('opens its history on entry, closes it on leaving, and reopens it the next time', async () => {
    await bench.put(
      aHost().in('available', {
        operationHistory: { provision: { start: '2020-01-01T00:00:00Z', end: '2020-01-02T00:00:00Z' } },
      }),
    );
    const entered = await bench.pass();
    expect(entered.host?.status?.operationHistory?.provision).toEqual({ start: '2026-01-01T00:00:00Z' });
    bench.clock.advance(90_000);
    const left = await bench.pass();
    expect(left.host?.status?.operationHistory?.provision).toEqual({
      start: '2026-01-01T00:00:00Z',
      end: '2026-01-01T00:01:30Z',
    });
    expect(bench.counted).toContain('metal3_operation_provision_duration_seconds');
    expect(bench.counted).toContain('metal3_provisioning_state_change_total available provisioning');
  });

  it.each([
    ['registering', '', undefined, 'UEFI'],
    ['provisioning', 'available', 'legacy', 'legacy'],
  ] as const)('writes the boot mode on entering %s', async (entered, from, bootMode, wanted) => {
    await bench.put(
      aHost()
        .spec(bootMode === undefined ? {} : { bootMode })
        .in(from),
    );
    const { host } = await bench.pass();
    expect(host?.status?.provisioning).toMatchObject({ state: entered, bootMode: wanted });
  });

  it('leaves the boot mode alone on other ways', async () => {
    await bench.put(
      aHost()
        .spec({ bootMode: 'legacy' })
        .in('provisioning', { provisioning: { bootMode: 'UEFI' } }),
    );
    expect((await bench.pass()).host?.status?.provisioning).toMatchObject({ state: 'provisioned', bootMode: 'UEFI' });
  });
});

describe('the config drive', () => {
  interface Getters {
    userData(): Promise<string>;
    networkData(): Promise<string>;
    metaData(): Promise<string>;
  }
  const getters = async (spec: object): Promise<Getters> => {
    await bench.put(
      aHost()
        .spec(spec as never)
        .in('provisioning'),
    );
    await bench.pass();
    return bench.backEnd.argsOf('provision').hostConfig as unknown as Getters;
  };

  it('takes the key of its name, else the key value', async () => {
    await bench.secret('ud', { userData: 'u', value: 'v' });
    await bench.secret('md', { value: 'v' });
    const config = await getters({ userData: { name: 'ud' }, metaData: { name: 'md', namespace: 'default' } });
    expect(await config.userData()).toBe('u');
    expect(await config.metaData()).toBe('v');
    expect(await config.networkData()).toBe('');
  });

  it('never reads another namespace, and wants one of its keys', async () => {
    await bench.secret('ud', { other: 'x' });
    const config = await getters({ userData: { name: 'ud' }, metaData: { name: 'md', namespace: 'kube-system' } });
    await expect(config.userData()).rejects.toThrow(/neither the key userData nor the key value/);
    await expect(config.metaData()).rejects.toThrow(/only use Secrets of its own namespace/);
    expect(bench.counted).toContain('config-data userData');
  });

  it.each(['userData', 'networkData'] as const)('never reads the %s of another namespace', async (field) => {
    const config = await getters({ [field]: { name: 'ud', namespace: 'kube-system' } });
    await expect(config[field]()).rejects.toThrow(`spec.${field} refers to namespace kube-system`);
  });

  it('falls back to the network data of the agent', async () => {
    await bench.secret('nd', { networkData: 'agent' });
    expect(await (await getters({ preprovisioningNetworkDataName: 'nd' })).networkData()).toBe('agent');
  });

  it('takes a Secret of network data without its keys for none, and counts it', async () => {
    await bench.secret('own', { other: 'x' });
    expect(await (await getters({ networkData: { name: 'own' } })).networkData()).toBe('');
    expect(bench.counted).toContain('config-data networkData');
  });

  it('prefers its own network data', async () => {
    await bench.secret('nd', { networkData: 'agent' });
    await bench.secret('own', { networkData: 'own' });
    const config = await getters({ preprovisioningNetworkDataName: 'nd', networkData: { name: 'own' } });
    expect(await config.networkData()).toBe('own');
  });

  it('with a Secret that is missing leaves the status alone but for the reason', async () => {
    await bench.put(aHost().in('provisioning'));
    bench.backEnd.answer('provision', new Error('the Secret ud of spec.userData does not exist: create it'));
    const { host } = await bench.pass();
    expect(host?.status?.errorType).toBeUndefined();
    expect(host?.status?.lifecycle?.waitsFor).toContain('create it');
  });
});

describe('the pull secret of an image', () => {
  const oci = { url: 'OCI://images.example.com/os:1', ociAuthSecretName: 'pull' };
  const configuration = (auths: object) => ({ '.dockerconfigjson': JSON.stringify({ auths }) });
  const good = configuration({ 'images.example.com': { username: 'puller', password: 'registry-pw' } });
  const dockerType = 'kubernetes.io/dockerconfigjson';

  it('gives the back end a login for the registry, and gets the label of Secrets that are looked at', async () => {
    await bench.secret('pull', good, dockerType);
    await bench.put(aHost().spec({ image: oci }).in('provisioning'));
    expect(await stateAfter()).toBe('provisioned');
    expect(bench.backEnd.argsOf('provision').imagePullSecret).toBe('puller:registry-pw');
    const { metadata } = (await bench.readSecret('pull'))!;
    expect(metadata.labels).toEqual({ 'environment.metal3.io': 'baremetal' });
    expect([metadata.ownerReferences, metadata.finalizers]).toEqual([undefined, undefined]);
  });

  it.each<[string, Record<string, string> | undefined, string, string | undefined]>([
    ['that is missing', undefined, '', undefined],
    ['of another type', good, 'Opaque', 'ImageAuthFormatUnsupported'],
    ['without the registry', configuration({ other: {} }), dockerType, 'ImageAuthParseError'],
  ])('%s is a failed provisioning, and nothing is deployed', async (_what, values, type, warning) => {
    if (values !== undefined) await bench.secret('pull', values, type);
    await bench.put(aHost().spec({ image: oci }).in('provisioning'));
    const { host, decision, events } = await bench.pass();
    expect(host?.status).toMatchObject({ errorType: 'provisioning error', errorCount: 1 });
    expect(host?.status?.errorMessage).toContain('spec.image.ociAuthSecretName');
    expect(decision).toEqual({ kind: 'after', ms: 120_000 });
    expect(bench.backEnd.ops).not.toContain('provision');
    expect(events).toEqual([...(warning === undefined ? [] : [warning]), 'ProvisioningError']);
    const [told] = await bench.events('ImageAuth');
    expect(told?.type).toBe(warning === undefined ? undefined : 'Warning');
    expect(told?.source).toEqual(warning === undefined ? undefined : { component: 'baremetalhost-controller' });
  });

  it('is not repeated by what the registry says', async () => {
    await bench.secret('pull', good, dockerType);
    await bench.put(aHost().spec({ image: oci }).in('provisioning'));
    bench.backEnd.answer('provision', failing('401 for puller:registry-pw, cHVsbGVyOnJlZ2lzdHJ5LXB3'));
    const { host } = await bench.pass();
    expect(host?.status?.errorMessage).toMatch(/^401 for [^,]*\*\*\*, \*\*\*$/);
  });

  it('is ignored for an image that comes from no registry', async () => {
    await bench.put(
      aHost()
        .spec({ image: { ...image, ociAuthSecretName: 'pull' } })
        .in('provisioning'),
    );
    expect(await stateAfter()).toBe('provisioned');
    expect(bench.backEnd.argsOf('provision').imagePullSecret).toBe('');
  });
});

describe('deprovisioning', () => {
  it('that is done empties image, deploy and settings, and the host is available', async () => {
    const raid = { hardwareRAIDVolumes: [{ level: '1' as const }], softwareRAIDVolumes: [] };
    await bench.put(
      aHost()
        .withoutImage()
        .in('deprovisioning', { errorCount: 2, provisioning: { customDeploy: { method: 'm' }, raid } }),
    );
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({ errorCount: 0, provisioning: { state: 'available', image: { url: '' } } });
    expect(host?.status?.provisioning.customDeploy).toBeUndefined();
    expect(host?.status?.provisioning.rootDeviceHints).toBeUndefined();
    expect(host?.status?.provisioning.raid).toEqual({ hardwareRAIDVolumes: [{ level: '1' }] });
  });

  it('makes sure first that the back end knows the image', async () => {
    await bench.put(aHost().withoutImage().in('deprovisioning'));
    bench.backEnd.answer('adopt', working(3000));
    const { decision } = await bench.pass();
    expect(decision).toEqual({ kind: 'after', ms: 3000 });
    expect(bench.backEnd.ops).not.toContain('deprovision');
  });
});

describe('a host that cannot be cleaned', () => {
  it('never becomes available, nor is it powered on: what is on its disks would come back', async () => {
    await bench.put(aHost().withoutImage().in('deprovisioning', { poweredOn: false }));
    for (let count = 1; count <= 6; count += 1) {
      bench.backEnd.answer('deprovision', failing('clean failed'));
      const { host } = await bench.pass();
      expect(host?.status).toMatchObject({ errorCount: count, provisioning: { state: 'deprovisioning' } });
    }
    expect(bench.backEnd.ops).not.toContain('powerOn');
  });
});

describe('a failed deployment', () => {
  it('for want of a disk is told with the hints and the disks of the host', async () => {
    const hardware = { storage: [{ name: '/dev/sda', sizeBytes: 480e9 }] };
    await bench.put(aHost().in('provisioning', { hardware: hardware as never }));
    bench.backEnd.answer('provision', failing('No suitable device was found'));
    const { host } = await bench.pass();
    expect(host?.status?.errorMessage).toContain('{"deviceName":"/dev/sda"}; the disks are /dev/sda 480 GB');
  });
});

describe('a host that somebody uses', () => {
  it('is deprovisioned when its image is taken away: it is no host that others provisioned', async () => {
    const consumerRef = { apiVersion: 'v1', kind: 'ConfigMap', name: 'machine', namespace: 'default' };
    await bench.put(aHost().withoutImage().spec({ consumerRef }).in('provisioned'));
    expect(await bench.passes(3)).toEqual(['deprovisioning', 'available']);
    expect(bench.backEnd.ops).toContain('deprovision');
  });
});

describe('an externally provisioned host', () => {
  it.each([
    ['an image', { image }, 'provisioned'],
    ['a custom deploy', { image: undefined, customDeploy: { method: 'm' } }, 'provisioned'],
  ])('whose flag is removed with %s is provisioned with it, and nothing is cleaned', async (_what, spec, wanted) => {
    const base = spec.image === undefined ? aHost().withoutImage() : aHost();
    await bench.put(
      base.spec('customDeploy' in spec ? { customDeploy: spec.customDeploy } : {}).in('externally provisioned'),
    );
    expect(await stateAfter()).toBe(wanted);
    expect(await stateAfter()).toBe('provisioned');
    expect(bench.backEnd.ops).not.toContain('deprovision');
  });

  it('whose flag is removed with neither is deprovisioned one pass later', async () => {
    await bench.put(aHost().withoutImage().in('externally provisioned'));
    expect(await stateAfter()).toBe('provisioned');
    expect(await stateAfter()).toBe('deprovisioning');
  });

  it('is never inspected, prepared, deployed or cleaned', async () => {
    await bench.put(aHost().withoutFinalizer().spec({ externallyProvisioned: true }));
    await bench.passes();
    expect((await bench.host())?.status?.provisioning.state).toBe('externally provisioned');
    expect(new Set(bench.backEnd.ops)).toEqual(new Set(['register', 'adopt', 'updateHardwareState']));
  });
});
