import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NeedsPreprovisioningImage, ProvisionerNotReady } from '../../../src/provisioner/index.js';
import { HostBench } from '../../support/host-bench.js';
import { aHost } from '../../support/host-builder.js';
import { failing, registering, silence, working } from '../../support/scripted-provisioner.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

const bmc = { address: 'redfish://192.0.2.10/redfish/v1/Systems/1', credentialsName: 'bmc' };

describe('a BMC that gives no answer', () => {
  it.each(['registering', 'provisioned'])('while %s is asked again soon, and more and more seldom', async (state) => {
    await bench.put(aHost().in(state), { goodCredentials: state !== 'registering' });
    const pauses: unknown[] = [];
    for (let count = 0; count < 7; count += 1) {
      bench.backEnd.answer('register', registering(silence));
      pauses.push((await bench.pass()).decision);
    }
    const seconds = [10, 20, 40, 80, 160, 480, 960];
    expect(pauses).toEqual(seconds.map((pause) => ({ kind: 'after', ms: pause * 1000 })));
    expect((await bench.host())?.status).toMatchObject({ errorType: 'registration error', errorCount: 7 });
  });

  it('is given the ordinary time by a host that leaves: it is given up after the fourth failure', async () => {
    await bench.put(aHost().in('deprovisioning').deleted());
    const pauses: unknown[] = [];
    for (let count = 0; count < 4; count += 1) {
      bench.backEnd.answer('register', registering(silence));
      pauses.push((await bench.pass()).decision);
    }
    expect(pauses).toEqual([2, 4, 8, 16].map((minutes) => ({ kind: 'after', ms: minutes * 60_000 })));
    expect((await bench.pass()).host?.status?.provisioning.state).toBe('deleting');
  });
});

