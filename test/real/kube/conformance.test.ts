/** The suites that hold the embedded API, against the server that it is held to. */
import { describe } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { suites } from '../../component/kube-api/suites.js';
import type { KubeTarget } from '../../support/kube-api/target.js';
import { WIDGET_CRD } from '../../support/kube-api/widget-crd.js';
import { Cluster } from './cluster.js';

const cluster = Cluster.here();
const defined = cluster.define([WIDGET_CRD]);

async function startReal(): Promise<KubeTarget> {
  await defined;
  return {
    client: cluster.client,
    define: (crds) => cluster.define(crds),
    forget: async () => {
      await cluster.forget();
      // A server that has just started lets watches wait until it has read everything.
      await eventually('watches are taken', async () => {
        const stream = await cluster.client.watch('/apis/suite.example.com/v1/widgets');
        stream.close();
        return stream.status === 200;
      });
    },
    stop: () => Promise.resolve(),
  };
}

describe('a real Kubernetes API', () => {
  for (const suite of suites) suite(startReal);
});
