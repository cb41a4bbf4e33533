/** What the kinds of the embedded server are held to, on the server that it is held to. */
import { describe } from '@jest/globals';
import { ownKindsSuite } from '../../component/kube-api/own-kinds.suite.js';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import { Cluster } from './cluster.js';

const cluster = Cluster.here();
const defined = cluster.define(chartCrds());

describe('the kinds of the chart on a real Kubernetes API', () => {
  ownKindsSuite(async () => {
    await defined;
    return {
      client: cluster.client,
      define: (crds) => cluster.define(crds),
      forget: () => cluster.forget(),
      stop: () => Promise.resolve(),
    };
  });
});
