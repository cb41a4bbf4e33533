import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lifecycleStates, type LifecycleState, wireName } from '../../../machines/index.js';
import { NeedsRegistration, ProvisionerNotReady } from '../../../src/provisioner/index.js';
import { HostBench } from '../../support/host-bench.js';
import { aHost } from '../../support/host-builder.js';
import { failing, working } from '../../support/scripted-provisioner.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

const detached = 'baremetalhost.metal3.io/detached';
const stateAfter = async () => (await bench.pass()).host?.status?.provisioning.state;
const destructive = ['deprovision', 'powerOff', 'provision', 'inspectHardware', 'prepare'];

describe('a detached host', () => {
  it.each(['provisioned', 'externally provisioned', 'available', 'ready'])(
    'rests in %s, out of the back end',
    async (state) => {
      const spec = state === 'externally provisioned' ? { externallyProvisioned: true } : {};
      await bench.put(
        aHost()
          .withoutImage()
          .spec(spec)
          .in(state)
          .annotated({ [detached]: '' }),
      );
      const { host, decision } = await bench.pass();
      expect(bench.backEnd.calls).toContainEqual({ op: 'detach', args: [false] });
      expect(host?.status).toMatchObject({ operationalStatus: 'detached', provisioning: { state, ID: 'node-1' } });
      expect(decision).toEqual({ kind: 'after', ms: 600_000 });
    },
  );

  it.each(['registering', 'inspecting', 'preparing', 'provisioning', 'deprovisioning'])(
    'in %s goes on with its work',
    async (state) => {
      await bench.put(
        aHost()
          .in(state)
          .annotated({ [detached]: '{"deleteAction":"delay"}' }),
      );
      await bench.pass();
      expect(bench.backEnd.ops).not.toContain('detach');
      expect(bench.backEnd.ops).toContain('register');
    },
  );

  it.each(['registering', 'inspecting', 'preparing', 'provisioning', 'deprovisioning'])(
    'by force leaves %s as well',
    async (state) => {
      await bench.put(
        aHost()
          .in(state)
          .annotated({ [detached]: '{"force":true}' }),
      );
      const { host } = await bench.pass();
      expect(bench.backEnd.calls).toContainEqual({ op: 'detach', args: [true] });
      expect(host?.status?.operationalStatus).toBe('detached');
    },
  );

  it('that could not be detached tells it and tries again soon', async () => {
    await bench.put(
      aHost()
        .in('provisioned')
        .annotated({ [detached]: '' }),
    );
    bench.backEnd.answer('detach', failing('no'));
    const { host, events, decision } = await bench.pass();
    expect(events).toEqual(['DetachError']);
    expect(host?.status?.errorType).toBeUndefined();
    expect(decision).toEqual({ kind: 'backoff', maxMs: 30_000 });
    expect((await bench.pass()).host?.status?.operationalStatus).toBe('detached');
  });

  it.each([
    [{}, 'OK'],
    [{ errorType: 'inspection error' as const, errorMessage: 'x' }, 'error'],
  ])('whose annotation goes is back as it was', async (error, standing) => {
    await bench.put(aHost().in('provisioned', { operationalStatus: 'detached', ...error }));
    const { host, decision } = await bench.pass();
    expect(host?.status?.operationalStatus).toBe(standing);
    expect(decision).toEqual({ kind: 'backoff' });
  });

  it('stays while its deletion is to wait', async () => {
    await bench.put(
      aHost()
        .in('provisioned', { operationalStatus: 'detached' })
        .annotated({ [detached]: '{"deleteAction":"delay"}' })
        .deleted(),
    );
    expect(await stateAfter()).toBe('provisioned');
    expect(bench.counted).toContain('metal3_delete_delayed_for_detached_total');
  });

  it.each(['{"deleteAction":"delete"}', '', 'true', '{bad'])(
    'with %s is let go at once, untouched, even if it never got detached',
    async (value) => {
      await bench.put(
        aHost()
          .in('provisioned')
          .annotated({ [detached]: value })
          .deleted(),
      );
      expect(await stateAfter()).toBe('deleting');
      await bench.passes();
      expect(await bench.host()).toBeUndefined();
      for (const op of destructive) expect(bench.backEnd.ops).not.toContain(op);
    },
  );

  it('is not told of a deletion while the back end is away, unless there is one', async () => {
    await bench.put(aHost().in('available'));
    bench.backEnd.unready = new ProvisionerNotReady('Ironic is not ready');
    expect((await bench.pass()).host?.status?.lifecycle?.waitsFor).toBe('Ironic is not ready');
  });

  it('that lost its annotation is attached again before it is deleted', async () => {
    await bench.put(aHost().in('provisioned', { operationalStatus: 'detached' }).deleted());
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({ operationalStatus: 'OK', provisioning: { state: 'provisioned' } });
    expect(await stateAfter()).toBe('deprovisioning');
  });

  it('is let go while the back end is away, and says which node stays behind', async () => {
    await bench.put(aHost().in('available').deleted());
    bench.backEnd.unready = new ProvisionerNotReady('Ironic is not ready');
    const waiting = await bench.pass();
    const told = waiting.host?.status?.lifecycle?.waitsFor;
    expect(told).toMatch(
      /^the deletion waits: Ironic is not ready\. .*the annotation baremetalhost\.metal3\.io\/detached/,
    );
    expect(waiting.host?.status?.conditions?.find(({ type }) => type === 'Progressing')?.message).toBe(told);
    expect(waiting.events).toEqual(['ProvisionerNotReady']);
    expect((await bench.pass()).events).toEqual([]);
    await bench.change({ metadata: { annotations: { [detached]: '' } } });
    const { events } = await bench.pass();
    expect(events).toContain('ReleasedWithoutIronic');
    await bench.passes();
    expect(await bench.host()).toBeUndefined();
  });
});

