import { describe, expect, it } from '@jest/globals';
import type { KubeClient, Json } from '../../support/kube-api/client.js';
import { eventually, onFreshGround, type StartTarget } from '../../support/kube-api/target.js';
import { widget } from '../../support/kube-api/widget-crd.js';

export function deletionSuite(start: StartTarget): void {
  describe('deletion', () => {
    let client: KubeClient;
    let namespace: string;
    let widgets: string;
    onFreshGround(start, (ground) => ({ client, namespace, widgets } = ground));
    const make = async (name: string, metadata: Record<string, unknown> = {}) =>
      (await client.post(widgets, widget(name, { size: 1 }, metadata))).body;
    const ownedBy = (owner: Json, more: Record<string, unknown> = {}) => ({
      ownerReferences: [
        { apiVersion: owner.apiVersion, kind: owner.kind, name: owner.metadata.name, uid: owner.metadata.uid, ...more },
      ],
    });
    const gone = (name: string) =>
      eventually(
        () => client.get(`${widgets}/${name}`),
        (answer) => answer.status === 404,
      );

    it('removes an object at once and says so', async () => {
      const { metadata } = await make('a');
      const { status, body } = await client.delete(`${widgets}/a`);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        kind: 'Status',
        status: 'Success',
        details: { name: 'a', group: 'suite.example.com', kind: 'widgets', uid: metadata.uid },
      });
      expect((await client.delete(`${widgets}/a`)).status).toBe(404);
    });

    it('waits for finalizers, and takes no new ones meanwhile', async () => {
      await make('a', { finalizers: ['suite.example.com/one', 'suite.example.com/two'] });
      const { status, body } = await client.delete(`${widgets}/a`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ kind: 'Widget', metadata: { generation: 2, deletionGracePeriodSeconds: 0 } });
      expect(body.metadata.deletionTimestamp).toBeDefined();
      const more = { metadata: { finalizers: ['suite.example.com/one', 'suite.example.com/three'] } };
      const refused = await client.patch(`${widgets}/a`, more);
      expect(refused.status).toBe(422);
      expect(refused.body.message).toContain('no new finalizers can be added if the object is being deleted');
      const again = await client.delete(`${widgets}/a`);
      expect(again.body.metadata).toMatchObject({ deletionTimestamp: body.metadata.deletionTimestamp, generation: 2 });
      await client.patch(`${widgets}/a`, { metadata: { finalizers: ['suite.example.com/two'] } });
      expect((await client.get(`${widgets}/a`)).status).toBe(200);
      expect((await client.patch(`${widgets}/a`, { metadata: { finalizers: null } })).status).toBe(200);
      expect((await client.get(`${widgets}/a`)).status).toBe(404);
    });

    it('shows the last state of a finalized object to a watch', async () => {
      const made = await make('a', { finalizers: ['suite.example.com/one'] });
      const stream = await client.watch(`${widgets}?resourceVersion=${made.metadata.resourceVersion}`);
      await client.delete(`${widgets}/a`);
      await client.patch(`${widgets}/a`, { metadata: { finalizers: null } });
      expect(await stream.take(2)).toEqual(['MODIFIED a', 'DELETED a']);
      stream.close();
    });

    it('holds to preconditions', async () => {
      const made = await make('a');
      const wrong = await client.delete(`${widgets}/a`, { preconditions: { uid: 'other' } });
      expect(wrong.status).toBe(409);
      expect(wrong.body.message).toContain('the UID in the precondition (other) does not match the UID in record');
      expect((await client.delete(`${widgets}/a`, { preconditions: { resourceVersion: '1' } })).status).toBe(409);
      const { uid, resourceVersion } = made.metadata;
      expect((await client.delete(`${widgets}/a`, { preconditions: { uid, resourceVersion } })).status).toBe(200);
      expect((await client.delete(`${widgets}/a`, { propagationPolicy: 'Sideways' })).status).toBe(422);
      const both = { propagationPolicy: 'Orphan', orphanDependents: true };
      expect((await client.delete(`${widgets}/a`, both)).status).toBe(422);
    });

    it('deletes a selection', async () => {
      await make('a', { labels: { on: 'yes' } });
      await make('b', { labels: { on: 'yes' } });
      await make('c');
      const { status, body } = await client.delete(`${widgets}?labelSelector=on`);
      expect(status).toBe(200);
      expect(body.items.map((item: Json) => item.metadata.name)).toEqual(['a', 'b']);
      expect((await client.get(widgets)).body.items.map((item: Json) => item.metadata.name)).toEqual(['c']);
    });

    it('takes what an owner owned, in the background', async () => {
      const owner = await make('owner');
      const child = await make('child', ownedBy(owner));
      await make('grandchild', ownedBy(child));
      await client.delete(`${widgets}/owner`);
      expect((await gone('child')).status).toBe(404);
      expect((await gone('grandchild')).status).toBe(404);
    });

    it('spares what another owner still owns', async () => {
      const [one, two] = [await make('one'), await make('two')];
      const references = [...ownedBy(one).ownerReferences, ...ownedBy(two).ownerReferences];
      await make('child', { ownerReferences: references });
      await client.delete(`${widgets}/one`);
      const left = await eventually(
        () => client.get(`${widgets}/child`),
        ({ body }) => body.metadata.ownerReferences.length === 1,
      );
      expect(left.body.metadata.ownerReferences[0].name).toBe('two');
    });

    it('waits in the foreground for what blocks', async () => {
      const owner = await make('owner');
      await make('child', { ...ownedBy(owner, { blockOwnerDeletion: true }), finalizers: ['suite.example.com/hold'] });
      const { body } = await client.delete(`${widgets}/owner`, { propagationPolicy: 'Foreground' });
      expect(body.metadata.finalizers).toEqual(['foregroundDeletion']);
      const child = await eventually(
        () => client.get(`${widgets}/child`),
        (answer) => answer.body.metadata.deletionTimestamp !== undefined,
      );
      expect(child.body.metadata.deletionTimestamp).toBeDefined();
      expect((await client.get(`${widgets}/owner`)).status).toBe(200);
      await client.patch(`${widgets}/child`, { metadata: { finalizers: null } });
      expect((await gone('owner')).status).toBe(404);
    });

    it('leaves orphans when told to', async () => {
      const owner = await make('owner');
      await make('child', ownedBy(owner));
      await client.delete(`${widgets}/owner`, { propagationPolicy: 'Orphan' });
      expect((await gone('owner')).status).toBe(404);
      const { status, body } = await client.get(`${widgets}/child`);
      expect(status).toBe(200);
      expect(body.metadata.ownerReferences).toBeUndefined();
    });

    it('collects what names an owner that is not there', async () => {
      const owner = await make('owner');
      await client.delete(`${widgets}/owner`);
      await make('child', ownedBy(owner));
      expect((await gone('child')).status).toBe(404);
    });

    it('wants a namespace for what is in it', async () => {
      const { status, body } = await client.post('/apis/suite.example.com/v1/namespaces/nowhere/widgets', widget('a'));
      expect(status).toBe(404);
      expect(body.message).toBe('namespaces "nowhere" not found');
    });

    it('empties a namespace before it goes, and takes nothing new into it', async () => {
      await make('a');
      await make('held', { finalizers: ['suite.example.com/hold'] });
      const deleted = await client.delete(`/api/v1/namespaces/${namespace}`);
      expect(deleted.body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
      expect((await gone('a')).status).toBe(404);
      const refused = await client.post(widgets, widget('late'));
      expect(refused.status).toBe(403);
      expect(refused.body.message).toBe(
        `widgets.suite.example.com "late" is forbidden: unable to create new content in namespace ${namespace} because it is ` +
          'being terminated',
      );
      expect(refused.body.details.causes[0].reason).toBe('NamespaceTerminating');
      await client.patch(`${widgets}/held`, { metadata: { finalizers: null } });
      const path = `/api/v1/namespaces/${namespace}`;
      expect(
        (
          await eventually(
            () => client.get(path),
            (answer) => answer.status === 404,
          )
        ).status,
      ).toBe(404);
    });

    it('never deletes the default namespace', async () => {
      const { status, body } = await client.delete('/api/v1/namespaces/default');
      expect(status).toBe(403);
      expect(body.message).toBe('namespaces "default" is forbidden: this namespace may not be deleted');
    });
  });
}
