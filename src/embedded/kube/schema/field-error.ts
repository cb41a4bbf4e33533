import { StatusError, type StatusCause } from '../wire/status-error.js';

/** One thing wrong with one field; `field` is a path such as `spec.raid.softwareRAIDVolumes[0].level`. */
export interface FieldError {
  field: string;
  reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueTypeInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany';
  /** The text after the path, as the API server words it. */
  message: string;
}

/** A value as the API server shows it in a message. */
export function shown(value: unknown): string {
  return value === undefined ? 'null' : JSON.stringify(value);
}

export function required(field: string, detail = ''): FieldError {
  return { field, reason: 'FieldValueRequired', message: detail ? `Required value: ${detail}` : 'Required value' };
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { field, reason: 'FieldValueInvalid', message: `Invalid value: ${shown(value)}: ${detail}` };
}

export function wrongType(field: string, value: unknown, detail: string): FieldError {
  return { field, reason: 'FieldValueTypeInvalid', message: `Invalid value: ${shown(value)}: ${detail}` };
}

export function notSupported(field: string, value: unknown, supported: unknown[]): FieldError {
  const list = supported.map((one) => shown(one)).join(', ');
  const message = `Unsupported value: ${shown(value)}: supported values: ${list}`;
  return { field, reason: 'FieldValueNotSupported', message };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { field, reason: 'FieldValueDuplicate', message: `Duplicate value: ${shown(value)}` };
}

export function forbiddenField(field: string, detail: string): FieldError {
  return { field, reason: 'FieldValueForbidden', message: `Forbidden: ${detail}` };
}

export function tooLong(field: string, max: number): FieldError {
  return { field, reason: 'FieldValueTooLong', message: `Too long: may not be more than ${max} bytes` };
}

export function tooMany(field: string, actual: number, max: number): FieldError {
  return { field, reason: 'FieldValueTooMany', message: `Too many: ${actual}: must have at most ${max} items` };
}

/** The 422 that carries all the errors of one object as causes. A kind or name that is empty is not told. */
export function invalidObject(kind: { group: string; kind: string }, name: string, errors: FieldError[]): StatusError {
  const subject = kind.group ? `${kind.kind}.${kind.group}` : kind.kind;
  const texts = [...new Set(errors.map((error) => `${error.field}: ${error.message}`))];
  const text = texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
  const causes: StatusCause[] = errors.map(({ reason, message, field }) => ({ reason, message, field }));
  const details = {
    ...(name ? { name } : {}),
    ...(kind.group ? { group: kind.group } : {}),
    ...(kind.kind ? { kind: kind.kind } : {}),
    causes,
  };
  return new StatusError(422, 'Invalid', `${subject} "${name}" is invalid: ${text}`, details);
}