describe('a deletion', () => {
  it.each([
    ['unmanaged', 'deleting'],
    ['registering', 'deleting'],
    ['provisioning', 'deprovisioning'],
    ['provisioned', 'deprovisioning'],
    ['inspecting', 'powering off before delete'],
    ['preparing', 'powering off before delete'],
    ['available', 'powering off before delete'],
    ['externally provisioned', 'powering off before delete'],
  ])('of a host that is %s begins with %s', async (state, wanted) => {
    await bench.put(aHost().in(state).deleted());
    expect(await stateAfter()).toBe(wanted);
    for (const op of destructive) expect(bench.backEnd.ops).not.toContain(op);
  });

  it('before the first look is over at once', async () => {
    await bench.put(aHost().deleted());
    await bench.passes();
    expect(await bench.host()).toBeUndefined();
    expect(new Set(bench.backEnd.ops)).toEqual(new Set(['delete']));
  });

  it.each(['deprovisioning', 'powering off before delete'])(
    'in %s no longer waits for a registration that failed four times',
    async (state) => {
      const failed = {
        errorType: 'registration error' as const,
        errorMessage: 'x',
        operationalStatus: 'error' as const,
      };
      await bench.put(
        aHost()
          .in(state, { ...failed, errorCount: 3 })
          .deleted(),
      );
      bench.backEnd.answer('register', { result: failing('x'), provisionerID: 'node-1' });
      expect(await stateAfter()).toBe(state);
      expect(await stateAfter()).toBe('deleting');
    },
  );

  it('of a host that must not be powered off does not, and keeps the power that was seen', async () => {
    await bench.put(aHost().spec({ disablePowerOff: true }).in('powering off before delete').deleted());
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({ poweredOn: true, provisioning: { state: 'deleting' } });
    expect(bench.backEnd.ops).not.toContain('powerOff');
  });

  it('gives cleaning up at the fourth failure, tells it, and begins to count afresh', async () => {
    await bench.put(aHost().in('deprovisioning', { errorCount: 3 }).deleted());
    bench.backEnd.answer('deprovision', failing('clean step failed'));
    const { host, events } = await bench.pass();
    expect(host?.status).toMatchObject({ errorCount: 0, provisioning: { state: 'powering off before delete' } });
    expect(events).toContain('ProvisioningError');
    expect(bench.counted).toContain('metal3_delete_without_deprovisioning_total');
    bench.backEnd.answer('powerOff', failing('no'));
    expect(await stateAfter()).toBe('powering off before delete');
  });

  it('gives powering off up at the fourth failure', async () => {
    await bench.put(aHost().in('powering off before delete', { errorCount: 3 }).deleted());
    bench.backEnd.answer('powerOff', failing('no'));
    expect(await stateAfter()).toBe('deleting');
    expect(bench.counted).toContain('metal3_delete_without_powering_off_total');
  });

  it.each([
    ['deprovisioning', 'deprovision'],
    ['powering off before delete', 'powerOff'],
    ['deprovisioning', 'adopt'],
  ])('in %s goes on without a node that is lost when there are no credentials (%s)', async (state, op) => {
    await bench.put(
      aHost()
        .spec({ bmc: { address: 'redfish://h/1', credentialsName: 'nowhere' } })
        .in(state)
        .deleted(),
    );
    bench.backEnd.answer(op, new NeedsRegistration());
    expect(await stateAfter()).toBe('deleting');
    expect(bench.backEnd.ops).not.toContain('register');
  });

  it('is over when the node is gone: Secrets are let go, the host last', async () => {
    await bench.put(aHost().spec({ preprovisioningNetworkDataName: 'none' }).in('deleting').deleted());
    bench.backEnd.answer('delete', working(3000));
    expect((await bench.pass()).decision).toEqual({ kind: 'after', ms: 3000 });
    const { decision, host, writes } = await bench.pass();
    expect(decision).toEqual({ kind: 'done' });
    expect(host).toBeUndefined();
    expect(writes).toEqual(['patch secrets', 'patch baremetalhosts']);
  });

  it('is never over while the back end cannot remove its machine: nothing is let go, and the host says why', async () => {
    const reason = 'its machine could not be removed: the rack is locked';
    await bench.put(aHost().in('deleting', { errorCount: 9 }).deleted());
    for (let count = 0; count < 5; count += 1) bench.backEnd.answer('delete', failing('the rack is locked'));
    for (let count = 0; count < 5; count += 1) {
      const { host, decision, writes } = await bench.pass();
      expect(decision).toEqual({ kind: 'backoff', maxMs: 30_000 });
      expect(writes).not.toContain('patch secrets');
      expect(host).toMatchObject({
        metadata: { finalizers: ['baremetalhost.metal3.io'] },
        status: { errorCount: 9, lifecycle: { waitsFor: reason } },
      });
      expect(host).not.toHaveProperty(['status', 'errorType']);
      const told = expect.objectContaining({ type: 'Progressing', message: reason });
      expect(host).toHaveProperty(['status', 'conditions'], expect.arrayContaining([told]));
    }
    expect((await bench.pass()).host).toBeUndefined();
  });

  it('lets a Secret go that exists but cannot be used', async () => {
    await bench.put(aHost().in('deleting').deleted());
    await bench.secret('bmc', { username: 'admin', password: '' });
    expect((await bench.pass()).writes).toEqual(['patch secrets', 'patch baremetalhosts']);
  });

  it('takes the hold off HardwareData in its first pass', async () => {
    await bench.put(aHost().in('available').deleted());
    await bench.api.create(
      { group: 'metal3.io', version: 'v1alpha1', kind: 'HardwareData', plural: 'hardwaredata' },
      {
        apiVersion: 'metal3.io/v1alpha1',
        kind: 'HardwareData',
        metadata: { name: 'host', namespace: 'default', finalizers: ['baremetalhost.metal3.io/hardwareData'] },
        spec: {},
      },
    );
    await bench.pass();
    expect((await bench.hardwareData())?.metadata.finalizers ?? []).toEqual([]);
  });

  const poweredOff = ['powering off before delete', 'deleting', 'gone'];
  const cleaned = ['deprovisioning', ...poweredOff];
  const ways: Readonly<Record<LifecycleState, readonly string[] | undefined>> = {
    none: ['deleting', 'gone'],
    unmanaged: ['deleting', 'gone'],
    registering: ['deleting', 'gone'],
    matchingProfile: poweredOff,
    inspecting: poweredOff,
    preparing: poweredOff,
    available: poweredOff,
    provisioning: cleaned,
    provisioned: cleaned,
    externallyProvisioned: poweredOff,
    deprovisioning: poweredOff,
    poweringOffBeforeDelete: ['deleting', 'gone'],
    deleting: ['gone'],
    // No host is left to be deleted.
    deleted: undefined,
  };
  const beginnings = lifecycleStates.flatMap((state) => {
    const way = ways[state];
    return way === undefined ? [] : [[wireName(state), way] as const];
  });

  it.each([...beginnings, ['ready', poweredOff] as const])(
    'in the state "%s" ends with the host gone and its disks cleaned only where something was written to them',
    async (state, way) => {
      const spec = state === 'externally provisioned' ? { externallyProvisioned: true } : {};
      const host = aHost().spec(spec).deleted();
      await bench.put(state === '' ? host : host.in(state));
      expect(await bench.passes()).toEqual(way);
      const isWritten = ['provisioning', 'provisioned', 'deprovisioning'].includes(state);
      expect(bench.backEnd.ops.filter((op) => op === 'deprovision')).toHaveLength(isWritten ? 1 : 0);
      for (const op of ['provision', 'inspectHardware', 'prepare']) expect(bench.backEnd.ops).not.toContain(op);
    },
  );
});

