import { describe, expect, it } from '@jest/globals';
import { APPLY, JSON_PATCH, STRATEGIC, type KubeClient, type Json } from '../../support/kube-api/client.js';
import { onFreshGround, type StartTarget } from '../../support/kube-api/target.js';
import { widget } from '../../support/kube-api/widget-crd.js';

export function patchesSuite(start: StartTarget): void {
  describe('patches', () => {
    let client: KubeClient;
    let namespace: string;
    let widgets: string;
    onFreshGround(start, (ground) => ({ client, namespace, widgets } = ground));
    const apply = (name: string, spec: Record<string, unknown>, query = 'fieldManager=one', sub = '') =>
      client.patch(`${widgets}/${name}${sub}?${query}`, widget(name, spec), APPLY);

    it('merge: set, replace whole lists, and remove with null', async () => {
      await client.post(widgets, widget('a', { size: 1, online: true, lines: ['x', 'y'] }));
      const { body } = await client.patch(`${widgets}/a`, { spec: { size: 2, online: null, lines: ['z'] } });
      expect(body.spec).toEqual({ size: 2, mode: 'slow', lines: ['z'] });
    });

    it('JSON: apply in order, or not at all', async () => {
      const made = await client.post(widgets, widget('a', { size: 1, lines: ['x'] }));
      const done = await client.patch(
        `${widgets}/a`,
        [
          { op: 'test', path: '/spec/size', value: 1 },
          { op: 'add', path: '/spec/lines/-', value: 'y' },
          { op: 'add', path: '/metadata/annotations', value: { 'a/b': 'c' } },
          { op: 'replace', path: '/metadata/annotations/a~1b', value: 'd' },
        ],
        JSON_PATCH,
      );
      expect(done.body).toMatchObject({ spec: { lines: ['x', 'y'] }, metadata: { annotations: { 'a/b': 'd' } } });
      const failed = await client.patch(
        `${widgets}/a`,
        [
          { op: 'replace', path: '/spec/size', value: 5 },
          { op: 'test', path: '/spec/size', value: 6 },
        ],
        JSON_PATCH,
      );
      expect(failed.status).toBe(422);
      expect((await client.get(`${widgets}/a`)).body.spec.size).toBe(1);
      const stale = [{ op: 'test', path: '/metadata/resourceVersion', value: made.body.metadata.resourceVersion }];
      expect((await client.patch(`${widgets}/a`, stale, JSON_PATCH)).status).toBe(422);
      expect((await client.patch(`${widgets}/a`, { spec: {} }, JSON_PATCH)).status).toBe(400);
    });

    it('strategic: for built-in kinds only', async () => {
      await client.post(widgets, widget('a'));
      const refused = await client.patch(`${widgets}/a`, {}, STRATEGIC);
      expect(refused.status).toBe(415);
      const maps = `/api/v1/namespaces/${namespace}/configmaps`;
      await client.post(maps, { metadata: { name: 'm', finalizers: ['a.io/x'] }, data: { a: '1', b: '2' } });
      const { body } = await client.patch(
        `${maps}/m`,
        { data: { a: null, c: '3' }, metadata: { finalizers: ['a.io/y'] } },
        STRATEGIC,
      );
      expect(body.data).toEqual({ b: '2', c: '3' });
      expect(body.metadata.finalizers.sort()).toEqual(['a.io/x', 'a.io/y']);
      await client.patch(`${maps}/m`, { metadata: { finalizers: null } });
    });

    it('apply: creates, and owns what it says', async () => {
      const { status, body } = await apply('a', { size: 1 });
      expect(status).toBe(201);
      expect(body.spec).toEqual({ size: 1, mode: 'slow' });
      const [entry] = body.metadata.managedFields;
      expect(entry).toMatchObject({ manager: 'one', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:size': {} } } });
      expect(entry.fieldsV1['f:spec']['f:mode']).toBeUndefined();
    });

    it('apply: changes nothing the second time', async () => {
      const first = await apply('a', { size: 1 });
      const second = await apply('a', { size: 1 });
      expect(second.status).toBe(200);
      expect(second.body).toEqual(first.body);
    });

    it('apply: removes what the manager no longer says and nobody else owns', async () => {
      await apply('a', { size: 1, online: true, code: 'abc', parts: [{ name: 'x' }, { name: 'y' }] });
      await apply('a', { size: 1, code: 'abc' }, 'fieldManager=two');
      const { body } = await apply('a', { size: 1, parts: [{ name: 'y' }] });
      expect(body.spec).toEqual({ size: 1, mode: 'slow', code: 'abc', parts: [{ name: 'y', weight: 1 }] });
    });

    it('apply: refuses to take a field over, unless forced', async () => {
      await apply('a', { size: 1 });
      const refused = await apply('a', { size: 2 }, 'fieldManager=two');
      expect(refused.status).toBe(409);
      expect(refused.body).toMatchObject({
        reason: 'Conflict',
        message: 'Apply failed with 1 conflict: conflict with "one": .spec.size',
        details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.spec.size' }] },
      });
      const forced = await apply('a', { size: 2 }, 'fieldManager=two&force=true');
      expect(forced.status).toBe(200);
      expect(forced.body.spec.size).toBe(2);
      const managers = forced.body.metadata.managedFields.map((entry: Json) => entry.manager);
      expect(managers).toEqual(['two']);
    });

    it('apply: shares a field that both want alike', async () => {
      await apply('a', { size: 1 });
      const { status, body } = await apply('a', { size: 1 }, 'fieldManager=two');
      expect(status).toBe(200);
      expect(body.metadata.managedFields).toHaveLength(2);
    });

    it('apply: conflicts with what an update has set', async () => {
      await client.post(`${widgets}?fieldManager=editor`, widget('a', { size: 1 }));
      const refused = await apply('a', { size: 2 });
      expect(refused.status).toBe(409);
      expect(refused.body.message).toMatch(/conflict with "editor" using suite\.example\.com\/v1.*: \.spec\.size$/);
    });

    it('apply: merges lists with keys, and replaces lists without', async () => {
      await client.post(widgets, widget('a', { size: 1, parts: [{ name: 'x', weight: 3 }], tags: ['t'] }));
      const { body } = await apply('a', { size: 1, parts: [{ name: 'y' }], tags: ['u'], lines: ['l'] });
      expect(body.spec.parts).toEqual([
        { name: 'x', weight: 3 },
        { name: 'y', weight: 1 },
      ]);
      expect(body.spec.tags).toEqual(['t', 'u']);
    });

    it('apply: to the status subresource, owns the status alone', async () => {
      await client.post(widgets, widget('a'));
      const { status, body } = await client.patch(
        `${widgets}/a/status?fieldManager=ctl`,
        { ...widget('a', { size: 9 }), status: { phase: 'up' } },
        APPLY,
      );
      expect(status).toBe(200);
      expect(body).toMatchObject({ spec: { size: 1 }, status: { phase: 'up' } });
      const entry = body.metadata.managedFields.find((one: Json) => one.manager === 'ctl');
      expect(entry).toMatchObject({
        operation: 'Apply',
        subresource: 'status',
        fieldsV1: { 'f:status': { 'f:phase': {} } },
      });
    });

    it('apply: lets kubectl go on with what it has applied without the server, and nobody else', async () => {
      const lastApplied = {
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(widget('a', { size: 1 })),
      };
      const path = `${widgets}?fieldManager=kubectl-client-side-apply`;
      await client.post(path, widget('a', { size: 1, code: 'abc' }, { annotations: lastApplied }));
      expect((await apply('a', { size: 2 }, 'fieldManager=other')).status).toBe(409);
      const taken = await apply('a', { size: 2 }, 'fieldManager=kubectl');
      expect([taken.status, taken.body.spec.size]).toEqual([200, 2]);
      // Not applied by it then.
      expect((await apply('a', { size: 2, code: 'xyz' }, 'fieldManager=kubectl')).status).toBe(409);
    });

    it('apply: wants a field manager, and no other patch takes force', async () => {
      expect((await client.patch(`${widgets}/a`, widget('a'), APPLY)).status).toBe(422);
      await client.post(widgets, widget('a'));
      expect((await client.patch(`${widgets}/a?force=true`, { spec: {} })).status).toBe(422);
    });

    it('apply: refuses a field that the schema does not declare', async () => {
      const { status, body } = await apply('a', { size: 1, odd: 1 });
      expect(status).toBe(500);
      expect(body.message).toContain('.spec.odd: field not declared in schema');
    });

    it('record who updated what, and take it from who had it', async () => {
      await client.post(`${widgets}?fieldManager=maker`, widget('a', { size: 1, online: true }));
      const { body } = await client.patch(`${widgets}/a?fieldManager=editor`, { spec: { size: 2 } });
      const sets = Object.fromEntries(
        body.metadata.managedFields.map((entry: Json) => [entry.manager, entry.fieldsV1]),
      );
      expect(sets['editor']).toEqual({ 'f:spec': { 'f:size': {} } });
      expect(sets['maker']['f:spec']['f:size']).toBeUndefined();
      expect(sets['maker']['f:spec']['f:online']).toEqual({});
    });
  });
}
