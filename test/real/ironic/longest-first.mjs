import { basename } from 'node:path';

const long = ['conformance', 'restarts', 'failures', 'volume'].map((name) => `${name}.test.ts`);

function rank({ path }) {
  const index = long.indexOf(basename(path));
  return index < 0 ? long.length : index;
}

/** The order of files for jest: with two at a time, one that takes minutes and begins last would run on alone. */
export default class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1));
  }

  /** Jest's own sequencer keeps durations and failures of earlier runs here. */
  cacheResults() {}
}
