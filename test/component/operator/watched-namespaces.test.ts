import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { kinds } from '../../../src/apis/index.js';
import type { KubeObject } from '../../../src/kube/index.js';
import { eventually } from '../../support/eventually.js';
import { TestPlant } from '../../support/plant.js';

jest.setTimeout(60_000);

const namespaceKind = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' };
const { bareMetalHost, hostClaim } = kinds;
const foreign = { namespace: 'foreign', name: 'host' };

describe('an operator for some namespaces', () => {
  let plant: TestPlant;
  beforeAll(async () => {
    plant = await TestPlant.start({ watched: ['default'], servesClaims: true });
    await plant.api.create(namespaceKind, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: foreign.namespace },
    });
  });
  afterAll(() => plant.stop());

  const make = (kind: typeof hostClaim, metadata: KubeObject['metadata'], spec: object) =>
    plant.api.create<KubeObject>(kind, { apiVersion: 'metal3.io/v1alpha1', kind: kind.kind, metadata, spec });

  it('never works on a host of another one, whatever a claim says of it', async () => {
    const host = await make(bareMetalHost, foreign, { online: true });
    let isRead = false;
    plant.kubeFault = ({ verb, resource, name }) => {
      isRead ||= verb === 'get' && resource.startsWith('baremetalhosts') && name === foreign.name;
      return undefined;
    };
    const annotations = { 'ironchart.io/chosen-host': `foreign/host@${host.metadata.resourceVersion}` };
    await make(hostClaim, { namespace: 'default', name: 'curious', annotations }, { poweredOn: true });
    await eventually('the host is read', () => isRead);
    // As a sign that whatever came of that has been worked on.
    await plant.add('own', { spec: { image: undefined } });
    await plant.reaches('own', 'available');
    expect(await plant.api.get(bareMetalHost, foreign)).toEqual(host);
  });
});
