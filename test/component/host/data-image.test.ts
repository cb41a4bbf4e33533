import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { NodeIsBusy } from '../../../src/provisioner/index.js';
import { HostBench } from '../../support/host-bench.js';
import { aHost } from '../../support/host-builder.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

const url = 'http://images.example.com/data.iso';
const other = 'http://images.example.com/other.iso';
const attached = { status: { attachedImage: { url } } };

/** A host in use that is off and is to be on, with a data image. */
async function given(image: { spec: object; status?: object; metadata?: object }): Promise<void> {
  await bench.put(aHost().in('provisioned', { poweredOn: false }));
  await bench.companion('dataImages', image);
  for (let count = 0; count < 9; count += 1) bench.backEnd.answer('updateHardwareState', { poweredOn: false });
}

const statusNow = async () => (await bench.companionOf('dataImages'))?.status as Record<string, unknown> | undefined;
const drive = (isFull: boolean | Error) => bench.backEnd.answer('dataImageAttached', isFull);
const count = (op: string) => bench.backEnd.ops.filter((each) => each === op).length;

describe('a data image', () => {
  it('is attached once before the host is powered on, and noted; then the host is powered on', async () => {
    await given({ spec: { url } });
    drive(false);
    const { decision, host } = await bench.pass();
    expect(bench.backEnd.calls.find(({ op }) => op === 'attachDataImage')?.args).toEqual([url]);
    expect(decision).toEqual({ kind: 'after', ms: 60_000 });
    expect(host?.status?.lifecycle?.waitsFor).toBe(
      'the data image to be in its virtual drive, before it is powered on',
    );
    expect(await statusNow()).toMatchObject({ attachedImage: { url }, lastReconciled: expect.any(String) });
    expect(count('powerOn')).toBe(0);
    expect(host?.status?.operationalStatus).toBe('OK');
    drive(true);
    const next = await bench.pass();
    expect([count('attachDataImage'), count('powerOn')]).toEqual([1, 1]);
    expect(next.host?.status?.lifecycle?.waitsFor).toBeUndefined();
  });

  it('is not touched while the host runs, is to be off, or is not in use', async () => {
    await bench.put(aHost().in('provisioned'));
    await bench.companion('dataImages', { spec: { url } });
    await bench.pass();
    await bench.change({ spec: { online: false } });
    bench.backEnd.answer('updateHardwareState', { poweredOn: false }, { poweredOn: false });
    await bench.passes(2);
    await bench.change({ spec: { online: true } });
    await bench.change({ status: { provisioning: { state: 'available', image: { url: 'http://x/os' } } } }, 'status');
    bench.backEnd.answer('updateHardwareState', { poweredOn: false });
    await bench.pass();
    expect(count('updateHardwareState')).toBeGreaterThan(3);
    expect(count('dataImageAttached')).toBe(0);
  });

  it('that is to be another one is taken out first', async () => {
    await given({ spec: { url: other }, ...attached });
    drive(true);
    expect((await bench.pass()).decision).toEqual({ kind: 'after', ms: 60_000 });
    expect([count('detachDataImage'), count('attachDataImage')]).toEqual([1, 0]);
    expect(await statusNow()).toMatchObject({ attachedImage: { url } });
    drive(false);
    expect((await bench.pass()).decision).toEqual({ kind: 'backoff' });
    expect(await statusNow()).toMatchObject({ attachedImage: { url: '' } });
    drive(false);
    await bench.pass();
    expect([count('detachDataImage'), count('attachDataImage')]).toEqual([1, 1]);
    expect(await statusNow()).toMatchObject({ attachedImage: { url: other } });
  });

  it('that is being deleted is taken out, and then the host is powered on', async () => {
    await given({ spec: { url }, ...attached, metadata: { finalizers: ['dataimage.metal3.io'] } });
    await bench.api.delete(
      { group: 'metal3.io', version: 'v1alpha1', kind: 'DataImage', plural: 'dataimages' },
      { namespace: 'default', name: 'host' },
    );
    drive(true);
    await bench.pass();
    expect([count('detachDataImage'), count('powerOn')]).toEqual([1, 0]);
    drive(false);
    await bench.pass();
    drive(false);
    await bench.pass();
    expect([count('attachDataImage'), count('powerOn')]).toEqual([0, 1]);
  });

  it.each<[string, Error, object]>([
    ['a node that is busy is waited for, and that is no error', new NodeIsBusy(), {}],
    ['a drive that cannot be read is an error of its own', new Error('no drive'), { count: 1, message: 'no drive' }],
  ])('%s', async (_what, error, wanted) => {
    await given({ spec: { url } });
    drive(error);
    const { host, decision } = await bench.pass();
    expect(decision).toEqual({ kind: 'after', ms: 60_000 });
    expect((await statusNow())?.error ?? {}).toEqual(wanted);
    expect(host?.status).toMatchObject({ operationalStatus: 'OK', errorCount: 0 });
    expect(count('powerOn')).toBe(0);
  });

  it('that cannot be attached says why, and is tried again soon; success forgets the failures', async () => {
    await given({ spec: { url } });
    drive(false).answer('attachDataImage', new Error('no such file'));
    const { decision } = await bench.pass();
    expect(decision).toEqual({ kind: 'backoff', maxMs: 30_000 });
    expect(await statusNow()).toMatchObject({ error: { count: 1, message: 'no such file' } });
    drive(false);
    expect((await bench.pass()).decision).toEqual({ kind: 'after', ms: 120_000 });
    drive(true);
    await bench.pass();
    expect(await statusNow()).toMatchObject({ attachedImage: { url }, error: { count: 0, message: '' } });
    expect(count('powerOn')).toBe(1);
  });
});
