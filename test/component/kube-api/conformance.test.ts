/** The suites of this folder, against the embedded server; test/real/kube runs them against a real one. */
import { describe } from '@jest/globals';
import { startEmbedded } from '../../support/kube-api/embedded-target.js';
import { suites } from './suites.js';

describe('the embedded Kubernetes API', () => {
  for (const suite of suites) suite(() => startEmbedded());
});
