/** Objects of every kind with rules, made at random out of what is good, nearly good, and hostile. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { customResourceDefinitions, type StructuralSchema } from '../../../src/apis/index.js';
import { guarded, judge, type Neighbours } from '../../../src/webhooks/rules/index.js';
import { objectOf } from '../../support/admission.js';
import { replay } from '../../support/seed.js';

/** Objects of all kinds together; RULES_OBJECTS=100000 for a long run. */
const numRuns = Math.ceil(Number(process.env.RULES_OBJECTS ?? '2000') / guarded.length);

const words = [
  '', 'a', 'disabled', 'fast', '1', '1-2', '4095', '-x-', 'ipmi://10.0.0.1', 'redfish://[::1]:8000/redfish/v1/Systems/1',
  'http://a/b', 'file:///etc/passwd', 'http://%', '__proto__', 'constructor', '/dev/sda', 'aa:bb:cc:dd:ee:ff', 'oci://a',
  '{"mode":"hard"}', '{"operationalStatus":"OK","__proto__":1}', '[', 'null', '\u0000', '\ud800', 'x'.repeat(300), 'exists', '=',
]; // prettier-ignore

const text = fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 12 }), fc.webUrl());

function valueOf(schema: StructuralSchema, depth: number): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(text, fc.integer());
  if (schema.enum) return fc.oneof(fc.constantFrom(...schema.enum), schema.type === 'string' ? text : fc.boolean());
  switch (schema.type) {
    case 'object':
      return objectFor(schema, depth);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, depth + 1), { maxLength: 3 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), fc.constantFrom(0, -1, 4095));
    default:
      return text;
  }
}

function objectFor(
  { properties, additionalProperties, required = [] }: StructuralSchema,
  depth: number,
): fc.Arbitrary<unknown> {
  if (additionalProperties) return fc.dictionary(text, valueOf(additionalProperties, depth + 1), { maxKeys: 3 });
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, valueOf(field, depth + 1)] as const);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required });
}

const annotations = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      'baremetalhost.metal3.io/status',
      'inspect.metal3.io',
      'inspect.metal3.io/hardwaredetails',
      'reboot.metal3.io',
      'reboot.metal3.io/x',
    ),
    text,
  ),
  fc.oneof(text, fc.json()),
  { maxKeys: 4 },
);

function objects(kind: string): fc.Arbitrary<{ kind: string }> {
  const crd = customResourceDefinitions().find(({ spec }) => spec.names.kind === kind)!;
  const { properties = {} } = crd.spec.versions[0]!.schema.openAPIV3Schema;
  const part = (name: string) =>
    fc.option(valueOf(properties[name] ?? {}, 0) as fc.Arbitrary<object>, { nil: undefined });
  const status = properties.status ? part('status') : fc.constant(undefined);
  return fc
    .record({ name: text, namespace: text, annotations, spec: part('spec'), status })
    .map((wish) => objectOf(kind, wish as never));
}

const bare = fc.constantFrom('CREATE' as const, 'UPDATE' as const, 'DELETE' as const);

describe.each(guarded.map(({ kind: { kind } }) => kind))('a generated %s', (kind) => {
  const neighbours = fc.option(fc.array(objects('BareMetalHost'), { maxLength: 2 }), { nil: undefined });

  it('is never thrown at, and a refusal is explained by the path of a field', () => {
    fc.assert(
      fc.property(bare, objects(kind), objects(kind), neighbours, (operation, object, oldObject, hosts) => {
        const known = { hosts } as unknown as Neighbours;
        const verdict = judge({ kind, operation, object, oldObject }, known);
        for (const { field, message } of [...verdict.refusals, ...verdict.warnings]) {
          expect(field).toMatch(/^(spec|metadata)($|[.[])/);
          expect(message).not.toBe('');
          // Cut where somebody's text is too long to be read.
          expect(message.length).toBeLessThan(1_500);
        }
        expect(judge({ kind, operation, object, oldObject }, known)).toEqual(verdict);
      }),
      { ...replay(kind), numRuns },
    );
  });

  it('that was stored once can have its metadata changed', () => {
    fc.assert(
      fc.property(objects(kind), (stored) => {
        const { metadata } = stored as unknown as { metadata: object };
        const object = { ...stored, metadata: { ...metadata, labels: { a: 'b' }, finalizers: [] } };
        const { refusals } = judge({ kind, operation: 'UPDATE', object, oldObject: stored }, { hosts: undefined });
        expect(refusals).toEqual([]);
      }),
      { ...replay(`${kind}, metadata`), numRuns: Math.ceil(numRuns / 10) },
    );
  });
});
