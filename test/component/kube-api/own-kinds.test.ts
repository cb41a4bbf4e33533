import { describe } from '@jest/globals';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import { startEmbedded } from '../../support/kube-api/embedded-target.js';
import { ownKindsSuite } from './own-kinds.suite.js';

describe('the kinds that the embedded server brings along', () => {
  ownKindsSuite(() => startEmbedded({ crds: chartCrds() }));
});
