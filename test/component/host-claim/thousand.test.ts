/** A fleet with as many claims as hosts. How long it takes is measured by `npm run bench`. */
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

it('a thousand claims on a thousand hosts each get one, with three writes', async () => {
  await desk.policy('hosts/open', { nameMatches: '^ten', hasLabels: [] });
  await desk.many('hosts', 1000);
  await desk.many('claims', 1000);
  await bench.sync();
  bench.writes = [];
  worker.controller.start();
  await eventually('all have one', () => worker.queue.depth === 0 && worker.queue.busy === 0);
  expect(bench.writes).toHaveLength(3000);
  expect((await desk.holdings()).size).toBe(1000);
});
