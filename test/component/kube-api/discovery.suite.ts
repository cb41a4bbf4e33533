import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KubeClient, Json } from '../../support/kube-api/client.js';
import type { KubeTarget, StartTarget } from '../../support/kube-api/target.js';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export function discoverySuite(start: StartTarget): void {
  describe('discovery', () => {
    let target: KubeTarget;
    let client: KubeClient;
    beforeAll(async () => {
      target = await start();
      ({ client } = target);
    });
    afterAll(() => target.stop());

    it('lists groups and versions', async () => {
      expect((await client.get('/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
      const { body } = await client.get('/apis');
      const group = body.groups.find((one: Json) => one.name === 'suite.example.com');
      expect(group).toMatchObject({ preferredVersion: { groupVersion: 'suite.example.com/v1', version: 'v1' } });
      expect((await client.get('/apis/suite.example.com')).body).toMatchObject({
        kind: 'APIGroup',
        name: 'suite.example.com',
      });
      const unknown = await client.get('/apis/none.example.com');
      expect([unknown.status, unknown.body]).toEqual([404, '404 page not found\n']);
      const { body: own } = await client.get('/apis/coordination.k8s.io/v1/gizmos');
      expect(own).toMatchObject({ kind: 'Status', reason: 'NotFound', code: 404 });
    });

    it('lists the resources of a version, with subresources and short names', async () => {
      const { body } = await client.get('/apis/suite.example.com/v1');
      expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'suite.example.com/v1' });
      const main = body.resources.find((one: Json) => one.name === 'widgets');
      expect(main).toMatchObject({ kind: 'Widget', namespaced: true, singularName: 'widget', shortNames: ['wd'] });
      expect(main.verbs).toEqual(
        expect.arrayContaining(['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']),
      );
      expect(body.resources.map((one: Json) => one.name)).toContain('widgets/status');
    });

    it('gathers everything in one document for who asks', async () => {
      const { body, headers } = await client.get('/apis', { accept: `${AGGREGATED},application/json` });
      expect(headers.get('content-type')).toContain('as=APIGroupDiscoveryList');
      expect(body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
      const group = body.items.find((one: Json) => one.metadata.name === 'suite.example.com');
      expect(group.versions[0].resources[0]).toMatchObject({
        resource: 'widgets',
        scope: 'Namespaced',
        responseKind: { group: 'suite.example.com', version: 'v1', kind: 'Widget' },
        subresources: [{ subresource: 'status' }],
      });
      const core = await client.get('/api', { accept: AGGREGATED });
      const resources = core.body.items[0].versions[0].resources.map((one: Json) => one.resource);
      expect(resources).toEqual(expect.arrayContaining(['namespaces', 'secrets', 'configmaps', 'events']));
    });

    it('describes each version in OpenAPI v3, for explain and for checks before a write', async () => {
      const index = await client.get('/openapi/v3');
      const url = index.body.paths['apis/suite.example.com/v1'].serverRelativeURL;
      const { body } = await client.get(url);
      const schemas: Json[] = Object.values(body.components.schemas);
      const schema = schemas.find((one) => one['x-kubernetes-group-version-kind']?.[0]?.kind === 'Widget');
      expect(schema.properties.spec.description).toBe('What is wanted of the widget.');
      expect(schema.properties.spec.properties.size.description).toBe('How big.');
      const { patch } = body.paths['/apis/suite.example.com/v1/namespaces/{namespace}/widgets/{name}'];
      expect(patch['x-kubernetes-group-version-kind']).toEqual({
        group: 'suite.example.com',
        version: 'v1',
        kind: 'Widget',
      });
      expect(patch.parameters.map((one: Json) => one.name)).toEqual(
        expect.arrayContaining(['fieldValidation', 'dryRun', 'force']),
      );
    });

    it('tells its version and health', async () => {
      expect((await client.get('/version')).body.gitVersion).toMatch(/^v1\.\d+\.\d+/);
      expect((await client.get('/readyz')).body).toBe('ok');
    });

    it('serves the definitions themselves', async () => {
      const { body } = await client.get(
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.suite.example.com',
      );
      const established = body.status.conditions.find((one: Json) => one.type === 'Established');
      expect(established.status).toBe('True');
    });

    it('serves a definition that is made later, until it is deleted', async () => {
      const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      const crd = {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'gadgets.late.example.com' },
        spec: {
          group: 'late.example.com',
          scope: 'Cluster',
          names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget', listKind: 'GadgetList' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      };
      expect((await client.post(crds, crd)).status).toBe(201);
      const gadgets = '/apis/late.example.com/v1/gadgets';
      const made = await eventuallyServed(client, gadgets);
      expect(made.status).toBe(201);
      await client.delete(`${crds}/gadgets.late.example.com`);
      for (let i = 0; i < 100 && (await client.get(gadgets)).status !== 404; i += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect((await client.get(gadgets)).status).toBe(404);
    });
  });
}

/** A real server serves a new definition a moment after it took it. */
async function eventuallyServed(client: KubeClient, path: string) {
  const gadget = { apiVersion: 'late.example.com/v1', kind: 'Gadget', metadata: { name: 'g' } };
  for (let attempt = 0; ; attempt += 1) {
    const answer = await client.post(path, gadget);
    if (answer.status !== 404 || attempt >= 100) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
