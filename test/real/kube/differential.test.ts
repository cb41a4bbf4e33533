/** The same conversation with both servers: what the embedded one answers is what a real one answers. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startEmbedded } from '../../support/kube-api/embedded-target.js';
import { WIDGET_CRD } from '../../support/kube-api/widget-crd.js';
import { Cluster } from './cluster.js';
import { hold, type Said, steps } from './conversation.js';

describe('the embedded API and the real one', () => {
  let embedded: Said[];
  let real: Said[];
  beforeAll(async () => {
    const cluster = Cluster.here();
    await cluster.define([WIDGET_CRD]);
    real = await hold(cluster.client);
    const target = await startEmbedded();
    embedded = await hold(target.client);
    await target.stop();
  });

  it.each(steps.map(([title], index) => ({ title, index })))('answer alike to $title', ({ index }) => {
    expect(embedded[index]).toEqual(real[index]);
  });
});