describe('a host whose status holds an image, though its state was edited to one that has none', () => {
  const edited = { provisioning: { image: { url: 'http://images/os.qcow2' } } };

  it.each(['inspecting', 'preparing', 'available'])(
    'to %s, is deprovisioned before it goes: its disks are cleaned',
    async (state) => {
      await bench.put(aHost().withoutImage().in(state, edited).deleted());
      expect(await bench.passes()).toEqual(['deprovisioning', 'powering off before delete', 'deleting', 'gone']);
      const work = bench.backEnd.ops.filter((op) => ['adopt', 'deprovision', 'powerOff', 'delete'].includes(op));
      expect(work).toEqual(['adopt', 'deprovision', 'powerOff', 'delete']);
    },
  );

  it('waits for a slot first', async () => {
    for (let count = 0; count < bench.backEnd.capacityLimit; count += 1) bench.ledger.reserve(`default/other-${count}`);
    await bench.put(aHost().withoutImage().in('preparing', edited).deleted());
    const { host } = await bench.pass();
    expect(host?.status).toMatchObject({ operationalStatus: 'delayed', provisioning: { state: 'preparing' } });
  });

  it('and is not where it holds none, or only a deleted one', async () => {
    const emptied = { provisioning: { image: { url: '' } } };
    await bench.put(aHost().withoutImage().in('preparing', emptied).deleted());
    expect(await stateAfter()).toBe('powering off before delete');
  });
});

