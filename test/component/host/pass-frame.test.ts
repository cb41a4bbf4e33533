import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostBench } from '../../support/host-bench.js';
import { aHost, image } from '../../support/host-builder.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

describe('the frame of a pass', () => {
  it('leaves a paused host alone, also one that is being deleted', async () => {
    const paused = { 'baremetalhost.metal3.io/paused': 'metal3.io/capm3' };
    await bench.put(aHost().annotated(paused).withoutFinalizer());
    expect(await bench.pass()).toMatchObject({ decision: { kind: 'done' }, writes: [] });
    await bench.change({ metadata: { finalizers: ['other.example.com/hold'] } });
    await bench.api.delete(
      { group: 'metal3.io', version: 'v1alpha1', kind: 'BareMetalHost', plural: 'baremetalhosts' },
      { namespace: 'default', name: 'host' },
    );
    expect(await bench.pass()).toMatchObject({ decision: { kind: 'done' }, writes: [] });
    expect(bench.backEnd.calls).toEqual([]);
  });

  it('only adds the finalizer to a new host, and comes again at once', async () => {
    await bench.put(aHost().withoutFinalizer());
    const { decision, host, writes } = await bench.pass();
    expect(writes).toEqual(['patch baremetalhosts']);
    expect(decision).toEqual({ kind: 'backoff' });
    expect(host?.metadata.finalizers).toEqual(['baremetalhost.metal3.io']);
    expect(host?.status).toBeUndefined();
  });

  it('restores an empty status from its annotation, once', async () => {
    const status = {
      operationalStatus: 'OK',
      errorMessage: '',
      poweredOn: true,
      provisioning: { state: 'provisioned', ID: 'node-1', image: { url: 'http://images/bar' } },
    };
    await bench.put(aHost().annotated({ 'baremetalhost.metal3.io/status': JSON.stringify(status) }));
    const restored = await bench.pass();
    expect(restored.decision).toEqual({ kind: 'backoff' });
    expect(restored.host?.status).toMatchObject({ ...status, lastUpdated: '2026-01-01T00:00:00Z' });
    const removed = await bench.pass();
    expect(removed.writes).toEqual(['patch baremetalhosts']);
    expect(removed.host?.metadata.annotations ?? {}).toEqual({});
    expect(removed.host?.status?.provisioning.image?.url).toBe('http://images/bar');
    const next = await bench.pass();
    expect(next.writes).not.toContain('patch baremetalhosts');
  });

  it('takes the names of fields in any case, and null for what is left out, as admission does', async () => {
    const status = { OperationalStatus: 'OK', hardware: null, Provisioning: { State: 'provisioned', id: 'node-1' } };
    const details = { Hostname: 'given', cpu: null };
    await bench.put(aHost().annotated({ 'baremetalhost.metal3.io/status': JSON.stringify(status) }));
    expect((await bench.pass()).host?.status).toMatchObject({
      operationalStatus: 'OK',
      provisioning: { state: 'provisioned', ID: 'node-1' },
    });
    await bench.pass();
    await bench.change({
      metadata: { annotations: { 'inspect.metal3.io/hardwaredetails': JSON.stringify(details) } },
    });
    expect((await bench.pass()).host?.status?.hardware).toEqual({ hostname: 'given' });
  });

  it('does not touch a status that was written before, and removes the annotation', async () => {
    const other = JSON.stringify({ provisioning: { state: 'registering', ID: '' } });
    await bench.put(aHost().in('provisioned').annotated({ 'baremetalhost.metal3.io/status': other }));
    const { host, decision } = await bench.pass();
    expect(decision).toEqual({ kind: 'backoff' });
    expect(host?.status?.provisioning.state).toBe('provisioned');
    expect(host?.metadata.annotations ?? {}).toEqual({});
  });

  it('refuses a corrupt status annotation, and leaves the host alone until it is mended', async () => {
    await bench.put(aHost().annotated({ 'baremetalhost.metal3.io/status': '{"provisioning":' }));
    const { host, events, decision } = await bench.pass();
    expect(decision).toEqual({ kind: 'backoff', maxMs: 30_000 });
    expect(events).toContain('InvalidAnnotationValue');
    expect(host?.metadata.annotations).toHaveProperty(['baremetalhost.metal3.io/status']);
    expect(host?.status?.provisioning.state).toBe('');
    expect(host?.status?.lifecycle?.waitsFor).toContain('baremetalhost.metal3.io/status');
    expect(bench.backEnd.calls).toEqual([]);

    const status = { operationalStatus: 'OK', errorMessage: '', provisioning: { state: 'provisioned', ID: 'node-1' } };
    await bench.change({
      metadata: { annotations: { 'baremetalhost.metal3.io/status': JSON.stringify(status) } },
    });
    const mended = await bench.pass();
    expect(mended.host?.status).toMatchObject({
      provisioning: { state: 'provisioned' },
      lastUpdated: expect.any(String),
    });
  });

  it('tells of a corrupt status annotation once, also when the operator is another one', async () => {
    await bench.put(aHost().annotated({ 'baremetalhost.metal3.io/status': '{"provisioning":' }));
    for (let count = 0; count < 3; count += 1) {
      await bench.pass();
      bench.clock.advance(70_000);
    }
    bench.restart();
    await bench.pass();
    expect(await bench.events('InvalidAnnotationValue')).toHaveLength(1);
    expect(await bench.events('Waiting')).toHaveLength(0);
  });

  it('refuses a status annotation that the API server refuses', async () => {
    const status = {
      operationalStatus: 'bogus',
      errorMessage: '',
      provisioning: { state: 'provisioned', ID: 'node-1' },
    };
    await bench.put(aHost().annotated({ 'baremetalhost.metal3.io/status': JSON.stringify(status) }));
    const { host, events } = await bench.pass();
    expect(events).toContain('InvalidAnnotationValue');
    expect(host?.status?.lifecycle?.waitsFor).toContain('operationalStatus');
    expect(host?.status?.lastUpdated).toBeUndefined();
    expect(bench.backEnd.calls).toEqual([]);
  });

  it('takes hardware from HardwareData rather than from the status annotation', async () => {
    const status = { provisioning: { state: 'available', ID: 'node-1' }, hardware: { hostname: 'annotation' } };
    await bench.put(
      aHost()
        .spec({ architecture: 'x86_64' })
        .annotated({ 'baremetalhost.metal3.io/status': JSON.stringify(status) }),
    );
    await putHardwareData({ hostname: 'data' });
    expect((await bench.pass()).host?.status?.hardware).toEqual({ hostname: 'data' });
  });

  it('fills in the architecture from HardwareData', async () => {
    await bench.put(aHost());
    await putHardwareData({ cpu: { arch: 'aarch64' } });
    const { host, decision } = await bench.pass();
    expect(host?.spec.architecture).toBe('aarch64');
    expect(decision).toEqual({ kind: 'backoff' });
  });

  it.each([
    ['what the host says', { architecture: 'aarch64' }, { cpu: { arch: 'x86_64' } }, 'aarch64'],
    ['what inspection has found', {}, { cpu: { arch: 'ppc64le' } }, 'ppc64le'],
    ['that of the operator', {}, undefined, process.arch === 'arm64' ? 'aarch64' : 'x86_64'],
  ])('registers the host with an architecture, the first of: %s', async (_which, spec, hardware, wanted) => {
    await bench.put(aHost().spec(spec).in('available', { hardware }));
    await bench.pass();
    expect(bench.backEnd.argsOf('register').cpuArchitecture).toBe(wanted);
  });

  it('takes hardware details from the annotation where none are known', async () => {
    await bench.put(aHost().annotated({ 'inspect.metal3.io/hardwaredetails': '{"hostname":"given"}' }));
    const { host, events } = await bench.pass();
    expect(host?.status?.hardware).toEqual({ hostname: 'given' });
    expect(host?.metadata.annotations ?? {}).toEqual({});
    expect(events).toEqual(['UpdateHardwareDetails']);
  });

  it.each(['powering off before delete', 'deleting'])(
    'leaves a host alone that says %s, though nobody has deleted it, and says so',
    async (state) => {
      await bench.put(aHost().in(state));
      const { host, decision } = await bench.pass();
      expect(bench.backEnd.ops).toEqual([]);
      expect(decision).toMatchObject({ kind: 'backoff' });
      expect(host?.status?.lifecycle?.waitsFor).toContain('nobody has deleted the host');
    },
  );

  it.each(['{"hostname":"given","colour":"red"}', '{"cpu":{"count":"many"}}', '{'])(
    'takes no hardware details with a slip in them, and leaves the annotation to be corrected: %s',
    async (text) => {
      await bench.put(aHost().annotated({ 'inspect.metal3.io/hardwaredetails': text }));
      const { host } = await bench.pass();
      expect(host?.status?.hardware).toBeUndefined();
      expect(host?.metadata.annotations).toHaveProperty(['inspect.metal3.io/hardwaredetails'], text);
    },
  );

  it('keeps known hardware details while inspection is enabled, removes the annotation and goes on', async () => {
    const given = { 'inspect.metal3.io/hardwaredetails': '{"hostname":"given"}' };
    await bench.put(
      aHost()
        .in('provisioned', { hardware: { hostname: 'found' } })
        .annotated(given),
    );
    const { host, events } = await bench.pass();
    expect(host?.status?.hardware).toEqual({ hostname: 'found' });
    expect(host?.metadata.annotations ?? {}).toEqual({});
    expect(events).toContain('RemoveAnnotation');
    expect(bench.backEnd.ops).toContain('register');
  });

  it.each([
    ['the annotation', { annotated: { 'inspect.metal3.io': 'disabled' }, spec: {} }],
    ['inspectionMode', { annotated: {}, spec: { inspectionMode: 'disabled' as const } }],
  ])(
    'overwrites hardware details when inspection is disabled by %s; HardwareData wins',
    async (_by, { annotated, spec }) => {
      const builder = aHost()
        .spec({ ...spec, architecture: 'x86_64' })
        .in('provisioned', { hardware: { hostname: 'found' } })
        .annotated({ ...annotated, 'inspect.metal3.io/hardwaredetails': '{"hostname":"annotation"}' });
      await bench.put(builder);
      await putHardwareData({ hostname: 'data' });
      const { host } = await bench.pass();
      expect(host?.status?.hardware).toEqual({ hostname: 'data' });
    },
  );

  it('overwrites hardware details by the annotation alone when inspection is disabled', async () => {
    const given = { 'inspect.metal3.io/hardwaredetails': '{"hostname":"given"}' };
    await bench.put(
      aHost()
        .spec({ inspectionMode: 'disabled' })
        .in('provisioned', { hardware: { hostname: 'found' } })
        .annotated(given),
    );
    const { host, events, decision } = await bench.pass();
    expect(host?.status?.hardware).toEqual({ hostname: 'given' });
    expect(host?.metadata.annotations ?? {}).toEqual({});
    expect(events).toEqual(['UpdateHardwareDetails']);
    expect(decision).toEqual({ kind: 'backoff' });
  });

  it('saves nothing for a pass that continues, unless a condition changed', async () => {
    await bench.put(aHost().in('provisioned'));
    await bench.passes();
    expect(await bench.pass()).toMatchObject({ writes: [], decision: { kind: 'after', ms: 60_000 } });
    bench.backEnd.answer('health', 'Warning', 'Warning');
    const changed = await bench.pass();
    expect(changed.writes).toEqual(['patch baremetalhosts/status']);
    expect(changed.host?.status?.conditions).toContainEqual(
      expect.objectContaining({ type: 'Healthy', status: 'False', reason: 'Warning' }),
    );
  });

  it('drops events and post-save counts when the save meets a conflict', async () => {
    await bench.put(aHost().in('provisioning'));
    bench.fault = ({ verb, subresource }) =>
      verb === 'patch' && subresource === 'status' ? { status: 409 } : undefined;
    bench.backEnd.answer('provision', { kind: 'failed', message: 'disk too small' });
    const { events, host, decision } = await bench.pass();
    expect(events).toEqual([]);
    expect(bench.counted).not.toContain('metal3_host_error_total ProvisioningError');
    expect(host?.status?.errorType).toBeUndefined();
    expect(decision).toEqual({ kind: 'backoff', maxMs: 30_000 });
  });

  it('refuses a state that it does not know, and says so on the host', async () => {
    await bench.put(aHost().in('weird'));
    const { host, decision } = await bench.pass();
    expect(host?.status?.provisioning.state).toBe('weird');
    expect(host?.status?.lifecycle?.waitsFor).toContain('"weird" is not a state of a host');
    expect(decision).toEqual({ kind: 'backoff' });
    expect(bench.backEnd.ops).toEqual([]);
  });

  it('goes on from the old state "match profile" without registering', async () => {
    await bench.put(aHost().in('match profile', { errorCount: 2 }));
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({ errorCount: 0, provisioning: { state: 'preparing' } });
    expect(bench.backEnd.ops).toEqual([]);
  });

  it('forgets errors and tries again when it is asked to', async () => {
    const failed = {
      errorType: 'inspection error' as const,
      errorMessage: 'x',
      operationalStatus: 'error' as const,
      errorCount: 7,
    };
    await bench.put(aHost().in('inspecting', failed).annotated({ 'ironchart.io/retry': '' }));
    const { host, decision } = await bench.pass();
    expect(host?.status?.errorCount).toBe(0);
    expect(host?.metadata.annotations ?? {}).toEqual({});
    expect(decision).toEqual({ kind: 'backoff' });
  });

  async function putHardwareData(hardware: object): Promise<void> {
    const kind = { group: 'metal3.io', version: 'v1alpha1', kind: 'HardwareData', plural: 'hardwaredata' };
    await bench.api.create(kind, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'HardwareData',
      metadata: { name: 'host', namespace: 'default' },
      spec: { hardware },
    });
  }
});

