/**
 * The suites of this folder, against the embedded server. They speak plain HTTP and know nothing of it, so that they run
 * against a real API server as well.
 */
import { describe } from '@jest/globals';
import { startEmbedded } from '../../support/kube-api/embedded-target.js';
import { deletionSuite } from './deletion.suite.js';
import { discoverySuite } from './discovery.suite.js';
import { objectsSuite } from './objects.suite.js';
import { patchesSuite } from './patches.suite.js';
import { readingSuite } from './reading.suite.js';
import { schemaSuite } from './schema.suite.js';

describe('the embedded Kubernetes API', () => {
  for (const suite of [objectsSuite, schemaSuite, patchesSuite, readingSuite, deletionSuite, discoverySuite]) {
    suite(() => startEmbedded());
  }
});
