/** The cases of the project's own definitions, over HTTP: what a server makes of an object, and what it refuses. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, Json } from '../../support/kube-api/client.js';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import { freshNamespace, type KubeTarget, type StartTarget } from '../../support/kube-api/target.js';

interface Case {
  id: string;
  kind: string;
  input: { spec?: unknown; status?: unknown };
  expect: 'accept' | 'reject';
  errorPaths?: string[];
  afterPruneAndDefault?: Record<string, unknown>;
  pruned?: string[];
}

const cases = JSON.parse(readFileSync(new URL('./crd-cases.json', import.meta.url), 'utf8')) as Case[];
const crds = chartCrds();
const PLURALS: Record<string, string> = Object.fromEntries(
  crds.map(({ spec: { names } }: Json) => [names.kind, names.plural]),
);

export function definitionsSuite(start: StartTarget): void {
  describe('the definitions of the chart', () => {
    let target: KubeTarget;
    let namespace: string;
    beforeAll(async () => {
      target = await start();
      await target.define(crds);
      ({ namespace } = await freshNamespace(target.client));
    });
    afterAll(() => target.stop());

    /** The object as stored, or the refusal; the status goes through its own endpoint, as in a cluster. */
    const write = async ({ id, kind, input }: Case): Promise<Answer> => {
      const path = `/apis/metal3.io/v1alpha1/namespaces/${namespace}/${PLURALS[kind]}`;
      const head = { apiVersion: 'metal3.io/v1alpha1', kind, metadata: { name: id.toLowerCase() } };
      const { status, ...main } = input;
      const created = await target.client.post(path, { ...head, ...main });
      if (created.status !== 201 || status === undefined) return created;
      return target.client.put(`${path}/${id.toLowerCase()}/status`, { ...created.body, status });
    };

    it('are all served', () => {
      expect(cases.length).toBeGreaterThan(30);
      for (const kind of new Set(cases.map((one) => one.kind))) expect(PLURALS[kind]).toBeDefined();
    });

    it.each(
      cases.map(
        (one) => [`${one.id}: ${one.expect} ${one.kind} ${JSON.stringify(one.input).slice(0, 90)}`, one] as const,
      ),
    )('%s', async (_, one) => {
      const { status, body, headers } = await write(one);
      if (one.expect === 'reject') {
        expect(status).toBe(422);
        expect(body.reason).toBe('Invalid');
        const fields = body.details.causes.map((cause: { field: string }) => cause.field);
        expect(fields).toEqual(expect.arrayContaining(one.errorPaths!));
        return;
      }
      expect([200, 201]).toContain(status);
      const { apiVersion: _a, kind: _k, metadata: _m, ...rest } = body;
      expect(rest).toEqual(one.afterPruneAndDefault);
      for (const field of one.pruned ?? []) expect(headers.get('warning')).toContain(`unknown field \\"${field}\\"`);
    });
  });
}
