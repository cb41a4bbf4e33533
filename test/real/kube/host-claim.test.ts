import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import type { KubeObject } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import type { TestPlant } from '../../support/plant.js';
import { Cluster } from './cluster.js';
import { clear, startPlant } from './real-plant.js';

const namespace = 'claims';
const cluster = Cluster.here();
const { hostClaim, hostDeployPolicy } = kinds;
const place = (name: string) => ({ namespace, name });

describe('claims on a real API server', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await startPlant(cluster, { namespace, servesClaims: true });
  }, 120_000);
  afterAll(async () => {
    await plant.stop();
    await clear(cluster, namespace);
  });

  const make = (kind: typeof hostClaim, name: string, spec: object) =>
    plant.api.create(kind, { apiVersion: 'metal3.io/v1alpha1', kind: kind.kind, metadata: place(name), spec });
  const boundTo = async (name: string) => {
    const claim = await plant.api.get<KubeObject>(hostClaim, place(name));
    return (claim?.status as { bareMetalHost?: { name: string } } | undefined)?.bareMetalHost?.name;
  };

  it('have one host each, by the labels of their namespace, as soon as there are hosts', async () => {
    await cluster.client.patch(`/api/v1/namespaces/${namespace}`, { metadata: { labels: { team: 'blue' } } });
    await make(hostDeployPolicy, 'teams', { hostClaimNamespaces: { hasLabels: [{ name: 'team', value: 'blue' }] } });
    for (const name of ['first', 'second', 'third']) await make(hostClaim, name, { poweredOn: true });
    for (const name of ['x', 'y']) await plant.add(name, { spec: { image: undefined } });
    await eventually('two have one', async () => {
      const found = await Promise.all(['first', 'second', 'third'].map(boundTo));
      return found.filter((host) => host !== undefined).length === 2;
    });
    const hosts = ['x', 'y'].map((name) => plant.host(name).spec.consumerRef?.name);
    expect(new Set(hosts).size).toBe(2);
    for (const [index, claim] of hosts.entries()) expect(await boundTo(claim ?? '')).toBe(['x', 'y'][index]);
  });

  it('hand a host on when one is deleted', async () => {
    const { name: gone = '' } = plant.host('x').spec.consumerRef ?? {};
    await plant.api.delete(hostClaim, place(gone));
    await plant.until('x', 'another', ({ spec }) => spec.consumerRef !== undefined && spec.consumerRef.name !== gone);
    await eventually('its end', async () => (await plant.api.get(hostClaim, place(gone))) === undefined);
    for (const { metadata } of (await plant.api.list(hostClaim, { namespace })).items) {
      await plant.api.delete(hostClaim, place(metadata.name));
    }
    await eventually('all are gone', async () => (await plant.api.list(hostClaim, { namespace })).items.length === 0);
    expect(['x', 'y'].map((name) => plant.host(name).spec.consumerRef)).toEqual([undefined, undefined]);
  });
});
