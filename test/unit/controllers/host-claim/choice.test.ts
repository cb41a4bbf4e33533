import { describe, expect, it } from '@jest/globals';
import { failureDomainLabel, pick } from '../../../../src/controllers/host-claim/choice.js';
import type { HostFacts } from '../../../../src/controllers/host-claim/host-facts.js';
import { seeded } from '../../../support/claim-bench.js';

const host = (key: string, zone: string) => ({ key, labels: { [failureDomainLabel]: zone } }) as unknown as HostFacts;
const hosts = [host('a', 'z1'), host('b', 'z2'), host('c', 'z1'), host('d', 'z2'), host('e', 'z1')];

function drawn(failureDomain: string, draws = 5_000): Map<string, number> {
  const random = seeded(7);
  const counts = new Map<string, number>();
  for (let draw = 0; draw < draws; draw++) {
    const { key } = pick(hosts, failureDomain, random)!;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

describe('the choice of a host', () => {
  it('gives each candidate the same chance', () => {
    const counts = drawn('');
    expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });

  it('is among those of the wished failure domain, each with the same chance', () => {
    const counts = drawn('z2');
    expect([...counts.keys()].sort()).toEqual(['b', 'd']);
    for (const count of counts.values()) expect(Math.abs(count - 2_500)).toBeLessThan(200);
  });

  it('is among all where none is in the wished failure domain', () => {
    expect(drawn('z9').size).toBe(5);
  });

  it('is none where there are no candidates', () => {
    expect(pick([], 'z1', seeded(1))).toBeUndefined();
  });
});
