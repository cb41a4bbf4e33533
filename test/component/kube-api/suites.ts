/** What a Kubernetes API has to fulfil. The suites speak plain HTTP and know no server, so that each runs against any. */
import type { StartTarget } from '../../support/kube-api/target.js';
import { definitionsSuite } from './definitions.suite.js';
import { deletionSuite } from './deletion.suite.js';
import { discoverySuite } from './discovery.suite.js';
import { expirySuite } from './expiry.suite.js';
import { objectsSuite } from './objects.suite.js';
import { patchesSuite } from './patches.suite.js';
import { readingSuite } from './reading.suite.js';
import { schemaSuite } from './schema.suite.js';
import { sizesSuite } from './sizes.suite.js';

export const suites: readonly ((start: StartTarget) => void)[] = [
  objectsSuite,
  schemaSuite,
  patchesSuite,
  readingSuite,
  deletionSuite,
  discoverySuite,
  definitionsSuite,
  expirySuite,
  sizesSuite,
];
