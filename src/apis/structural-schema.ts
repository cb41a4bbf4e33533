/** From a zod schema to the structural OpenAPI v3 schema of a CRD manifest. */
import { z } from 'zod';
import { wireFacts, type WireFacts } from './wire.js';

export interface StructuralSchema extends Omit<WireFacts, 'opaque'> {
  properties?: Record<string, StructuralSchema>;
  required?: string[];
  items?: StructuralSchema;
  additionalProperties?: StructuralSchema;
  anyOf?: StructuralSchema[];
}

/** @throws Error for a zod construct that has no structural form: a mistake in a kind, found by its test. */
export function toStructuralSchema(schema: z.ZodType): StructuralSchema {
  const { inner, facts } = unwrap(schema);
  const { opaque, ...rest } = facts;
  if (facts['x-kubernetes-int-or-string']) return { ...rest, anyOf: [{ type: 'integer' }, { type: 'string' }] };
  return { ...rest, ...(opaque ? { type: 'object' as const } : shapeOf(inner)), ...(rest.type && { type: rest.type }) };
}

type Wrapper = z.ZodOptional | z.ZodDefault | z.ZodPrefault | z.ZodNullable | z.ZodCatch;

function isWrapper(schema: z.ZodType): schema is Wrapper {
  return [z.ZodOptional, z.ZodDefault, z.ZodPrefault, z.ZodNullable, z.ZodCatch].some((kind) => schema instanceof kind);
}

/** Peels wrappers off and gathers their facts; an outer fact wins. */
function unwrap(schema: z.ZodType): { inner: z.ZodType; facts: WireFacts } {
  const own = wireFacts.get(schema) ?? {};
  if (!isWrapper(schema)) return { inner: schema, facts: own };
  const { inner, facts } = unwrap(schema.def.innerType as z.ZodType);
  const nullable = schema instanceof z.ZodNullable ? { nullable: true as const } : {};
  return { inner, facts: { ...facts, ...nullable, ...own } };
}

function shapeOf(schema: z.ZodType): StructuralSchema {
  if (schema instanceof z.ZodString) return { type: 'string' };
  if (schema instanceof z.ZodNumber) return { type: 'number' };
  if (schema instanceof z.ZodBoolean) return { type: 'boolean' };
  if (schema instanceof z.ZodArray) return { type: 'array', items: toStructuralSchema(schema.element as z.ZodType) };
  if (schema instanceof z.ZodRecord) {
    return { type: 'object', additionalProperties: toStructuralSchema(schema.valueType as z.ZodType) };
  }
  if (schema instanceof z.ZodObject) return objectShape(schema);
  throw new Error(`no structural schema for zod type ${schema.def.type}`);
}

function objectShape(schema: z.ZodObject<Record<string, z.ZodType>>): StructuralSchema {
  const fields = Object.entries(schema.shape).sort(([a], [b]) => (a < b ? -1 : 1));
  const required = fields.filter(([, field]) => isRequired(field)).map(([name]) => name);
  return {
    type: 'object',
    ...(fields.length > 0 && { properties: Object.fromEntries(fields.map(([k, v]) => [k, toStructuralSchema(v)])) }),
    ...(required.length > 0 && { required }),
  };
}

/** A read default does not make a field optional on the wire; `optional` and `prefault` do. */
function isRequired(field: z.ZodType): boolean {
  if (field instanceof z.ZodOptional || field instanceof z.ZodPrefault) return false;
  return isWrapper(field) ? isRequired(field.def.innerType as z.ZodType) : true;
}
