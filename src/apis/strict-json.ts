/**
 * JSON in an annotation, held to a kind more strictly than an object is that comes over the wire: fields that the kind does not
 * have are refused, since the annotation is dropped once it has been taken. Names of fields may be in any case, null fits
 * everywhere, and bounds and enumerations are not looked at: that is what clients were used to.
 */
import type { z } from 'zod';
import { toStructuralSchema, type StructuralSchema } from './structural-schema.js';

/** The value, as `asDeclared`, or what is wrong with the text. */
export type StrictJSON = { readonly value: unknown } | { readonly problem: string };

export function readStrictJSON(text: string, schema: z.ZodType): StrictJSON {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'is no JSON' };
  }
  const shape = toStructuralSchema(schema);
  const problem = mismatch(value, shape, '');
  return problem === undefined ? { value: asDeclared(value, shape) } : { problem };
}

/** The value with its fields under the names that the kind gives them, and without a null where that says nothing. */
export function asDeclared(value: unknown, schema: StructuralSchema): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => asDeclared(item, schema.items ?? {}));
  if (typeof value !== 'object' || value === null || schema['x-kubernetes-preserve-unknown-fields']) return value;
  const declared = declarations(schema);
  const entries = Object.entries(value).flatMap(([given, item]: [string, unknown]) => {
    const { name, field } = declared(given);
    return item === null && field?.nullable !== true ? [] : [[name, asDeclared(item, field ?? {})] as const];
  });
  return Object.fromEntries(entries);
}

/** What a field of this name, in any case, is to the kind; `field` undefined: it has none such. */
function declarations({ properties = {}, additionalProperties }: StructuralSchema) {
  const names = new Map(Object.keys(properties).map((name) => [name.toLowerCase(), name]));
  return (given: string): { readonly name: string; readonly field: StructuralSchema | undefined } => {
    const name = names.get(given.toLowerCase()) ?? given;
    return { name, field: properties[name] ?? additionalProperties };
  };
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
  const declared = declarations(schema);
  return first(
    Object.entries(value as object).map(([name, item]) => () => {
      const { field } = declared(name);
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
