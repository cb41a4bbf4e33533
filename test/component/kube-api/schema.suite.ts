import { describe, expect, it } from '@jest/globals';
import type { KubeClient } from '../../support/kube-api/client.js';
import { onFreshGround, type StartTarget } from '../../support/kube-api/target.js';
import { widget } from '../../support/kube-api/widget-crd.js';

const REFUSALS: [string, Record<string, unknown>, string, string, string][] = [
  ['a missing required field', {}, 'spec.size', 'FieldValueRequired', 'Required value'],
  ['a required field that is null', { size: null }, 'spec.size', 'FieldValueRequired', 'Required value'],
  ['another type', { size: 'x' }, 'spec.size', 'FieldValueTypeInvalid', 'must be of type integer: "string"'],
  ['too small a number', { size: 0 }, 'spec.size', 'FieldValueInvalid', 'should be greater than or equal to 1'],
  ['too big a number', { size: 11 }, 'spec.size', 'FieldValueInvalid', 'should be less than or equal to 10'],
  [
    'a value outside an enum',
    { size: 1, mode: 'odd' },
    'spec.mode',
    'FieldValueNotSupported',
    'Unsupported value: "odd": supported values: "fast", "slow"',
  ],
  ['a text that does not match', { size: 1, code: 'AB' }, 'spec.code', 'FieldValueInvalid', "should match '^[a-z]+$'"],
  ['too short a text', { size: 1, code: 'a' }, 'spec.code', 'FieldValueInvalid', 'should be at least 2 chars long'],
  ['too long a text', { size: 1, code: 'abcdef' }, 'spec.code', 'FieldValueTooLong', 'may not be more than 5 bytes'],
  ['no time', { size: 1, since: 'today' }, 'spec.since', 'FieldValueTypeInvalid', 'must be of type date-time: "today"'],
  [
    'a boolean as int-or-string',
    { size: 1, settings: { a: true } },
    'spec.settings.a',
    'FieldValueTypeInvalid',
    'must be of type integer: "boolean"',
  ],
  [
    'too many items',
    { size: 1, parts: ['a', 'b', 'c', 'd'].map((name) => ({ name })) },
    'spec.parts',
    'FieldValueTooMany',
    'must have at most 3 items',
  ],
  [
    'an item without its key',
    { size: 1, parts: [{ name: 'a' }, {}] },
    'spec.parts[1].name',
    'FieldValueRequired',
    'Required value',
  ],
  [
    'a key twice',
    { size: 1, parts: [{ name: 'a' }, { name: 'a' }] },
    'spec.parts[1]',
    'FieldValueDuplicate',
    'Duplicate value',
  ],
  [
    'an item of a set twice',
    { size: 1, tags: ['a', 'a'] },
    'spec.tags[1]',
    'FieldValueDuplicate',
    'Duplicate value: "a"',
  ],
];

