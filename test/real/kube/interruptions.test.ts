import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { otherImage, type TestPlant } from '../../support/plant.js';
import { Cluster } from './cluster.js';
import { clear, startPlant } from './real-plant.js';

const namespace = 'interruptions';
const cluster = Cluster.here();

describe('an API server that goes and comes back', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await startPlant(cluster, { namespace });
    for (const name of ['calm', 'busy', 'late']) await plant.add(name);
    for (const name of ['calm', 'busy', 'late']) await plant.settled(name);
  }, 120_000);
  afterAll(async () => {
    await plant.stop();
    await clear(cluster, namespace);
  });

  async function lists(): Promise<number> {
    const metric = await plant.metrics.registry.getSingleMetric('ironchart_kube_requests_total')?.get();
    const rows = (metric?.values ?? []).filter(({ labels }) => labels.verb === 'list');
    return rows.reduce((sum, { labels, value }) => sum + (labels.resource === 'baremetalhosts' ? value : 0), 0);
  }

  it('is waited for in the middle of a deployment, which is not done twice', async () => {
    const before = plant.requests('busy').length;
    await plant.change('busy', { spec: { image: otherImage } });
    await plant.until('busy', 'at work', ({ status }) => status?.provisioning.state === 'provisioning');
    await cluster.stop('kube-apiserver');
    await cluster.startApi();
    await plant.until('busy', 'anew', ({ status }) => status?.provisioning.image?.url === otherImage.url);
    await plant.settled('busy');
    expect(plant.requests('busy').slice(before)).toEqual(['deleted', 'active']);
  });

  it('has forgotten the past: the operator lists anew, and sees what comes then', async () => {
    const [before, requests] = [await lists(), plant.requests('late').length];
    // Something that no watch of hosts brings, so that their last version is of the past.
    for (const count of ['1', '2', '3']) {
      await cluster.client.patch(`/api/v1/namespaces/${namespace}`, { metadata: { annotations: { count } } });
    }
    await cluster.forget();
    await plant.change('late', { spec: { online: false } });
    await plant.until('late', 'off', ({ status }) => status?.poweredOn === false);
    expect(plant.requests('late').slice(requests)).toEqual(['soft power off']);
    expect(await lists()).toBeGreaterThan(before);
  });

  it('leaves in peace what was at rest', () => {
    expect(plant.requests('calm')).toEqual(['create', 'manage', 'inspect', 'provide', 'active']);
    expect(plant.host('calm').status).toMatchObject({ errorCount: 0, provisioning: { state: 'provisioned' } });
  });
});
