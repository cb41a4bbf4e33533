/** How fast the controller is on the embedded server: no question for a real one, which has a speed of its own. */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ClaimDesk, ClaimWorker, seeded } from '../../support/claim-bench.js';
import { eventually } from '../../support/eventually.js';
import { ObjectBench } from '../../support/object-bench.js';

jest.setTimeout(180_000);

let bench: ObjectBench;
let desk: ClaimDesk;
let worker: ClaimWorker;

beforeEach(async () => {
  bench = await ObjectBench.start();
  desk = new ClaimDesk(bench);
  worker = new ClaimWorker(bench, seeded(7));
  for (const name of ['tenant', 'hosts']) await desk.namespace(name);
});
afterEach(async () => {
  await worker.controller.stop();
  await bench.stop();
});

it('a thousand claims on a thousand hosts are served within seconds', async () => {
  await desk.policy('hosts/open', { nameMatches: '^ten', hasLabels: [] });
  await desk.many('hosts', 1000);
  await desk.many('claims', 1000);
  await bench.sync();
  bench.writes = [];
  const started = performance.now();
  worker.controller.start();
  await eventually('all have one', () => worker.queue.depth === 0 && worker.queue.busy === 0);
  const seconds = (performance.now() - started) / 1000;
  process.stdout.write(`1,000 claims on 1,000 hosts: ${seconds.toFixed(1)} s\n`);
  expect(bench.writes).toHaveLength(3000);
  expect((await desk.holdings()).size).toBe(1000);
  expect(seconds).toBeLessThan(60);
});
