/**
 * The conversations that hold the embedded Ironic, with the one that it is held to. With IRONCHART_RECORD_SHAPES=1 its answers are
 * written down anew, and nothing is tested.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { conformance, hold, seenBefore, shapesFile, shapesOf } from '../../component/ironic-api/suite.js';
import { talks } from '../../component/ironic-api/talks/index.js';
import { Bed } from './bed.js';
import { startReal } from './real-target.js';

const bed = Bed.here();

if (process.env.IRONCHART_RECORD_SHAPES === undefined) {
  describe('a real Ironic', () => conformance(() => startReal(bed)));
} else {
  it.each(Object.keys(talks))(
    'is recorded: %s',
    async (name) => {
      const target = await startReal(bed);
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
