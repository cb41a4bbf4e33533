/**
 * How a kind is written down. A field is a zod schema for reading plus wire facts for the CRD manifest. Reading is lenient:
 * only JSON types are checked, unknown keys are kept, unknown values of an enumeration are passed through. Bounds, patterns
 * and enumerations live in the facts alone; the API server enforces them on write.
 */
import { z } from 'zod';

/** What a manifest says of a field beyond its JSON type. Keys are those of a structural OpenAPI v3 schema. */
export interface WireFacts {
  description?: string;
  /** Overrides the type that follows from the zod schema. */
  type?: 'integer' | 'number' | 'string' | 'boolean' | 'object' | 'array';
  format?: 'date-time' | 'int32' | 'int64' | 'double';
  pattern?: string;
  enum?: readonly (string | boolean)[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  nullable?: true;
  /** Filled in by the API server. */
  default?: string | number | boolean;
  'x-kubernetes-map-type'?: 'atomic';
  'x-kubernetes-list-type'?: 'map';
  'x-kubernetes-list-map-keys'?: readonly string[];
  'x-kubernetes-preserve-unknown-fields'?: true;
  /** An integer or a text. */
  'x-kubernetes-int-or-string'?: true;
  /** The manifest names the object and nothing in it: the API server owns its schema. */
  opaque?: true;
}

export const wireFacts = z.registry<WireFacts>();

/** Attaches facts to a schema; facts of a wrapper (`optional`) come on top of those of what it wraps. */
export function fact<S extends z.ZodType>(schema: S, facts: WireFacts): S {
  wireFacts.add(schema, facts);
  return schema;
}

/** One of the known values, or another one that some other version wrote. */
export type Open<T extends string> = T | (string & Record<never, never>);

/** The declared fields of a loose object, all the way down: a typing slip in a field name does not compile. */
export type Known<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? Known<Item>[]
    : IsMap<T> extends true
      ? T
      : { [K in keyof T as string extends K ? never : K]: Known<T[K]> };

/** A map has an index signature of a known type; that of a loose object is `unknown`. */
type IsMap<T> = string extends keyof T ? (unknown extends T[keyof T & string] ? false : true) : false;

export type JSONValue = string | number | boolean | null | readonly JSONValue[] | JSONObject;
export interface JSONObject {
  readonly [key: string]: JSONValue;
}

export const text = (description: string, facts: WireFacts = {}) => fact(z.string(), { description, ...facts });
export const flag = (description: string, facts: WireFacts = {}) => fact(z.boolean(), { description, ...facts });
export const integer = (description: string, facts: WireFacts = {}) =>
  fact(z.number(), { description, type: 'integer', ...facts });
export const decimal = (description: string) => fact(z.number(), { description, format: 'double' });
/** RFC 3339, kept as the text it is on the wire. */
export const time = (description: string) => text(description, { format: 'date-time' });

export function choice<const T extends string>(
  values: readonly T[],
  description: string,
  facts: WireFacts = {},
): z.ZodType<Open<T>, Open<T>> {
  return text(description, { enum: values, ...facts });
}

export const list = <S extends z.ZodType>(item: S, description: string, facts: WireFacts = {}) =>
  fact(z.array(item), { description, ...facts });

export const object = <S extends z.ZodRawShape>(shape: S, description: string, facts: WireFacts = {}) =>
  fact(z.looseObject(shape), { description, ...facts });

/** Any names, each with a value of the same kind. */
export const map = <S extends z.ZodType>(value: S, description: string) =>
  fact(z.record(z.string(), value), { description });

/** A value that people write as a number or as a text; nothing else is taken. */
export const intOrString = (description: string) =>
  fact(z.union([z.number(), z.string()]), { description, 'x-kubernetes-int-or-string': true });

/** The field may be left out; the description, when given, replaces that of the type. */
export function optional<S extends z.ZodType>(schema: S, description?: string): z.ZodOptional<S> {
  return description === undefined ? schema.optional() : fact(schema.optional(), { description });
}

/** Required on the wire, yet an object of another version that lacks it reads as if it held `value`. */
export function required<S extends z.ZodType>(schema: S, value: z.output<S> & z.core.util.NoUndefined<z.output<S>>) {
  return schema.default(value);
}

/** An object of any content, which the API server keeps as it is. */
export function anyObject(description: string): z.ZodType<JSONObject, JSONObject> {
  return object({}, description, { 'x-kubernetes-preserve-unknown-fields': true }) as unknown as z.ZodType<
    JSONObject,
    JSONObject
  >;
}

/** Unanchored, as clients know it of some fields. */
export const macPattern = '[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}';
export const wholeMACPattern = `^${macPattern}$`;
