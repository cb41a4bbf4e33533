/** Each kind of the group by what kubectl asks of a server: api-resources, apply, get, get -o wide, explain, delete. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import { APPLY, type Json, TABLE } from '../../support/kube-api/client.js';
import { age, exampleOf, kindCases, ownGroup } from '../../support/kube-api/own-kinds.js';
import { freshNamespace, type KubeTarget, type StartTarget } from '../../support/kube-api/target.js';

const { group, version } = ownGroup;

export function ownKindsSuite(start: StartTarget): void {
  let target: KubeTarget;
  let namespace: string;
  beforeAll(async () => {
    target = await start();
    ({ namespace } = await freshNamespace(target.client));
  });
  afterAll(async () => {
    await target.client.delete(`/api/v1/namespaces/${namespace}`);
    await target.stop();
  });

  const collection = (plural: string) => `/apis/${group}/${version}/namespaces/${namespace}/${plural}`;

  it('are the thirteen of the group', () => {
    const served = chartCrds().map(({ spec }) => spec.names.kind as string);
    expect([...served].sort()).toEqual(kindCases.map(({ kind }) => kind).sort());
    expect(served).toHaveLength(13);
  });

  describe.each(kindCases)('$kind', (one) => {
    const { plural, kind, shortNames = [], spec, field, columns = [age] } = one;
    it('is found by its names', async () => {
      const { body } = await target.client.get(`/apis/${group}/${version}`);
      const found = body.resources.find(({ name }: Json) => name === plural);
      expect(found).toMatchObject({ kind, namespaced: true, singularName: kind.toLowerCase() });
      expect(found.shortNames ?? []).toEqual(shortNames);
      expect(found.verbs).toEqual(expect.arrayContaining(['create', 'delete', 'get', 'list', 'patch', 'watch']));
    });

    it('is applied, again without a change, shown with its columns, and deleted', async () => {
      const path = `${collection(plural)}/example`;
      const apply = () =>
        target.client.patch(
          `${path}?fieldManager=kubectl&fieldValidation=Strict`,
          JSON.stringify(exampleOf(one, namespace)),
          APPLY,
        );
      const created = await apply();
      expect([created.status, created.body.spec]).toEqual([201, expect.objectContaining(spec ?? {})]);
      const again = await apply();
      expect([again.status, again.body.metadata.resourceVersion]).toEqual([200, created.body.metadata.resourceVersion]);

      const { body: table } = await target.client.get(collection(plural), { accept: TABLE });
      expect(table.kind).toBe('Table');
      const names = table.columnDefinitions.map(({ name, priority }: Json) => `${name}${priority > 0 ? '*' : ''}`);
      expect(names).toEqual(['Name', ...columns.map(([name]) => name)]);
      expect(table.rows[0].cells).toEqual([
        'example',
        ...columns.map(([, cell]) => (cell instanceof RegExp ? expect.stringMatching(cell) : cell)),
      ]);

      expect((await target.client.send('DELETE', path)).status).toBe(200);
      expect((await target.client.get(path)).status).toBe(404);
    });

    it('is explained, down to its fields', async () => {
      const { body } = await target.client.get(`/openapi/v3/apis/${group}/${version}`);
      const schemas = Object.values<Json>(body.components.schemas);
      const own = schemas.find((schema) =>
        (schema['x-kubernetes-group-version-kind'] ?? []).some((gvk: Json) => gvk.kind === kind && gvk.group === group),
      );
      expect(own.description).toMatch(/\w+ \w+/);
      expect(own.properties.spec.description).toMatch(/\w+ \w+/);
      expect(own.properties.spec.properties[field].description).toMatch(/\w+ \w+/);
      const ref = ({ $ref, allOf }: Json) => body.components.schemas[($ref ?? allOf[0].$ref).split('/').at(-1)];
      const { ownerReferences, managedFields } = ref(own.properties.metadata).properties;
      expect(ref(ownerReferences.items).required).toEqual(['apiVersion', 'kind', 'name', 'uid']);
      expect(ref(ref(managedFields.items).properties.fieldsV1).type).toBe('object');
      expect(Object.keys(body.paths)).toContain(`/apis/${group}/${version}/namespaces/{namespace}/${plural}/{name}`);
    });
  });
}
