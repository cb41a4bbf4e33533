/**
 * JSON in an annotation, held to a kind more strictly than an object is that comes over the wire: fields that the kind does not
 * have are refused, since the annotation is dropped once it has been taken. Names of fields may be in any case, null fits
 * everywhere, and bounds and enumerations are not looked at: that is what clients were used to.
 */
import type { z } from 'zod';
import { toStructuralSchema, type StructuralSchema } from './structural-schema.js';

/** The value, or what is wrong with the text. */
export type StrictJSON = { readonly value: unknown } | { readonly problem: string };

export function readStrictJSON(text: string, schema: z.ZodType): StrictJSON {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'is no JSON' };
  }
  const problem = mismatch(value, toStructuralSchema(schema), '');
  return problem === undefined ? { value } : { problem };
}

function mismatch(value: unknown, schema: StructuralSchema, path: string): string | undefined {
  if (value === null) return undefined;
  if (schema.type === 'array') return arrayMismatch(value, schema, path);
  if (schema.type === 'object') return objectMismatch(value, schema, path);
  if (fits(value, schema)) return undefined;
  const wanted = schema.format === 'date-time' ? 'a time, such as 2026-01-31T12:00:00Z' : `of type ${schema.type}`;
  return `${where(path)} is not ${wanted}`;
}

function arrayMismatch(value: unknown, { items = {} }: StructuralSchema, path: string): string | undefined {
  if (!Array.isArray(value)) return `${where(path)} is no list`;
  return first(value.map((item: unknown, index) => () => mismatch(item, items, `${path}[${index}]`)));
}

function objectMismatch(value: unknown, schema: StructuralSchema, path: string): string | undefined {
  if (typeof value !== 'object' || Array.isArray(value)) return `${where(path)} is no object`;
  if (schema['x-kubernetes-preserve-unknown-fields']) return undefined;
  const fields = new Map(Object.entries(schema.properties ?? {}).map(([name, field]) => [name.toLowerCase(), field]));
  return first(
    Object.entries(value as object).map(([name, item]) => () => {
      const field = fields.get(name.toLowerCase()) ?? schema.additionalProperties;
      const place = path === '' ? name : `${path}.${name}`;
      return field === undefined ? `has a field that is not known, ${place}` : mismatch(item, field, place);
    }),
  );
}

function fits(value: unknown, { type, format }: StructuralSchema): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string' && (format !== 'date-time' || isTime(value));
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
}

function first(checks: (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const where = (path: string) => (path === '' ? 'it' : path);
