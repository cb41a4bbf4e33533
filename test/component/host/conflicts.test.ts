import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { HostBench } from '../../support/host-bench.js';
import { aHost, image } from '../../support/host-builder.js';

let bench: HostBench;
beforeEach(async () => {
  bench = await HostBench.start();
});
afterEach(() => bench.stop());

/** A pass on a cache that has not yet seen `change`. */
async function passBehind(change: object): Promise<string> {
  await bench.sync();
  await bench.change(change);
  return (await bench.reconciler.reconcile('default/host', new AbortController().signal)).kind;
}

const state = async () => (await bench.host())?.status?.provisioning.state;

describe('a write that meets a newer version of the host', () => {
  it.each([
    ['a label', { metadata: { labels: { team: 'blue' } } }],
    ["another's annotation", { metadata: { annotations: { 'example.com/note': 'hello' } } }],
  ])('goes through when only %s is new, and leaves that in place', async (_what, change) => {
    await bench.put(aHost().in('available'));
    await passBehind(change);
    expect(await state()).toBe('provisioning');
    expect(await bench.host()).toMatchObject(change);
  });

  it.each([
    ['the image', { spec: { image: { ...image, url: 'http://images/other.qcow2' } } }],
    ['an annotation of ours', { metadata: { annotations: { 'baremetalhost.metal3.io/detached': '' } } }],
    ['a finalizer', { metadata: { finalizers: ['baremetalhost.metal3.io', 'example.com/mine'] } }],
  ])('is given up when %s is new, and decided again', async (_what, change) => {
    await bench.put(aHost().in('available'));
    expect(await passBehind(change)).toBe('backoff');
    expect(await state()).toBe('available');
    expect(await bench.host()).toMatchObject(change);
  });
});
