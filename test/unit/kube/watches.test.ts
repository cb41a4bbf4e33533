/** The stores of all kinds together: one a kind, and no start without a word about what holds it up. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeError, Watches } from '../../../src/kube/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { listed, ScriptedKube } from '../../support/scripted-kube.js';

const hosts = { group: 'metal3.io', version: 'v1alpha1', kind: 'BareMetalHost', plural: 'baremetalhosts' };
const claims = { ...hosts, kind: 'HostClaim', plural: 'hostclaims' };

let clock: FakeClock;
let kube: ScriptedKube;
let words: [readonly string[], string][];
let watches: Watches;
beforeEach(() => {
  clock = new FakeClock();
  kube = new ScriptedKube();
  words = [];
  watches = new Watches(
    kube.api,
    ['lab'],
    clock,
    { next: () => 0 },
    {
      onError: () => undefined,
      onWaiting: (kinds, error) => void words.push([kinds, error]),
    },
  );
});
afterEach(() => watches.stop());

describe('the stores of all kinds', () => {
  it('are one for each kind, whoever asks', () => {
    expect(watches.store(hosts)).toBe(watches.store(hosts));
    expect(watches.store(claims)).not.toBe(watches.store(hosts));
  });

  it('hold objects of the namespaces that are watched alone, also what was read past the watch', () => {
    const store = watches.store(hosts);
    for (const namespace of ['lab', 'other'])
      store.put({ metadata: { name: 'a', namespace, uid: namespace } }, 'watch');
    expect([...store.values()].map(({ metadata }) => metadata.namespace)).toEqual(['lab']);
  });

  it('say within seconds which kind cannot be read and why, once a minute, until it can', async () => {
    const missing = new KubeError('KUBE_NOT_FOUND', 'GET hostclaims: 404 page not found');
    kube.pages(...Array.from({ length: 12 }, () => missing));
    watches.store(claims);
    let isStarted = false;
    const starting = watches.start().then(() => (isStarted = true));
    await clock.advanceAsync(9_999);
    expect(words).toEqual([]);
    await clock.advanceAsync(1);
    expect(words).toEqual([[['hostclaims.metal3.io'], 'hostclaims: GET hostclaims: 404 page not found']]);
    await clock.advanceAsync(60_000);
    expect([words.length, isStarted]).toEqual([2, false]);
    kube.pages(listed('5'));
    for (let second = 0; second < 300 && !isStarted; second += 1) await clock.advanceAsync(1000);
    await starting;
    const told = words.length;
    await clock.advanceAsync(300_000);
    expect(words).toHaveLength(told);
  });
});
