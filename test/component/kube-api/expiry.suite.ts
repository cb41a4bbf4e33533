import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KubeClient, Json } from '../../support/kube-api/client.js';
import { freshNamespace, type KubeTarget, type StartTarget } from '../../support/kube-api/target.js';
import { widget } from '../../support/kube-api/widget-crd.js';

export function expirySuite(start: StartTarget): void {
  describe('a history that is forgotten', () => {
    let target: KubeTarget;
    let client: KubeClient;
    let widgets: string;
    let first: Json;
    let token: string;
    let compacted: string;
    beforeAll(async () => {
      target = await start();
      ({ client } = target);
      ({ widgets } = await freshNamespace(client));
      first = (await client.post(widgets, widget('a'))).body;
      for (const name of ['b', 'c']) await client.post(widgets, widget(name));
      token = (await client.get(`${widgets}?limit=1`)).body.metadata.continue;
      await client.patch(`${widgets}/a`, { spec: { size: 2 } });
      compacted = (await client.patch(`${widgets}/a`, { spec: { size: 3 } })).body.metadata.resourceVersion;
      await client.post(widgets, widget('d'));
      await target.forget();
    });
    afterAll(() => target.stop());
    const version = () => first.metadata.resourceVersion as string;

    it('ends a watch from before with a 410', async () => {
      const stream = await client.watch(`${widgets}?resourceVersion=${version()}`);
      expect(stream.status).toBe(200);
      const event = await stream.next();
      expect(event).toMatchObject({
        type: 'ERROR',
        object: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 },
      });
      expect(event.object.message).toMatch(/^too old resource version: \d+ \(\d+\)$/);
      expect(await stream.next()).toBeUndefined();
    });

    it('has no exact list from before', async () => {
      const { status, body } = await client.get(`${widgets}?resourceVersion=${version()}&resourceVersionMatch=Exact`);
      expect(status).toBe(410);
      expect(body).toMatchObject({ kind: 'Status', reason: 'Expired' });
      expect(body.message).toMatch(/^The resourceVersion for the provided list is too old\.$/);
    });

    it('has no next page from before, and gives a token to go on with what is there now', async () => {
      const { status, body } = await client.get(`${widgets}?limit=1&continue=${token}`);
      expect(status).toBe(410);
      expect(body.reason).toBe('Expired');
      expect(body.message).toContain('The provided continue parameter is too old');
      const next = await client.get(`${widgets}?limit=1&continue=${body.metadata.continue}`);
      expect(next.status).toBe(200);
      expect(next.body.items.map((item: Json) => item.metadata.name)).toEqual(['b']);
    });

    it('still lists what is not older than that', async () => {
      const { body } = await client.get(`${widgets}?resourceVersion=${version()}&resourceVersionMatch=NotOlderThan`);
      expect(body.items.map((item: Json) => item.metadata.name)).toEqual(['a', 'b', 'c', 'd']);
      const { resourceVersion } = body.metadata;
      expect(Number(resourceVersion)).toBeGreaterThan(Number(compacted));
      const stream = await client.watch(`${widgets}?resourceVersion=${resourceVersion}`);
      await client.delete(`${widgets}/d`);
      expect(await stream.take(1)).toEqual(['DELETED d']);
      stream.close();
    });

    it('has no future: a version that is not there yet is waited for, and refused', async () => {
      const { body } = await client.get(widgets);
      const future = Number(body.metadata.resourceVersion) + 1_000_000;
      const answer = await client.get(`${widgets}?resourceVersion=${future}&resourceVersionMatch=NotOlderThan`);
      expect(answer.status).toBe(504);
      expect(answer.body).toMatchObject({
        reason: 'Timeout',
        details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
      });
      expect(answer.body.message).toContain('Too large resource version: ');
    }, 30_000);
  });
}
