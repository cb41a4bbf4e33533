import { describe, expect, it } from '@jest/globals';
import type { KubeClient } from '../../support/kube-api/client.js';
import { onFreshGround, type StartTarget } from '../../support/kube-api/target.js';
import { widget } from '../../support/kube-api/widget-crd.js';

export function objectsSuite(start: StartTarget): void {
  describe('objects', () => {
    let client: KubeClient;
    let namespace: string;
    let widgets: string;
    onFreshGround(start, (ground) => ({ client, namespace, widgets } = ground));
    const make = async (name: string, spec?: Record<string, unknown>, metadata?: Record<string, unknown>) =>
      (await client.post(widgets, widget(name, spec, metadata))).body;

    it('gives a created object its identity, and drops the status that it came with', async () => {
      const { status, body } = await client.post(widgets, { ...widget('a'), status: { phase: 'x' } });
      expect(status).toBe(201);
      expect(body.metadata).toMatchObject({ name: 'a', namespace, generation: 1 });
      expect(body.metadata.uid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(body.metadata.creationTimestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(body.status).toBeUndefined();
      expect((await client.get(`${widgets}/a`)).body).toEqual(body);
    });

    it('refuses a second object of a name', async () => {
      await make('a');
      const { status, body } = await client.post(widgets, widget('a'));
      expect(status).toBe(409);
      expect(body).toMatchObject({
        kind: 'Status',
        status: 'Failure',
        reason: 'AlreadyExists',
        message: 'widgets.suite.example.com "a" already exists',
        details: { name: 'a', group: 'suite.example.com', kind: 'widgets' },
      });
    });

    it('takes capitals in the names of events, which are named after their reasons', async () => {
      const event = {
        metadata: { generateName: 'ProvisioningComplete-' },
        involvedObject: { kind: 'Widget', name: 'a', namespace },
        reason: 'ProvisioningComplete',
      };
      const path = `/api/v1/namespaces/${namespace}/events`;
      const { status, body } = await client.post(path, event);
      expect([status, body.metadata.name]).toEqual([201, expect.stringMatching(/^ProvisioningComplete-[a-z0-9]{5}$/)]);
      const bad = await client.post(path, { ...event, metadata: { name: 'a/b' } });
      expect(bad.status).toBe(422);
    });

    it('makes a name from generateName', async () => {
      const { body } = await client.post(widgets, { ...widget(''), metadata: { generateName: 'w-' } });
      expect(body.metadata.name).toMatch(/^w-[a-z0-9]{5}$/);
    });

    it('wants a name, and a valid one', async () => {
      const nameless = await client.post(widgets, { ...widget(''), metadata: {} });
      expect(nameless.status).toBe(422);
      expect(nameless.body.message).toContain('name or generateName is required');
      const bad = await client.post(widgets, widget('Not_A_Name'));
      expect(bad.status).toBe(422);
      expect(bad.body.details.causes[0]).toMatchObject({ reason: 'FieldValueInvalid', field: 'metadata.name' });
    });

    it('refuses a create that names a resourceVersion', async () => {
      const { status, body } = await client.post(widgets, widget('a', { size: 1 }, { resourceVersion: '5' }));
      expect(status).toBe(500);
      expect(body.message).toBe('resourceVersion should not be set on objects to be created');
    });

    it('finds no object that is not there', async () => {
      const { status, body } = await client.get(`${widgets}/none`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ reason: 'NotFound', message: 'widgets.suite.example.com "none" not found' });
    });

    it('counts generations by changes of the spec only', async () => {
      const first = await make('a');
      const labelled = (await client.patch(`${widgets}/a`, { metadata: { labels: { x: 'y' } } })).body;
      expect(labelled.metadata.generation).toBe(1);
      expect(labelled.metadata.resourceVersion).not.toBe(first.metadata.resourceVersion);
      const stated = (await client.patch(`${widgets}/a/status`, { status: { phase: 'up' } })).body;
      expect(stated.metadata.generation).toBe(1);
      const sized = (await client.patch(`${widgets}/a`, { spec: { size: 2 } })).body;
      expect(sized.metadata.generation).toBe(2);
    });

    it('keeps the resourceVersion when a write changes nothing', async () => {
      const made = await make('a');
      const put = await client.put(`${widgets}/a`, made);
      expect(put.status).toBe(200);
      const patched = await client.patch(`${widgets}/a`, { spec: { size: 1 } });
      expect([put.body, patched.body].map((one) => one.metadata.resourceVersion)).toEqual([
        made.metadata.resourceVersion,
        made.metadata.resourceVersion,
      ]);
    });

    it('refuses an update of an older version', async () => {
      const made = await make('a');
      await client.patch(`${widgets}/a`, { spec: { size: 2 } });
      const put = await client.put(`${widgets}/a`, { ...made, spec: { size: 3 } });
      expect(put.status).toBe(409);
      expect(put.body).toMatchObject({
        reason: 'Conflict',
        message:
          'Operation cannot be fulfilled on widgets.suite.example.com "a": the object has been modified; please apply your ' +
          'changes to the latest version and try again',
      });
      const patch = await client.patch(`${widgets}/a`, {
        metadata: { resourceVersion: made.metadata.resourceVersion },
        spec: { size: 3 },
      });
      expect(patch.status).toBe(409);
    });

    it('refuses an update of a custom resource without a version, and of another life of the name', async () => {
      const made = await make('a');
      const versionless = await client.put(`${widgets}/a`, widget('a', { size: 2 }));
      expect(versionless.status).toBe(422);
      expect(versionless.body.message).toContain('must be specified for an update');
      const other = { ...made, metadata: { ...made.metadata, uid: '00000000-0000-4000-8000-000000000000' } };
      expect((await client.put(`${widgets}/a`, other)).status).toBe(409);
    });

    it('refuses a body whose name or namespace is not that of the URL', async () => {
      const made = await make('a');
      const renamed = await client.put(`${widgets}/a`, { ...made, metadata: { ...made.metadata, name: 'b' } });
      expect(renamed.status).toBe(400);
      expect(renamed.body.message).toBe('the name of the object (b) does not match the name on the URL (a)');
      expect((await client.post(widgets, widget('b', { size: 1 }, { namespace: 'elsewhere' }))).status).toBe(400);
    });

    it('keeps status and the rest apart', async () => {
      const made = await make('a');
      const stated = await client.put(`${widgets}/a/status`, {
        ...made,
        metadata: { ...made.metadata, labels: { sly: 'yes' } },
        spec: { size: 9 },
        status: { phase: 'up' },
      });
      expect(stated.status).toBe(200);
      expect(stated.body).toMatchObject({ spec: { size: 1 }, status: { phase: 'up', count: 0 } });
      expect(stated.body.metadata.labels).toBeUndefined();
      const sized = await client.put(`${widgets}/a`, { ...stated.body, spec: { size: 2 }, status: { phase: 'gone' } });
      expect(sized.body).toMatchObject({ spec: { size: 2 }, status: { phase: 'up' } });
      expect((await client.get(`${widgets}/a/status`)).body).toEqual(sized.body);
    });

    it('stores nothing in a dry run', async () => {
      const created = await client.post(`${widgets}?dryRun=All`, widget('a'));
      expect(created.status).toBe(201);
      expect((await client.get(`${widgets}/a`)).status).toBe(404);
      const made = await make('a');
      const patched = await client.patch(`${widgets}/a?dryRun=All`, { spec: { size: 4 } });
      expect(patched.body.spec.size).toBe(4);
      expect((await client.send('DELETE', `${widgets}/a`, { dryRun: ['All'] })).status).toBe(200);
      expect((await client.get(`${widgets}/a`)).body).toEqual(made);
      expect((await client.post(`${widgets}?dryRun=Some`, widget('b'))).status).toBe(422);
    });

    it('takes YAML, and says what it does not take', async () => {
      const yaml = `apiVersion: suite.example.com/v1\nkind: Widget\nmetadata: {name: yam}\nspec: {size: 3, online: on}\n`;
      const taken = await client.post(widgets, yaml, { type: 'application/yaml' });
      // YAML 1.1, in which on, yes and y are true.
      expect(taken.body.spec).toMatchObject({ size: 3, online: true });
      const y = yaml.replace('yam', 'y');
      expect((await client.post(widgets, y, { type: 'application/yaml' })).status).toBe(400);
      expect((await client.post(widgets, '{"kind":')).status).toBe(400);
      const text = await client.post(widgets, 'x', { type: 'text/plain' });
      expect(text.status).toBe(415);
      expect(text.body.reason).toBe('UnsupportedMediaType');
      expect((await client.send('PUT', widgets, widget('z'))).status).toBe(400);
      expect((await client.post('/apis/suite.example.com/v1/widgets', widget('z'))).status).toBe(404);
      const maps = `/api/v1/namespaces/${namespace}/configmaps`;
      expect((await client.send('PUT', maps, {})).status).toBe(405);
      expect((await client.post('/api/v1/configmaps', {})).status).toBe(405);
      expect((await client.get('/apis/suite.example.com/v1/gadgets')).status).toBe(404);
      expect((await client.get(widgets, { accept: 'text/html' })).status).toBe(406);
    });

    it('refuses an object of another kind or version', async () => {
      expect((await client.post(widgets, { ...widget('a'), apiVersion: 'suite.example.com/v2' })).status).toBe(400);
      const { status, body } = await client.post(widgets, { ...widget('a'), kind: 'Gadget' });
      expect(status).toBe(422);
      expect(body.message).toBe(
        'Gadget.suite.example.com "a" is invalid: kind: Invalid value: "Gadget": must be Widget',
      );
      const maps = `/api/v1/namespaces/${namespace}/configmaps`;
      expect((await client.post(maps, { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'a' } })).status).toBe(400);
    });

    it('turns stringData of a secret into data, and takes base64 only', async () => {
      const secrets = `/api/v1/namespaces/${namespace}/secrets`;
      const { body } = await client.post(secrets, {
        metadata: { name: 's' },
        data: { a: 'b2xk', b: 'Yg==' },
        stringData: { a: 'new' },
      });
      expect(body).toMatchObject({ kind: 'Secret', type: 'Opaque', data: { a: 'bmV3', b: 'Yg==' } });
      expect(body.stringData).toBeUndefined();
      const bad = await client.post(secrets, { metadata: { name: 't' }, data: { a: 'not base64!' } });
      expect(bad.status).toBe(400);
      expect(bad.body.message).toContain('illegal base64 data');
      const retyped = await client.patch(`${secrets}/s`, { type: 'other' });
      expect(retyped.status).toBe(422);
    });

    it('makes a lease by PUT, and wants its version for the next', async () => {
      const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/l`;
      const lease = {
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name: 'l' },
        spec: { holderIdentity: 'me' },
      };
      const made = await client.put(path, lease);
      expect(made.status).toBe(201);
      const renewTime = '2026-01-01T00:00:00.123456Z';
      const renewed = await client.put(path, { ...made.body, spec: { ...lease.spec, renewTime } });
      expect(renewed.body.spec.renewTime).toBe(renewTime);
      expect((await client.put(path, { ...made.body, spec: { holderIdentity: 'you' } })).status).toBe(409);
    });
  });
}
