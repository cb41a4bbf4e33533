import { deepEqual, isDict, type Dict } from '../object.js';
import {
  duplicate,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  wrongType,
  type FieldError,
} from './field-error.js';
import { holdsFormat, inIntegerRange } from './formats.js';
import { childSchema, join, type Schema } from './schema.js';

const compiled = new Map<string, RegExp>();

/** Compiles a pattern of Go's dialect once. Throws SyntaxError when JavaScript has no such pattern. */
export function patternOf(source: string): RegExp {
  let pattern = compiled.get(source);
  if (!pattern) {
    const ignoreCase = source.startsWith('(?i)');
    const body = (ignoreCase ? source.slice(4) : source).replace(/\\z/g, '$').replace(/\\A/g, '^');
    pattern = new RegExp(body, ignoreCase ? 'i' : '');
    compiled.set(source, pattern);
  }
  return pattern;
}

/** The JSON type of a value, in OpenAPI's words; a whole number is an integer. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function holdsType(actual: string, schema: Schema): boolean {
  if (actual === 'null') return schema.nullable === true;
  if (schema['x-kubernetes-int-or-string']) return actual === 'integer' || actual === 'string';
  const wanted = schema.type;
  return wanted === undefined || wanted === actual || (wanted === 'number' && actual === 'integer');
}

/** What the real server says for a field when its validator has lost the path. */
const NOWHERE = '<nil>';

function typeErrors(actual: string, schema: Schema, path: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string']) {
    return [
      wrongType(path, actual, `${path} in body must be of type integer,string: "${actual}"`),
      invalid(NOWHERE, '', `"${path}" must validate at least one schema (anyOf)`),
      wrongType(path, actual, `${path} in body must be of type integer: "${actual}"`),
    ];
  }
  if (schema.type === 'integer' && schema.format && actual === 'number') {
    return [
      invalid(NOWHERE, '', `Checked value must be of type integer with format ${schema.format} in ${path}`),
      wrongType(path, 'float64', `${path} in body must be of type ${schema.format}: "float64"`),
    ];
  }
  return [wrongType(path, actual, `${path} in body must be of type ${schema.type ?? 'any'}: "${actual}"`)];
}

function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function stringErrors(text: string, schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { maxLength, minLength, pattern, format } = schema;
  if (maxLength !== undefined && lengthOf(text) > maxLength) errors.push(tooLong(path, maxLength));
  if (minLength !== undefined && lengthOf(text) < minLength) {
    errors.push(invalid(path, text, `${path} in body should be at least ${minLength} chars long`));
  }
  if (pattern !== undefined && !patternOf(pattern).test(text)) {
    errors.push(invalid(path, text, `${path} in body should match '${pattern}'`));
  }
  if (format !== undefined && !holdsFormat(text, format)) {
    errors.push(wrongType(path, text, `${path} in body must be of type ${format}: "${text}"`));
  }
  return errors;
}

function boundErrors(value: number, schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    const words = exclusiveMaximum ? 'less than' : 'less than or equal to';
    errors.push(invalid(path, value, `${path} in body should be ${words} ${maximum}`));
  }
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    const words = exclusiveMinimum ? 'greater than' : 'greater than or equal to';
    errors.push(invalid(path, value, `${path} in body should be ${words} ${minimum}`));
  }
  return errors;
}

function numberErrors(value: number, schema: Schema, path: string): FieldError[] {
  const errors = boundErrors(value, schema, path);
  if (schema.multipleOf !== undefined && value % schema.multipleOf !== 0) {
    errors.push(invalid(path, value, `${path} in body should be a multiple of ${schema.multipleOf}`));
  }
  if (!inIntegerRange(value, schema.format)) {
    errors.push(invalid(NOWHERE, '', `Checked value must be of type integer with format ${schema.format} in ${path}`));
  }
  return errors;
}

/** What makes an item of a set or map list one and the same as another. */
function identityOf(item: unknown, schema: Schema): unknown {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (!keys || !isDict(item)) return item;
  const identity: Dict = {};
  for (const key of keys) if (item[key] !== undefined) identity[key] = item[key];
  return identity;
}

