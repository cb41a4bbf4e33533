import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import { eventually } from '../../support/eventually.js';
import { otherImage, type TestPlant } from '../../support/plant.js';
import { Cluster } from './cluster.js';
import { clear, startPlant, withoutSnapshot } from './real-plant.js';

const namespace = 'pruning';
const cluster = Cluster.here();

describe('definitions that keep no snapshot', () => {
  let plant: TestPlant;
  const warnings = () => plant.log.filter((line) => line.includes('keeps no status.lifecycle'));
  beforeAll(async () => {
    plant = await startPlant(cluster, { namespace, crds: withoutSnapshot() });
    for (const name of ['one', 'two']) await plant.add(name);
    for (const name of ['one', 'two']) await plant.settled(name);
  }, 120_000);
  afterAll(async () => {
    await plant.stop();
    await clear(cluster, namespace);
    await cluster.define(chartCrds());
  });

  it('cost the snapshot and nothing else: each host is deployed once, without an error', () => {
    for (const name of ['one', 'two']) {
      expect(plant.host(name).status?.lifecycle).toBeUndefined();
      expect(plant.requests(name)).toEqual(['create', 'manage', 'inspect', 'provide', 'active']);
      expect(plant.versions(name).some(({ status }) => status?.errorType !== undefined)).toBe(false);
    }
  });

  it('are told once, in a warning and a gauge', async () => {
    expect(warnings()).toHaveLength(1);
    expect(await plant.metrics.registry.metrics()).toMatch(/^ironchart_snapshot_pruned 1$/m);
  });

  it('cause no write at rest, where nothing but the snapshot would be new', async () => {
    const { resourceVersion } = plant.host('one').metadata;
    const passes = plant.reports.length;
    await eventually('three looks at each', () => plant.reports.length >= passes + 6);
    expect(plant.host('one').metadata.resourceVersion).toBe(resourceVersion);
  });

  it('let the operator go on from the wire alone after a restart', async () => {
    await plant.change('one', { spec: { image: otherImage } });
    await plant.until('one', 'at work', ({ status }) => status?.provisioning.state === 'deprovisioning');
    await plant.restartOperator();
    await plant.until('one', 'anew', ({ status }) => status?.provisioning.image?.url === otherImage.url);
    await plant.settled('one');
    expect(plant.requests('one').slice(5)).toEqual(['deleted', 'active']);
  });

  it('are no hindrance once they are replaced: the snapshot is back', async () => {
    await cluster.define(chartCrds());
    await plant.annotate('two', { 'reboot.metal3.io': '' });
    // Read anew: a watch that was open before goes on to show objects in the former definition for a while.
    await eventually('a snapshot', async () => {
      const { body } = await cluster.client.get(`/apis/metal3.io/v1alpha1/namespaces/${namespace}/baremetalhosts/two`);
      return body.status.lifecycle?.state === 'provisioned';
    });
    await plant.settled('two');
    expect(await plant.metrics.registry.metrics()).toMatch(/^ironchart_snapshot_pruned 0$/m);
  });
});