export function schemaSuite(start: StartTarget): void {
  describe('schemas', () => {
    let client: KubeClient;
    let widgets: string;
    onFreshGround(start, (ground) => ({ client, widgets } = ground));

    it.each(REFUSALS)('refuse %s', async (_, spec, field, reason, message) => {
      const { status, body } = await client.post(widgets, widget('a', spec));
      expect(status).toBe(422);
      expect(body).toMatchObject({ reason: 'Invalid', details: { kind: 'Widget', group: 'suite.example.com' } });
      expect(body.message.startsWith('Widget.suite.example.com "a" is invalid: ')).toBe(true);
      const causes: { field: string; reason: string; message: string }[] = body.details.causes;
      expect(causes.map((cause) => cause.field)).toContain(field);
      const cause = causes.find((one) => one.field === field && one.message.includes(message));
      expect(cause?.reason).toBe(reason);
    });

    it('report every error at once', async () => {
      const { body } = await client.post(widgets, widget('a', { mode: 'odd', size: 99 }));
      expect(body.message).toMatch(/^Widget\.suite\.example\.com "a" is invalid: \[spec\..*, spec\..*\]$/);
      expect(body.details.causes).toHaveLength(2);
    });

    it('fill in defaults, in lists too, but not without their parent', async () => {
      const { body } = await client.post(
        widgets,
        widget('a', { size: 1, parts: [{ name: 'x' }, { name: 'y', weight: 5 }] }),
      );
      expect(body.spec).toEqual({
        size: 1,
        mode: 'slow',
        parts: [
          { name: 'x', weight: 1 },
          { name: 'y', weight: 5 },
        ],
      });
      const { spec: _, ...bare } = widget('b');
      const made = await client.post(widgets, bare);
      expect(made.status).toBe(201);
      expect(made.body.spec).toBeUndefined();
    });

    it('drop a null that is not nullable, and keep one that is', async () => {
      const { body } = await client.post(widgets, widget('a', { size: 1, online: null, mode: null, since: null }));
      expect(body.spec).toEqual({ size: 1, mode: 'slow', since: null });
    });

    it('prune what they do not know, except where unknown fields are preserved', async () => {
      const spec = { size: 1, odd: 1, open: { any: { thing: [1] } }, parts: [{ name: 'a', odd: 1 }] };
      const { body } = await client.post(`${widgets}?fieldValidation=Ignore`, widget('a', spec));
      expect(body.spec).toMatchObject({ size: 1, open: { any: { thing: [1] } }, parts: [{ name: 'a', weight: 1 }] });
      expect(JSON.stringify(body.spec)).not.toContain('odd');
    });

    it('refuse unknown fields when asked to be strict', async () => {
      const body = widget('a', { size: 1, odd: 1, parts: [{ name: 'a', strange: 1 }] });
      const created = await client.post(`${widgets}?fieldValidation=Strict`, body);
      expect(created.status).toBe(400);
      expect(created.body.reason).toBe('BadRequest');
      expect(created.body.message).toContain(
        'strict decoding error: unknown field "spec.odd", unknown field "spec.parts[0].strange"',
      );
      await client.post(widgets, widget('b'));
      const patched = await client.patch(`${widgets}/b?fieldValidation=Strict`, { spec: { odd: 1 } });
      expect(patched.status).toBe(422);
      expect(patched.body.message).toContain('strict decoding error: unknown field "spec.odd"');
    });

    it('tell of a field that is given twice, and refuse it when asked to be strict', async () => {
      const twice = (name: string) =>
        JSON.stringify(widget(name, { size: 1, mode: 'x' })).replace('"mode":"x"', '"size":2,"size":3');
      const { status, headers, body } = await client.post(widgets, twice('a'));
      expect([status, body.spec.size]).toEqual([201, 3]);
      expect(headers.get('warning')).toContain('duplicate field \\"spec.size\\"');
      const strict = await client.post(`${widgets}?fieldValidation=Strict`, twice('b'));
      expect(strict.status).toBe(400);
      expect(strict.body.message).toContain('strict decoding error: duplicate field "spec.size"');
      const silent = await client.post(`${widgets}?fieldValidation=Ignore`, twice('c'));
      expect(silent.headers.get('warning')).toBeNull();
    });

    it('warn of unknown fields by default', async () => {
      const { status, headers } = await client.post(widgets, widget('a', { size: 1, odd: 1 }));
      expect(status).toBe(201);
      expect(headers.get('warning')).toBe('299 - "unknown field \\"spec.odd\\""');
      const silent = await client.post(`${widgets}?fieldValidation=Ignore`, widget('b', { size: 1, odd: 1 }));
      expect(silent.headers.get('warning')).toBeNull();
      expect((await client.post(`${widgets}?fieldValidation=Maybe`, widget('c'))).status).toBe(422);
    });

    it('take an integer or a text where either is meant', async () => {
      const { body } = await client.post(widgets, widget('a', { size: 1, port: 80, settings: { a: 1, b: 'x' } }));
      expect(body.spec).toMatchObject({ port: 80, settings: { a: 1, b: 'x' } });
      expect((await client.patch(`${widgets}/a`, { spec: { port: 'http' } })).body.spec.port).toBe('http');
    });

    it('hold for writes of the status too', async () => {
      await client.post(widgets, widget('a'));
      const bad = await client.patch(`${widgets}/a/status`, { status: { conditions: [{ type: 'Ready' }] } });
      expect(bad.status).toBe(422);
      expect(bad.body.details.causes[0].field).toBe('status.conditions[0].status');
    });

    it('check labels, annotations and finalizers', async () => {
      const labels = await client.post(widgets, widget('a', { size: 1 }, { labels: { ok: 'not ok!' } }));
      expect(labels.status).toBe(422);
      expect(labels.body.details.causes[0].field).toBe('metadata.labels');
      expect((await client.post(widgets, widget('a', { size: 1 }, { annotations: { 'a b': 'x' } }))).status).toBe(422);
      expect((await client.post(widgets, widget('a', { size: 1 }, { labels: { n: 5 } }))).status).toBe(400);
    });
  });
}
