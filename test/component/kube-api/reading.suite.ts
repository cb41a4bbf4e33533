import { describe, expect, it } from '@jest/globals';
import { TABLE, type KubeClient, type Json } from '../../support/kube-api/client.js';
import { onFreshGround, type StartTarget } from '../../support/kube-api/target.js';
import { widget } from '../../support/kube-api/widget-crd.js';

const names = (list: Json): string[] => list.items.map((item: Json) => item.metadata.name);

export function readingSuite(start: StartTarget): void {
  describe('reading', () => {
    let client: KubeClient;
    let namespace: string;
    let widgets: string;
    onFreshGround(start, (ground) => ({ client, namespace, widgets } = ground));
    const make = async (name: string, labels: Record<string, string> = {}) =>
      (await client.post(widgets, widget(name, { size: 1 }, { labels }))).body;

    it('lists a namespace in order of names', async () => {
      for (const name of ['c', 'a', 'b']) await make(name);
      const { body } = await client.get(widgets);
      expect(body).toMatchObject({ kind: 'WidgetList', apiVersion: 'suite.example.com/v1' });
      expect(names(body)).toEqual(['a', 'b', 'c']);
      const all = await client.get('/apis/suite.example.com/v1/widgets');
      expect(names(all.body)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
    });

    it.each([
      ['rack=a', ['one']],
      ['rack==a', ['one']],
      ['rack!=a', ['three', 'two']],
      ['rack in (a, b)', ['one', 'two']],
      ['rack notin (a,b)', ['three']],
      ['rack', ['one', 'two']],
      ['!rack', ['three']],
      ['rack in (a,b),row=1', ['two']],
    ])('selects by label: %s', async (selector, want) => {
      await make('one', { rack: 'a' });
      await make('two', { rack: 'b', row: '1' });
      await make('three');
      const { body } = await client.get(`${widgets}?labelSelector=${encodeURIComponent(selector)}`);
      expect(names(body)).toEqual(want);
    });

    it('selects by field, and refuses fields that cannot be selected by', async () => {
      await make('one');
      await make('two');
      expect(names((await client.get(`${widgets}?fieldSelector=metadata.name=two`)).body)).toEqual(['two']);
      expect(names((await client.get(`${widgets}?fieldSelector=metadata.name!=two`)).body)).toEqual(['one']);
      expect((await client.get(`${widgets}?fieldSelector=spec.size=1`)).status).toBe(400);
      expect((await client.get(`${widgets}?labelSelector=a%20b`)).status).toBe(400);
    });

    it('selects events by what they are about', async () => {
      const events = `/api/v1/namespaces/${namespace}/events`;
      for (const [name, reason] of [
        ['x', 'Up'],
        ['y', 'Down'],
      ] as const) {
        const involvedObject = { kind: 'Widget', name, namespace, uid: `uid-${name}` };
        const made = await client.post(events, {
          metadata: { name: `${name}.1` },
          involvedObject,
          reason,
          type: 'Normal',
        });
        expect(made.status).toBe(201);
      }
      const of = async (selector: string) => names((await client.get(`${events}?fieldSelector=${selector}`)).body);
      expect(await of('involvedObject.name=x,involvedObject.kind=Widget')).toEqual(['x.1']);
      expect(await of('involvedObject.uid=uid-y')).toEqual(['y.1']);
      expect(await of('reason=Down,type=Normal')).toEqual(['y.1']);
    });

    it('pages consistently, whatever happens in between', async () => {
      for (const name of ['a', 'b', 'c', 'd', 'e']) await make(name);
      const first = await client.get(`${widgets}?limit=2`);
      expect(names(first.body)).toEqual(['a', 'b']);
      expect(first.body.metadata.remainingItemCount).toBe(3);
      await client.delete(`${widgets}/c`);
      await make('c2');
      const { continue: token } = first.body.metadata;
      const second = await client.get(`${widgets}?limit=2&continue=${token}`);
      expect(names(second.body)).toEqual(['c', 'd']);
      expect(second.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
      const third = await client.get(`${widgets}?limit=2&continue=${second.body.metadata.continue}`);
      expect(names(third.body)).toEqual(['e']);
      expect(third.body.metadata.continue ?? '').toBe('');
      expect((await client.get(`${widgets}?continue=junk`)).status).toBe(400);
    });

    it('lists the state of a resourceVersion exactly', async () => {
      const made = await make('a');
      await make('b');
      const { resourceVersion } = made.metadata;
      const exact = await client.get(`${widgets}?resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
      expect(names(exact.body)).toEqual(['a']);
      expect(exact.body.metadata.resourceVersion).toBe(resourceVersion);
      const newer = await client.get(`${widgets}?resourceVersion=${resourceVersion}&resourceVersionMatch=NotOlderThan`);
      expect(names(newer.body)).toEqual(['a', 'b']);
      expect((await client.get(`${widgets}?resourceVersionMatch=Exact`)).status).toBe(422);
      expect((await client.get(`${widgets}?resourceVersion=0&resourceVersionMatch=Exact`)).status).toBe(422);
    });

    it('shows tables with printer columns', async () => {
      await client.post(widgets, widget('a', { size: 3, online: true }));
      await client.patch(`${widgets}/a/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
      await make('b');
      const { body } = await client.get(widgets, { accept: TABLE });
      expect(body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
      expect(body.columnDefinitions.map((one: Json) => [one.name, one.priority])).toEqual([
        ['Name', 0],
        ['Size', 0],
        ['Ready', 0],
        ['Online', 0],
        ['Mode', 1],
        ['Age', 0],
      ]);
      expect(body.rows.map((row: Json) => row.cells.slice(0, 5))).toEqual([
        ['a', 3, 'True', 'true', 'slow'],
        ['b', 1, null, null, 'slow'],
      ]);
      expect(body.rows[0].cells[5]).toMatch(/^\d+s$/);
      expect(body.rows[0].object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'a' } });
      const whole = await client.get(`${widgets}/a?includeObject=Object`, { accept: TABLE });
      expect(whole.body.rows[0].object.spec.size).toBe(3);
    });

    it('shows metadata alone', async () => {
      await make('a', { x: 'y' });
      const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
      const { body } = await client.get(widgets, { accept });
      expect(body.kind).toBe('PartialObjectMetadataList');
      expect(body.items[0]).toMatchObject({
        kind: 'PartialObjectMetadata',
        metadata: { name: 'a', labels: { x: 'y' } },
      });
      expect(body.items[0].spec).toBeUndefined();
    });

    it('answers JSON to who would rather have protobuf', async () => {
      const accept = 'application/vnd.kubernetes.protobuf;q=0.9, application/json';
      expect((await client.get(widgets, { accept })).body.kind).toBe('WidgetList');
    });

    describe('by watch', () => {
      it('starts with what is there, then tells what happens', async () => {
        await make('a');
        const stream = await client.watch(widgets);
        expect(await stream.take(1)).toEqual(['ADDED a']);
        await make('b');
        await client.patch(`${widgets}/b`, { spec: { size: 2 } });
        await client.delete(`${widgets}/a`);
        expect(await stream.take(3)).toEqual(['ADDED b', 'MODIFIED b', 'DELETED a']);
        stream.close();
      });

      it('resumes after a resourceVersion without a gap', async () => {
        const made = await make('a');
        await make('b');
        await client.delete(`${widgets}/a`);
        const stream = await client.watch(`${widgets}?resourceVersion=${made.metadata.resourceVersion}`);
        const [added, deleted] = [await stream.next(), await stream.next()];
        expect([added.type, deleted.type]).toEqual(['ADDED', 'DELETED']);
        expect(Number(deleted.object.metadata.resourceVersion)).toBeGreaterThan(
          Number(added.object.metadata.resourceVersion),
        );
        stream.close();
      });

      it('tells when an object enters or leaves a selection', async () => {
        const made = await make('a');
        const stream = await client.watch(
          `${widgets}?labelSelector=on&resourceVersion=${made.metadata.resourceVersion}`,
        );
        await client.patch(`${widgets}/a`, { metadata: { labels: { on: 'yes' } } });
        await client.patch(`${widgets}/a`, { metadata: { labels: { on: 'very' } } });
        const last = await client.patch(`${widgets}/a`, { metadata: { labels: null } });
        expect(await stream.take(2)).toEqual(['ADDED a', 'MODIFIED a']);
        const left = await stream.next();
        expect(left).toMatchObject({ type: 'DELETED', object: { metadata: { labels: { on: 'very' } } } });
        expect(left.object.metadata.resourceVersion).toBe(last.body.metadata.resourceVersion);
        stream.close();
      });

      it('follows one object by name', async () => {
        await make('a');
        await make('b');
        const stream = await client.watch(`${widgets}?fieldSelector=metadata.name=b`);
        expect(await stream.take(1)).toEqual(['ADDED b']);
        await client.delete(`${widgets}/a`);
        await client.delete(`${widgets}/b`);
        expect(await stream.take(1)).toEqual(['DELETED b']);
        stream.close();
      });

      it('marks the end of the initial events when asked to', async () => {
        await make('a');
        const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
        const stream = await client.watch(`${widgets}?${query}`);
        expect((await stream.next()).type).toBe('ADDED');
        const bookmark = await stream.next();
        expect(bookmark.type).toBe('BOOKMARK');
        expect(bookmark.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' });
        stream.close();
        expect((await client.watch(`${widgets}?sendInitialEvents=true`)).status).toBe(422);
      });

      it('speaks in tables when asked to', async () => {
        await make('a');
        const stream = await client.watch(widgets, { accept: TABLE });
        const event = await stream.next();
        expect(event).toMatchObject({ type: 'ADDED', object: { kind: 'Table' } });
        expect(event.object.rows[0].cells[0]).toBe('a');
        stream.close();
      });
    });
  });
}