function duplicates(list: unknown[], schema: Schema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'map' && listType !== 'set' && !schema.uniqueItems) return [];
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [i, item] of list.entries()) {
    if (listType === 'map' && !isDict(item)) {
      errors.push(invalid(`${path}[${i}]`, item, 'must be an object for an array of list-type map'));
      continue;
    }
    const identity = identityOf(item, schema);
    const key = JSON.stringify(identity);
    if (seen.has(key)) errors.push(duplicate(`${path}[${i}]`, identity));
    seen.add(key);
  }
  return errors;
}

function listErrors(list: unknown[], schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { maxItems, minItems, items } = schema;
  if (maxItems !== undefined && list.length > maxItems) errors.push(tooMany(path, list.length, maxItems));
  if (minItems !== undefined && list.length < minItems) {
    errors.push(invalid(path, list.length, `${path} in body should have at least ${minItems} items`));
  }
  if (items) for (const [i, item] of list.entries()) errors.push(...validate(item, items, `${path}[${i}]`));
  errors.push(...duplicates(list, schema, path));
  return errors;
}

function sizeErrors(size: number, schema: Schema, path: string): FieldError[] {
  const { maxProperties, minProperties } = schema;
  if (maxProperties !== undefined && size > maxProperties) return [tooMany(path, size, maxProperties)];
  if (minProperties === undefined || size >= minProperties) return [];
  return [invalid(path, size, `${path} in body should have at least ${minProperties} properties`)];
}

function dictErrors(value: Dict, schema: Schema, path: string): FieldError[] {
  const keys = Object.keys(value);
  const errors = sizeErrors(keys.length, schema, path);
  for (const key of schema.required ?? []) if (value[key] === undefined) errors.push(required(join(path, key)));
  for (const key of keys) {
    const below = childSchema(schema, key);
    if (below && value[key] !== undefined) errors.push(...validate(value[key], below, join(path, key)));
  }
  return errors;
}

function junctorErrors(value: unknown, schema: Schema, path: string): FieldError[] {
  const holds = (one: Schema) => validate(value, one, path).length === 0;
  const errors = (schema.allOf ?? []).flatMap((one) => validate(value, one, path));
  if (schema.anyOf && !schema['x-kubernetes-int-or-string'] && !schema.anyOf.some(holds)) {
    errors.push(invalid(path, '', `"${path}" must validate at least one schema (anyOf)`));
  }
  if (schema.oneOf && schema.oneOf.filter(holds).length !== 1) {
    errors.push(invalid(path, '', `"${path}" must validate one and only one schema (oneOf)`));
  }
  if (schema.not && holds(schema.not)) errors.push(invalid(path, '', `"${path}" must not validate the schema (not)`));
  return errors;
}

function valueErrors(value: unknown, schema: Schema, path: string): FieldError[] {
  if (typeof value === 'string') return stringErrors(value, schema, path);
  if (typeof value === 'number') return numberErrors(value, schema, path);
  if (Array.isArray(value)) return listErrors(value, schema, path);
  return isDict(value) ? dictErrors(value, schema, path) : [];
}

function enumErrors(value: unknown, { enum: allowed }: Schema, path: string): FieldError[] {
  if (value === null || !allowed || allowed.some((one) => deepEqual(one, value))) return [];
  return [notSupported(path, value, allowed)];
}

/** Every way in which `value` breaks `schema`, with the paths and words of a real API server. */
export function validate(value: unknown, schema: Schema, path = ''): FieldError[] {
  const actual = typeOf(value);
  if (!holdsType(actual, schema)) return [...typeErrors(actual, schema, path), ...enumErrors(value, schema, path)];
  if (value === null) return [];
  const errors = [...valueErrors(value, schema, path), ...enumErrors(value, schema, path)];
  if (schema.allOf || schema.anyOf || schema.oneOf || schema.not) errors.push(...junctorErrors(value, schema, path));
  return errors;
}

/** Every pattern of a schema that cannot be compiled, as texts; empty when all is well. */
export function badPatterns(schema: Schema): string[] {
  const below = [
    ...Object.values(schema.properties ?? {}),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ...(schema.items ? [schema.items] : []),
    ...(schema.allOf ?? []),
    ...(schema.anyOf ?? []),
    ...(schema.oneOf ?? []),
  ];
  const bad = below.flatMap(badPatterns);
  try {
    if (schema.pattern !== undefined) patternOf(schema.pattern);
  } catch {
    bad.push(schema.pattern!);
  }
  return bad;
}
