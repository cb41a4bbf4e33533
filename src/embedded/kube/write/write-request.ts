import { apiVersionOf, type ResourceKind } from '../kinds/resource-kind.js';
import { dictOf, isDict, type Dict, type KubeObject } from '../object.js';
import { applyDefaults } from '../schema/defaults.js';
import { invalid, invalidObject } from '../schema/field-error.js';
import { prune } from '../schema/prune.js';
import { validate } from '../schema/validate.js';
import { badRequest, StatusError } from '../wire/status-error.js';
import { metadataErrors } from './metadata-rules.js';

/** One write as a client asks for it. */
export interface WriteRequest {
  kind: ResourceKind;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string;
  /** The field manager. */
  manager: string;
  dryRun: boolean;
  fieldValidation: 'Strict' | 'Warn' | 'Ignore';
  /** Apply only: take fields from other managers. */
  force: boolean;
  /** Takes a text for a Warning header. */
  warn(this: void, text: string): void;
}

function refuseUnknown(request: WriteRequest, unknown: string[], object?: Dict): StatusError {
  const list = unknown.map((field) => `unknown field "${field}"`).join(', ');
  const { kind } = request;
  if (!object) return undecodable(kind, `strict decoding error: ${list}`);
  const error = invalid('patch', JSON.stringify(object), `strict decoding error: ${list}`);
  return invalidObject({ group: '', kind: '' }, '', [error]);
}

function undecodable({ kind, version }: ResourceKind, why: string, given = kind): StatusError {
  return badRequest(`${given} in version "${version}" cannot be handled as a ${kind}: ${why}`);
}

/** Fields that a body names twice: refused, told or kept silent, as the client wishes. Throws StatusError 400. */
export function refuseDuplicates(request: WriteRequest, fields: readonly string[]): void {
  const texts = fields.map((field) => `duplicate field "${field}"`);
  if (texts.length === 0 || request.fieldValidation === 'Ignore') return;
  if (request.fieldValidation === 'Strict') {
    throw undecodable(request.kind, `strict decoding error: ${texts.join(', ')}`);
  }
  for (const text of texts) request.warn(text);
}

function checkType(kind: ResourceKind, given: Dict): void {
  const wanted = apiVersionOf(kind);
  const [apiVersion, shown] = [given['apiVersion'] ?? '', given['kind']].map((one) => JSON.stringify(one).slice(1, -1));
  if (apiVersion !== wanted && !kind.builtIn) {
    throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`);
  }
  if (given['kind'] === kind.kind && apiVersion === wanted) return;
  if (kind.builtIn) {
    const version = apiVersion!.split('/').at(-1)!;
    throw undecodable({ ...kind, version }, `no kind "${shown}" is registered for version "${apiVersion}"`, shown);
  }
  const name = nameIn(given, 'name');
  const error = invalid('kind', given['kind'], `must be ${kind.kind}`);
  throw invalidObject({ group: kind.group, kind: shown! }, name, [error]);
}

function unrecognizedAs(kind: ResourceKind, why: string, body: unknown): StatusError {
  const text = JSON.stringify(body);
  const shown = text.length > 30 ? `${text.slice(0, 30)} ...` : text;
  return badRequest(`the object provided is unrecognized (must be of type ${kind.kind}): ${why} (${shown})`);
}

function checkNames(kind: ResourceKind, metadata: unknown): void {
  if (metadata !== undefined && metadata !== null && !isDict(metadata)) throw badRequest('metadata must be an object');
  for (const field of ['name', 'namespace', 'generateName'] as const) {
    const value = dictOf(metadata)[field] ?? '';
    if (typeof value !== 'string') throw undecodable(kind, `metadata.${field} is a ${typeof value}, not a string`);
  }
}

/** Checks that a body is an object of the kind of the URL; fills in kind and apiVersion where they may be left out. */
export function objectOf(kind: ResourceKind, body: unknown): Dict {
  if (!isDict(body)) throw unrecognizedAs(kind, `couldn't get version/kind; json parse error: it is no object`, body);
  const given = kind.builtIn ? { apiVersion: apiVersionOf(kind), kind: kind.kind, ...body } : body;
  if (!given['kind'])
    throw unrecognizedAs(kind, `Object 'Kind' is missing in '${JSON.stringify(body).slice(0, 200)}'`, body);
  checkType(kind, given);
  const metadata = given['metadata'];
  checkNames(kind, metadata);
  return metadata ? given : { ...given, metadata: {} };
}

/**
 * Refuses a configuration with fields that the schema does not declare: apply has to know each field that it owns, whatever
 * the field validation. Throws StatusError 500, as a real server does.
 */
export function refuseUndeclared({ kind, name }: WriteRequest, config: Dict): void {
  const unknown: string[] = [];
  prune(config, kind.schema, '', unknown);
  if (unknown.length === 0) return;
  const subject = `${nameIn(config, 'namespace')}/${name}; ${apiVersionOf(kind)}, Kind=${kind.kind}`;
  const list = unknown.map((field) => `.${field}: field not declared in schema`).join('\n');
  throw new StatusError(500, '', `failed to create typed patch object (${subject}): ${list}`);
}

/** Prunes and defaults. `patch` is what the client sent, when that was no whole object. Throws StatusError 400 or 422. */
export function shape(request: WriteRequest, object: Dict, patch?: unknown): KubeObject {
  const { kind } = request;
  const unknown: string[] = [];
  const pruned = prune(object, kind.schema, '', unknown);
  if (unknown.length > 0 && request.fieldValidation === 'Strict') {
    throw refuseUnknown(request, unknown, patch === undefined ? undefined : object);
  }
  if (request.fieldValidation === 'Warn') for (const field of unknown) request.warn(`unknown field "${field}"`);
  return applyDefaults(pruned, kind.schema) as KubeObject;
}

/** Checks a finished object against schema, metadata rules and its kind's own. Throws StatusError 400 or 422. */
export function verify(kind: ResourceKind, object: KubeObject, old: KubeObject | undefined): void {
  const errors = validate(object, kind.schema);
  // What a typed decoder would not take never gets as far as a field error.
  const wrong = errors.find(
    ({ reason, field }) => reason === 'FieldValueTypeInvalid' && (kind.builtIn || field.startsWith('metadata.')),
  );
  if (wrong) {
    throw undecodable(kind, `${wrong.field}: ${wrong.message}`);
  }
  errors.push(...metadataErrors(kind, object, old), ...(kind.check?.(object, old) ?? []));
  if (errors.length > 0) throw invalidObject(kind, object.metadata.name, errors);
}

/** The name that a body gives itself; empty when it gives none. */
export function nameIn(body: Dict, field: 'name' | 'namespace' | 'generateName'): string {
  const value = dictOf(body['metadata'])[field];
  return typeof value === 'string' ? value : '';
}
