import { describe, expect, it } from '@jest/globals';
import { APPLY, type KubeClient, MERGE } from '../../support/kube-api/client.js';
import { onFreshGround, type StartTarget } from '../../support/kube-api/target.js';
import { widget } from '../../support/kube-api/widget-crd.js';

const mebibyte = 2 ** 20;
const tooLong = 'Too long: may not be more than 1048576 bytes';

export function sizesSuite(start: StartTarget): void {
  describe('sizes', () => {
    let client: KubeClient;
    let secrets: string;
    let configMaps: string;
    let widgets: string;
    onFreshGround(start, (ground) => {
      ({ client, widgets } = ground);
      [secrets, configMaps] = ['secrets', 'configmaps'].map(
        (plural) => `/api/v1/namespaces/${ground.namespace}/${plural}`,
      ) as [string, string];
    });

    const secret = (size: number, name = 'a') => ({ metadata: { name }, stringData: { a: 'x'.repeat(size) } });
    const configMap = (size: number) => ({ metadata: { name: 'a' }, data: { a: 'x'.repeat(size) } });
    const refusal = (kind: string, field: string) => ({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `${kind} "a" is invalid: ${field}: ${tooLong}`,
      reason: 'Invalid',
      details: { name: 'a', kind, causes: [{ reason: 'FieldValueTooLong', message: tooLong, field }] },
      code: 422,
    });

    it('takes a mebibyte of data in a Secret, and not a byte more, however it is written', async () => {
      expect((await client.post(secrets, secret(mebibyte))).status).toBe(201);
      const more = await client.patch(`${secrets}/a`, { stringData: { b: 'x' } }, MERGE);
      expect(more.body).toEqual(refusal('Secret', 'data'));
      expect((await client.put(`${secrets}/a`, secret(mebibyte + 1))).body).toEqual(refusal('Secret', 'data'));
      await client.delete(`${secrets}/a`);
      expect((await client.post(secrets, secret(mebibyte + 1))).body).toEqual(refusal('Secret', 'data'));
      const applied = { apiVersion: 'v1', kind: 'Secret', ...secret(mebibyte + 1) };
      const { body } = await client.patch(`${secrets}/a?fieldManager=suite`, applied, APPLY);
      expect(body).toEqual(refusal('Secret', 'data'));
    });

    it('counts all values of a Secret together', async () => {
      const half = 'x'.repeat(mebibyte / 2);
      const stringData = { a: half, b: half, c: 'x' };
      const { body } = await client.post(secrets, { metadata: { name: 'a' }, stringData });
      expect(body).toEqual(refusal('Secret', 'data'));
    });

    it('takes a mebibyte in a ConfigMap, as bytes, with what is binary in it', async () => {
      expect((await client.post(configMaps, configMap(mebibyte))).status).toBe(201);
      const binary = await client.patch(`${configMaps}/a`, { binaryData: { b: 'eA==' } }, MERGE);
      expect(binary.body).toEqual(refusal('ConfigMap', '[]'));
      const data = { a: 'ä'.repeat(mebibyte / 2), b: 'x' };
      expect((await client.put(`${configMaps}/a`, { metadata: { name: 'a' }, data })).body).toEqual(
        refusal('ConfigMap', '[]'),
      );
    });

    it('tells of bad keys before the size', async () => {
      const stringData = { 'a b': 'x'.repeat(mebibyte + 1) };
      const { body } = await client.post(secrets, { metadata: { name: 'a' }, stringData });
      const causes = (body as { details?: { causes?: { field: string }[] } }).details?.causes ?? [];
      expect(causes.map(({ field }) => field)).toEqual(['data[a b]', 'data']);
    });

    const failure = (message: unknown) => ({ kind: 'Status', status: 'Failure', message, code: 500 });

    it('stores no object of more than a mebibyte and a half', async () => {
      const wide = (size: number) => widget('a', { size: 1, open: { note: 'x'.repeat(size) } });
      expect((await client.post(widgets, wide(1_500_000))).status).toBe(201);
      const { body } = await client.put(`${widgets}/a`, {
        ...wide(1_600_000),
        metadata: (await client.get(`${widgets}/a`)).body.metadata,
      });
      expect(body).toMatchObject(failure('etcdserver: request is too large'));
      expect(body).not.toHaveProperty('reason');
      const larger = await client.post(widgets, { ...wide(2_200_000), metadata: { name: 'b' } });
      expect(larger.body).toMatchObject(
        failure(
          expect.stringMatching(
            /^rpc error: code = ResourceExhausted desc = trying to send message larger than max \(22\d{5} vs\. 2097152\)$/,
          ),
        ),
      );
      expect((await client.get(`${widgets}/b`)).status).toBe(404);
    });

    it('asks nobody to store what is only tried', async () => {
      const wide = widget('a', { size: 1, open: { note: 'x'.repeat(1_600_000) } });
      const { status } = await client.post(`${widgets}?dryRun=All`, wide);
      expect(status).toBe(201);
    });

    it('reads no request of more than three mebibytes', async () => {
      const whole = (extra: number) => {
        const empty = JSON.stringify(configMap(0)).length;
        return configMap(3 * mebibyte - empty + extra);
      };
      expect((await client.post(configMaps, whole(0))).body).toEqual(refusal('ConfigMap', '[]'));
      const { status, body } = await client.post(configMaps, whole(1));
      expect(status).toBe(413);
      expect(body).toEqual({
        ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 413 },
        message: 'Request entity too large: limit is 3145728',
        reason: 'RequestEntityTooLarge',
      });
    });
  });
}
