/** The roles of the chart for people, on a real API server: what each lets its subject do, and what `view` and `edit` gain by them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import type { Json } from '../../support/kube-api/client.js';
import { exampleOf, kindCases } from '../../support/kube-api/own-kinds.js';
import { Cluster } from './cluster.js';
import { renderChart } from './installation.js';

const namespace = 'people';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const cluster = Cluster.here();
const reading = ['get', 'list', 'watch'];
const writing = ['create', 'delete', 'patch', 'update'];
const verbs = [...reading, ...writing, 'deletecollection'];

const roles = (aggregate: boolean): Json[] =>
  renderChart(namespace, { userRoles: { create: true, aggregate } }).filter(
    ({ kind, metadata }) => kind === 'ClusterRole' && metadata.name.endsWith('-role'),
  );
const nameOf = (kind: string, role: string) => `ironchart-${namespace}-${kind.toLowerCase()}-${role}-role`;

async function bind(user: string, role: string): Promise<void> {
  const { status } = await cluster.client.post(`${rbac}/namespaces/${namespace}/rolebindings`, {
    metadata: { name: user },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: user }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
  });
  if (status !== 201) throw new Error(`${user} was not bound to ${role}: ${status}`);
}

async function may(user: string, verb: string, resource: string, group = 'metal3.io'): Promise<boolean> {
  const [plural, subresource] = resource.split('/');
  const resourceAttributes = { namespace, verb, group, resource: plural, subresource };
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const { status, body } = await cluster.as(user).post(path, { spec: { resourceAttributes } });
  if (status !== 201) throw new Error(`no review for ${user}: ${status}`);
  return body.status.allowed as boolean;
}

async function allowed(user: string, resource: string): Promise<string[]> {
  const answers = await Promise.all(verbs.map((verb) => may(user, verb, resource)));
  return verbs.filter((_verb, index) => answers[index]);
}

describe('the roles for people', () => {
  beforeAll(async () => {
    await cluster.define(chartCrds());
    await cluster.makeNamespace(namespace);
    for (const role of roles(false)) await cluster.client.post(`${rbac}/clusterroles`, role);
    for (const { kind } of kindCases) {
      for (const role of ['viewer', 'editor']) await bind(`${kind}-${role}`, nameOf(kind, role));
    }
    for (const role of ['view', 'edit']) await bind(role, role);
    // Bindings are not heeded at once.
    await eventually('the last binding', () => may('edit', 'list', 'secrets', ''));
  }, 60_000);
  afterAll(async () => {
    for (const { metadata } of roles(false)) await cluster.client.delete(`${rbac}/clusterroles/${metadata.name}`);
    await cluster.client.delete(`/api/v1/namespaces/${namespace}`);
  });

  describe.each(kindCases)('of $kind', (one) => {
    const { plural, kind } = one;
    const { status: hasStatus } = chartCrds().find(({ spec }) => spec.names.plural === plural)!.spec.versions[0].subresources ?? {}; // prettier-ignore
    const [viewer, editor] = [`${kind}-viewer`, `${kind}-editor`];

    it('let a viewer read it and its status, and an editor write it and its status not', async () => {
      expect(await allowed(viewer, plural)).toEqual(reading);
      expect(await allowed(editor, plural)).toEqual([...reading, ...writing]);
      const ofStatus = hasStatus === undefined ? [] : ['get'];
      for (const user of [viewer, editor]) expect(await allowed(user, `${plural}/status`)).toEqual(ofStatus);
    });

    it('are heeded', async () => {
      const path = `/apis/metal3.io/v1alpha1/namespaces/${namespace}/${plural}`;
      const as = { viewer: cluster.as(viewer), editor: cluster.as(editor) };
      expect((await as.viewer.post(path, exampleOf(one, namespace))).status).toBe(403);
      expect((await as.editor.post(path, exampleOf(one, namespace))).status).toBe(201);
      expect((await as.viewer.get(path)).body.items).toHaveLength(1);
      const patch = { metadata: { labels: { seen: 'yes' } } };
      expect((await as.viewer.patch(`${path}/example`, patch)).status).toBe(403);
      expect((await as.editor.patch(`${path}/example`, patch)).status).toBe(200);
      expect((await as.editor.patch(`${path}/example/status`, { status: {} })).status).toBe(403);
      expect((await as.editor.delete(`${path}/example`)).status).toBe(200);
    });

    it('are about no other kind, no other namespace and no Secret', async () => {
      const other = plural === 'dataimages' ? 'hostclaims' : 'dataimages';
      for (const user of [viewer, editor]) {
        expect(await allowed(user, other)).toEqual([]);
        expect(await may(user, 'get', 'secrets', '')).toBe(false);
        expect((await cluster.as(user).get(`/apis/metal3.io/v1alpha1/${plural}`)).status).toBe(403);
      }
    });
  });

  it('add to view and edit only where they are to', async () => {
    const ofHosts = async () => [await allowed('view', 'baremetalhosts'), await allowed('edit', 'baremetalhosts')];
    expect(await ofHosts()).toEqual([[], []]);
    for (const role of roles(true)) await cluster.client.put(`${rbac}/clusterroles/${role.metadata.name}`, role);
    const { plural: last } = kindCases.at(-1)!;
    await eventually('the last kind is added', async () => (await may('view', 'get', last)) && may('edit', 'patch', last)); // prettier-ignore
    for (const { plural } of kindCases) {
      await eventually(`${plural} may be edited`, () => may('edit', 'patch', plural));
      await eventually(`${plural} may be viewed`, () => may('view', 'watch', plural));
      expect(await allowed('view', plural)).toEqual(reading);
      expect(await allowed('edit', plural)).toEqual([...reading, ...writing]);
      expect(await may('edit', 'patch', `${plural}/status`)).toBe(false);
    }
    for (const role of roles(false)) await cluster.client.put(`${rbac}/clusterroles/${role.metadata.name}`, role);
    await eventually('they are taken away', async () => !(await may('view', 'get', last)) && !(await may('edit', 'get', last))); // prettier-ignore
  }, 120_000);
});