describe('a host from its first pass', () => {
  it('walks from nothing to provisioned by the visible states, in order', async () => {
    await bench.put(aHost().withoutFinalizer());
    expect(await bench.passes()).toEqual([
      'new',
      'registering',
      'inspecting',
      'preparing',
      'available',
      'provisioning',
      'provisioned',
    ]);
    const host = await bench.host();
    expect(host?.status).toMatchObject({
      operationalStatus: 'OK',
      errorCount: 0,
      provisioning: { state: 'provisioned', ID: 'node-1', image, bootMode: 'UEFI' },
      lifecycle: { chart: 'host/1', state: 'provisioned' },
    });
  });
});

describe('a status annotation that is put on again and again', () => {
  it('is taken in once: no loop of writes', async () => {
    const status = { provisioning: { state: 'available', ID: 'node-1' }, operationalStatus: 'OK' };
    await bench.put(
      aHost()
        .withoutImage()
        .annotated({ 'baremetalhost.metal3.io/status': JSON.stringify(status) }),
    );
    const writes: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const passed = await bench.pass();
      writes.push(...passed.writes.filter((write) => write === 'patch baremetalhosts'));
    }
    expect(writes).toHaveLength(1);
    expect((await bench.host())?.metadata.annotations ?? {}).toEqual({});
  });
});

describe('a host without a BMC that others provision', () => {
  it('is unmanaged, and nobody asks the back end for anything', async () => {
    await bench.put(aHost().withoutImage().withoutFinalizer().spec({ externallyProvisioned: true, bmc: undefined }));
    await bench.passes();
    expect((await bench.host())?.status).toMatchObject({
      operationalStatus: 'discovered',
      provisioning: { state: 'unmanaged' },
    });
    expect(bench.backEnd.ops).toEqual([]);
  });

  it('can be deleted without a question about capacity', async () => {
    await bench.put(aHost().withoutImage().spec({ bmc: undefined }).in('unmanaged').deleted());
    await bench.passes();
    expect(await bench.host()).toBeUndefined();
    expect(bench.backEnd.calls.map(({ op }) => op)).not.toContain('capacity');
  });
});
