/**
 * The files that take longest begin, so that all processes end together. Jest does so by itself where it has run before; in a new
 * clone it goes by the size of the files, which tells little.
 */
import Sequencer from '@jest/test-sequencer';

/** By the processor time that they take: 40 seconds down to 6. What is not named takes less. */
const longest = [
  ...['model/ironic-matrix', 'packages/standalone', 'operator/capacity', 'operator/kill', 'operator/snapshot'],
  ...['operator/trouble', 'operator/lifecycle', 'operator/firmware-settings', 'model/reachability'],
  ...['operator/at-rest', 'operator/lost-database', 'operator/event-subscription', 'operator/until'],
  ...['host-claim/queueing', 'ironic-api/embedded-observation', 'host-claim/thousand', 'model/matrix'],
  ...['golden/golden', 'ironic-api/conformance'],
];

function rank({ path }) {
  const at = longest.findIndex((name) => path.endsWith(`/${name}.test.ts`));
  return at === -1 ? longest.length : at;
}

export default class extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return [...sorted].sort((a, b) => rank(a) - rank(b));
  }
}