describe('what failed before a deletion', () => {
  it.each(['provisioning', 'provisioned'])(
    'of a %s host uses up none of its patience: the disks are cleaned, unless that itself fails four times',
    async (state) => {
      const before = {
        operationalStatus: 'error',
        errorType: 'power management error',
        errorMessage: 'x',
        errorCount: 7,
      };
      await bench.put(aHost().in(state, before).deleted());
      expect((await bench.pass()).host?.status).toMatchObject({
        errorCount: 0,
        provisioning: { state: 'deprovisioning' },
      });
      bench.backEnd.answer('deprovision', failing('no'), failing('no'), failing('no'), failing('no'));
      for (let count = 0; count < 3; count += 1) await bench.pass();
      expect(await bench.host()).toMatchObject({
        status: { errorCount: 3, provisioning: { state: 'deprovisioning' } },
      });
      expect(await stateAfter()).toBe('powering off before delete');
    },
  );
});

describe('a deletion that waits for Ironic', () => {
  it.each([
    [{}, /with the annotation baremetalhost\.metal3\.io\/detached the host is let go without it/],
    [{ [detached]: '{"deleteAction":"delay"}' }, /once the annotation .*detached has no deleteAction "delay" any more/],
  ])('(annotated %j) says which way out is left', async (annotations, told) => {
    await bench.put(aHost().in('provisioned').annotated(annotations).deleted());
    bench.backEnd.unready = new ProvisionerNotReady('Ironic is not ready');
    const { host } = await bench.pass();
    expect(host?.status?.lifecycle?.waitsFor).toMatch(told);
    expect(host?.status?.provisioning.state).toBe('provisioned');
  });
});
