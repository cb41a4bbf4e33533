import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { otherImage, type TestPlant } from '../../support/plant.js';
import { Cluster } from './cluster.js';
import { clear, startPlant } from './real-plant.js';

const namespace = 'writers';
const cluster = Cluster.here();
const path = `/apis/metal3.io/v1alpha1/namespaces/${namespace}/baremetalhosts/contested`;

describe('others who write to a host many times a second', () => {
  let plant: TestPlant;
  let writes = 0;
  beforeAll(async () => {
    plant = await startPlant(cluster, { namespace });
    await plant.add('contested');
    let isOver = false;
    /** One of the writers; each of its writes leaves something of its own. */
    const write = async (pauseMs: number, change: (count: number) => object) => {
      for (let count = 0; !isOver; count += 1) {
        const { status } = await cluster.client.patch(path, change(count));
        if (status !== 200) throw new Error(`a write was refused: ${status}`);
        writes += 1;
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    };
    const writers = [
      write(50, (count) => ({ metadata: { annotations: { [`notes.example.com/n${count}`]: String(count) } } })),
      write(70, (count) => ({ metadata: { labels: { [`rack-${count % 50}`]: String(count) } } })),
      write(300, (count) => ({ spec: { description: `word ${count}` } })),
    ];
    await plant.settled('contested');
    await plant.change('contested', { spec: { image: otherImage } });
    await plant.until('contested', 'anew', ({ status }) => status?.provisioning.image?.url === otherImage.url);
    await plant.settled('contested');
    isOver = true;
    await Promise.all(writers);
  }, 300_000);
  afterAll(async () => {
    await plant.stop();
    await clear(cluster, namespace);
  });

  it('keep it from nothing: it is deployed once for each image', () => {
    // A life takes some seconds.
    expect(writes).toBeGreaterThan(50);
    expect(plant.requests('contested')).toEqual([
      'create',
      'manage',
      'inspect',
      'provide',
      'active',
      'deleted',
      'active',
    ]);
    expect(plant.versions('contested').some(({ status }) => status?.errorType !== undefined)).toBe(false);
  });

  it('lose nothing of what they wrote', async () => {
    const { body } = await cluster.client.get(path);
    const notes = Object.entries(body.metadata.annotations as Record<string, string>).filter(([name]) =>
      name.startsWith('notes.example.com/'),
    );
    expect(notes.length).toBeGreaterThan(20);
    expect(notes.every(([name, value]) => name === `notes.example.com/n${value}`)).toBe(true);
    const counts = notes.map(([, value]) => Number(value)).sort((a, b) => a - b);
    expect(counts).toEqual(counts.map((_, index) => index));
    expect(Object.keys(body.metadata.labels as object).length).toBeGreaterThan(15);
    expect(body.spec.description).toMatch(/^word \d+$/);
    // No version that anybody saw had lost a note that an earlier one had.
    const seen = plant.versions('contested').map(({ metadata }) => Object.keys(metadata.annotations ?? {}));
    const mine = seen.map((names) => names.filter((name) => name.startsWith('notes.example.com/')).length);
    expect(mine).toEqual([...mine].sort((a, b) => a - b));
  });
});