describe('the BMC credentials', () => {
  it('are missing: the host is in error, counts each try and looks again in 10 s', async () => {
    await bench.put(
      aHost()
        .spec({ bmc: { ...bmc, credentialsName: 'nowhere' } })
        .in('registering'),
    );
    const { host, decision, events } = await bench.pass();
    expect(host?.status).toMatchObject({ operationalStatus: 'error', errorType: 'registration error', errorCount: 1 });
    expect(host?.status?.errorMessage).toContain('nowhere');
    expect(decision).toEqual({ kind: 'after', ms: 10_000 });
    expect(events).toEqual(['BMCCredentialError']);
    expect(bench.counted).toContain('metal3_credentials_missing_total');
    expect(host?.status?.lifecycle).toMatchObject({
      waitsFor: expect.stringContaining('nowhere'),
      nextRetryAt: '2026-01-01T00:00:10Z',
    });
    expect(host?.status?.provisioning.image).toEqual({ url: '' });
    expect(bench.reports.at(-1)).toMatchObject({ outcome: 'failed', waitsFor: expect.stringContaining('nowhere') });
    expect((await bench.pass()).host?.status?.errorCount).toBe(2);
  });

  it.each([
    ['no username', { password: 'pw' }, bmc, 'username'],
    ['no password', { username: 'admin' }, bmc, 'password'],
    ['a blank password', { username: 'admin', password: ' \n' }, bmc, 'password'],
    ['an empty address', { username: 'admin', password: 'pw' }, { ...bmc, address: '' }, 'spec.bmc.address'],
    ['an empty credentialsName', {}, { ...bmc, credentialsName: '' }, 'spec.bmc.credentialsName'],
  ])('with %s are refused until something changes, and counted once', async (_what, values, wanted, named) => {
    await bench.put(aHost().spec({ bmc: wanted }).in('registering'));
    await bench.secret('bmc', values as Record<string, string>);
    const { host, decision } = await bench.pass();
    expect(host?.status).toMatchObject({ errorType: 'registration error', errorCount: 1 });
    expect(host?.status?.errorMessage).toContain(named);
    expect(decision).toEqual({ kind: 'done' });
    expect(bench.counted).toContain('metal3_credentials_invalid_total');
    const again = await bench.pass();
    expect(again.writes.filter((write) => write.includes('status'))).toEqual([]);
    expect(again.host?.status?.errorCount).toBe(1);
  });

  it('say nothing about a power failure that was seen before: it stays told', async () => {
    const told = { type: 'Manageable', status: 'False', reason: 'PowerFailure', message: '', observedGeneration: 1 };
    const conditions = [{ ...told, lastTransitionTime: '2025-12-31T00:00:00Z' }];
    await bench.put(
      aHost()
        .spec({ bmc: { ...bmc, credentialsName: 'nowhere' } })
        .in('available', { conditions } as never),
    );
    const { host } = await bench.pass();
    expect(host?.status?.errorType).toBe('registration error');
    expect(host?.status?.conditions).toContainEqual(conditions[0]);
  });

  it('when mended, register the host and clear the error', async () => {
    await bench.put(aHost().in('registering'));
    await bench.secret('bmc', { username: 'admin' });
    await bench.pass();
    await bench.secret('bmc', { username: 'admin', password: 'pw' });
    await bench.passes();
    const host = await bench.host();
    expect(host?.status?.errorType).toBeUndefined();
    expect(host?.status).toMatchObject({ errorMessage: '', errorCount: 0 });
    expect(host?.status?.provisioning.state).toBe('provisioned');
  });

  it('are claimed in one write: label, plain owner, finalizer; a second look writes nothing', async () => {
    await bench.put(aHost());
    await bench.passes(1);
    const claimed = await bench.pass();
    expect(claimed.writes.filter((write) => write.includes('secrets'))).toEqual(['patch secrets']);
    const secret = await bench.api.get(
      { group: '', version: 'v1', kind: 'Secret', plural: 'secrets' },
      { namespace: 'default', name: 'bmc' },
    );
    expect(secret?.metadata.labels).toEqual({ 'environment.metal3.io': 'baremetal' });
    expect(secret?.metadata.finalizers).toEqual(['baremetalhost.metal3.io/secret']);
    expect(secret?.metadata.ownerReferences).toEqual([
      { apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', name: 'host', uid: claimed.host?.metadata.uid },
    ]);
    expect((await bench.pass()).writes.filter((write) => write.includes('secrets'))).toEqual([]);
  });

  it('when they change, are proven again: good ones replace the old, bad ones leave them', async () => {
    await bench.put(aHost().in('provisioned'));
    await bench.passes();
    await bench.secret('other', { username: 'root', password: 'new' });
    await bench.change({ spec: { bmc: { credentialsName: 'other' } } });
    const { host, events } = await bench.pass();
    expect(events).toContain('BMCAccessValidated');
    expect(host?.status).toMatchObject({
      goodCredentials: { credentials: { name: 'other' } },
      operationHistory: { register: { start: expect.any(String), end: expect.any(String) } },
      provisioning: { state: 'provisioned' },
    });

    await bench.secret('other', { username: 'root', password: '' });
    const bad = await bench.pass();
    expect(bad.host?.status).toMatchObject({
      goodCredentials: { credentials: { name: 'other' } },
      operationalStatus: 'error',
    });
  });
});

describe('a registration', () => {
  it.each(['registering', 'inspecting', 'preparing', 'available', 'provisioning', 'provisioned', 'deprovisioning'])(
    'that fails in %s keeps the state, waits a minute or two, and restarts on the next try',
    async (state) => {
      await bench.put(aHost().in(state));
      bench.backEnd.answer('register', registering(failing('no route to BMC')));
      const { host, decision, events } = await bench.pass();
      expect(host?.status).toMatchObject({
        errorType: 'registration error',
        errorMessage: 'no route to BMC',
        errorCount: 1,
        provisioning: { state },
      });
      expect(decision).toEqual({ kind: 'after', ms: 120_000 });
      expect(events).toContain('RegistrationError');
      expect(host?.status?.lifecycle?.nextRetryAt).toBe('2026-01-01T00:02:00Z');
      await bench.pass();
      expect(bench.backEnd.argsOf('register').restartOnFailure).toBe(true);
    },
  );

  it('that is thrown out shows why, keeps error fields as they are, and comes again soon', async () => {
    await bench.put(aHost().in('registering'));
    bench.backEnd.answer('register', new NeedsPreprovisioningImage('needs an image'));
    const { host, decision } = await bench.pass();
    expect(decision).toEqual({ kind: 'backoff', maxMs: 30_000 });
    expect(host?.status?.errorType).toBeUndefined();
    expect(host?.status?.lifecycle?.waitsFor).toBe('needs an image');
    expect(bench.counted).toContain('metal3_credentials_no_management_access_total');
  });

  it('under way saves what it has tried, once', async () => {
    await bench.put(aHost().in('registering', { provisioning: { ID: '' } }), { goodCredentials: false });
    bench.backEnd.answer('register', registering(working(3000)), registering(working(3000)));
    const first = await bench.pass();
    expect(first.decision).toEqual({ kind: 'after', ms: 3000 });
    expect(first.host?.status?.triedCredentials?.credentials?.name).toBe('bmc');
    expect(first.host?.status?.provisioning.ID).toBe('node-1');
    expect(bench.backEnd.argsOf('register').credentialsChanged).toBe(true);
    const second = await bench.pass();
    expect(second.writes).toEqual([]);
    expect(bench.backEnd.argsOf('register').credentialsChanged).toBe(false);
  });

  it('finds the back end away: nothing is tried, the host says what it waits for, once', async () => {
    await bench.put(aHost().in('available'));
    bench.backEnd.unready = new ProvisionerNotReady('Ironic is not ready: it cannot be reached');
    const { host, events, decision } = await bench.pass();
    expect(host?.status?.operationalStatus).toBe('OK');
    expect(host?.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Progressing', message: 'Ironic is not ready: it cannot be reached' }),
    );
    expect(events).toEqual(['ProvisionerNotReady']);
    expect(decision).toEqual({ kind: 'backoff', maxMs: 30_000 });
    expect(bench.counted).toContain('metal3_provisioner_not_ready_total');
    expect(await bench.pass()).toMatchObject({ writes: [], events: [] });
    bench.backEnd.unready = undefined;
    const { host: well } = await bench.pass();
    expect(well?.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Progressing', message: '' }));
  });
});

describe('a BMC that answers again', () => {
  it('leaves no error behind, and none that counts', async () => {
    await bench.put(aHost().in('provisioned'));
    bench.backEnd.answer('register', registering(failing('no answer')), registering(failing('no answer')));
    await bench.pass();
    expect((await bench.pass()).host?.status).toMatchObject({ errorType: 'registration error', errorCount: 2 });
    const { host } = await bench.pass();
    expect(host?.status?.errorType).toBeUndefined();
    expect(host?.status).toMatchObject({
      operationalStatus: 'OK',
      errorCount: 0,
      provisioning: { state: 'provisioned' },
    });
  });
});

describe('the hardware profile', () => {
  const profileOf = async (spec: object, hardwareProfile: string | undefined) => {
    await bench.put(
      aHost()
        .spec(spec as never)
        .in('registering', { hardwareProfile, provisioning: { rootDeviceHints: undefined } }),
    );
    return (await bench.pass()).host?.status;
  };

  it('is libvirt for a libvirt BMC, with its root device', async () => {
    const status = await profileOf({ bmc: { address: 'libvirt://192.0.2.1:6233', credentialsName: 'bmc' } }, undefined);
    expect(status).toMatchObject({
      hardwareProfile: 'libvirt',
      provisioning: { rootDeviceHints: { deviceName: '/dev/vda' } },
    });
  });

  it('stays what it once was', async () => {
    expect(await profileOf({ hardwareProfile: 'dell' }, 'openstack')).toMatchObject({ hardwareProfile: 'openstack' });
  });

  it('with a name that nobody knows is a registration error', async () => {
    const status = await profileOf({ hardwareProfile: 'bogus' }, undefined);
    expect(status).toMatchObject({ errorType: 'registration error' });
    expect(status?.errorMessage).toContain('bogus');
  });
});
