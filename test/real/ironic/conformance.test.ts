/**
 * The conversations that hold the embedded Ironic, with the one that it is held to. With IRONCHART_RECORD_SHAPES=1 its answers are
 * written down anew, and nothing is tested.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from '@jest/globals';
import { conformance, hold, seenBefore, shapesFile, shapesOf } from '../../component/ironic-api/suite.js';
import { slow, talks } from '../../component/ironic-api/talks/index.js';
import { Bed } from './bed.js';
import { startReal } from './real-target.js';

/** One of their own: lists have to be empty, and machines off. */
const started = Bed.start('conformance', { systems: 12 });
afterAll(async () => (await started).stop());

if (process.env.IRONCHART_RECORD_SHAPES === undefined) {
  describe('a real Ironic', () => conformance(async () => startReal(await started), slow));
} else {
  it.each(Object.keys(talks))(
    'is recorded: %s',
    async (name) => {
      const target = await startReal(await started);
      const { transcript, broken } = await hold(name, target).finally(() => target.stop());
      expect(broken).toBeUndefined();
      // What was too short to be seen this time stays as it was seen once.
      const before = existsSync(shapesFile(name)) ? shapesOf(name) : {};
      for (const [step, observed] of Object.entries(transcript)) {
        const states = seenBefore(observed.states, before[step]?.states);
        if (states) observed.states = states;
      }
      writeFileSync(shapesFile(name), `${JSON.stringify(transcript, undefined, 2)}\n`);
    },
    180_000,
  );
}
