import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostBench } from '../../support/host-bench.js';
import { aHost, image } from '../../support/host-builder.js';
import { failing } from '../../support/scripted-provisioner.js';

const minute = 60_000;
const notFound = failing('Image provisioning failed: HTTP code 404');

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

const isWork = ({ decision }: { decision: { kind: string } }) => decision.kind === 'backoff';

/** Passes until the host waits; how long it does, in milliseconds. */
async function pause(): Promise<number> {
  for (let count = 0; count < 20; count += 1) {
    const passed = await bench.pass();
    if (isWork(passed)) continue;
    if (passed.decision.kind !== 'after') throw new Error(JSON.stringify(passed.decision));
    const next = Date.parse(passed.host?.status?.lifecycle?.nextRetryAt ?? '');
    expect(next).toBe(bench.clock.now() + passed.decision.ms);
    bench.clock.advance(passed.decision.ms);
    return passed.decision.ms;
  }
  throw new Error('the host does not come to wait');
}

/** Deployments that fail, until the host has none left. */
async function givenUp(): Promise<void> {
  await bench.put(aHost().in('available'));
  for (let count = 0; count < 5; count += 1) {
    bench.backEnd.answer('provision', notFound);
    expect(await pause()).toBe(2 * minute);
  }
}

async function settles(): Promise<void> {
  await bench.passes();
  expect((await bench.host())?.status).toMatchObject({
    ...{ errorCount: 0, provisioningFailCount: 0, errorMessage: '', operationalStatus: 'OK' },
    provisioning: { state: 'provisioned' },
  });
  expect((await bench.host())?.status?.errorType).toBeUndefined();
}

describe('nine failed deployments', () => {
  it('where there is no limit are each told, with a short pause: between them the host was cleaned well', async () => {
    bench.maxRetries = 0;
    bench.restart();
    await bench.put(aHost().in('available'));
    for (let failure = 1; failure <= 9; failure += 1) {
      bench.backEnd.answer('provision', notFound);
      expect(await pause()).toBe(2 * minute);
      expect((await bench.host())?.status).toMatchObject({ errorCount: 1, provisioningFailCount: failure - 1 });
    }
    await settles();
  });
});

describe('a host that is out of tries', () => {
  beforeEach(givenUp);

  async function nineTimes(): Promise<void> {
    const pauses: number[] = [];
    for (let count = 0; count < 9; count += 1) pauses.push(await pause());
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512].map((minutes) => minutes * minute));
    expect((await bench.host())?.status).toMatchObject({ errorCount: 9, provisioning: { state: 'available' } });
    // At most; by its jitter, half of it at least.
    expect(pauses.at(-1)).toBe((8 * 60 + 32) * minute);
    expect((pauses.at(-1) ?? 0) / 2).toBe((4 * 60 + 16) * minute);
  }

  it('pauses longer and longer, up to four to eight hours; another URL is tried at once, and all is forgotten with its success', async () => {
    await nineTimes();
    await bench.change({ spec: { image: { ...image, url: 'http://images/mended.qcow2' } } });
    expect((await bench.pass()).host?.status).toMatchObject({
      provisioningFailCount: 0,
      provisioning: { state: 'provisioning' },
    });
    await settles();
  });

  it('is tried at once by the annotation, with nothing of its spec changed', async () => {
    await nineTimes();
    const before = (await bench.host())?.metadata.generation;
    await bench.change({ metadata: { annotations: { 'ironchart.io/retry': '' } } });
    const { host, decision } = await bench.pass();
    expect(host?.status).toMatchObject({ errorCount: 0, provisioningFailCount: 0 });
    expect(decision).toEqual({ kind: 'backoff' });
    expect((await bench.pass()).host?.status?.provisioning.state).toBe('provisioning');
    await settles();
    expect((await bench.host())?.metadata.annotations ?? {}).not.toHaveProperty(['ironchart.io/retry']);
    expect((await bench.host())?.metadata.generation).toBe(before);
  });
});
