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

function refuseUnknown(request: WriteRequest, unknown: string[], patch: unknown): StatusError {
  const list = unknown.map((field) => `unknown field "${field}"`).join(', ');
  const { kind } = request;
  if (patch === undefined) {
    const subject = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}`;
    return badRequest(`${subject}: strict decoding error: ${list}`);
  }
  return invalidObject(kind, '', [invalid('patch', JSON.stringify(patch), `strict decoding error: ${list}`)]);
}

function checkType(kind: ResourceKind, given: Dict): void {
  const wanted = apiVersionOf(kind);
  const apiVersion = JSON.stringify(given['apiVersion'] ?? '').slice(1, -1);
  if (apiVersion !== wanted) {
    throw badRequest(`the API version in the data (${apiVersion}) does not match the expected API version (${wanted})`);
  }
  if (given['kind'] === kind.kind) return;
  const shown = JSON.stringify(given['kind']).slice(1, -1);
  throw badRequest(`${shown} in version "${kind.version}" cannot be handled as a ${kind.kind}: kinds do not match`);
}

/** Checks that a body is an object of the kind of the URL; fills in kind and apiVersion where they may be left out. */
export function objectOf(kind: ResourceKind, body: unknown): Dict {
  if (!isDict(body)) throw badRequest('the object provided is unrecognized (must be of type Object)');
  const given = kind.builtIn ? { apiVersion: apiVersionOf(kind), kind: kind.kind, ...body } : body;
  if (!given['kind']) throw badRequest(`Object 'Kind' is missing in '${JSON.stringify(body).slice(0, 200)}'`);
  checkType(kind, given);
  const metadata = given['metadata'];
  if (metadata !== undefined && metadata !== null && !isDict(metadata)) throw badRequest('metadata must be an object');
  return metadata ? given : { ...given, metadata: {} };
}

/**
 * Refuses a configuration with fields that the schema does not declare: apply has to know each field that it owns, whatever
 * the field validation. Throws StatusError 500, as a real server does.
 */
export function refuseUndeclared({ kind, namespace, name }: WriteRequest, config: Dict): void {
  const unknown: string[] = [];
  prune(config, kind.schema, '', unknown);
  if (unknown.length === 0) return;
  const subject = `${namespace ? `${namespace}/` : ''}${name}; ${apiVersionOf(kind)}, Kind=${kind.kind}`;
  const list = unknown.map((field) => `.${field}: field not declared in schema`).join('\n');
  throw new StatusError(500, '', `failed to create typed patch object (${subject}): ${list}`);
}

/** Prunes and defaults. `patch` is what the client sent, when that was no whole object. Throws StatusError 400 or 422. */
export function shape(request: WriteRequest, object: Dict, patch?: unknown): KubeObject {
  const { kind } = request;
  const unknown: string[] = [];
  const pruned = prune(object, kind.schema, '', unknown);
  if (unknown.length > 0 && request.fieldValidation === 'Strict') throw refuseUnknown(request, unknown, patch);
  if (request.fieldValidation === 'Warn') for (const field of unknown) request.warn(`unknown field "${field}"`);
  return applyDefaults(pruned, kind.schema) as KubeObject;
}

/** Checks a finished object against schema, metadata rules and its kind's own. Throws StatusError 400 or 422. */
export function verify(kind: ResourceKind, object: KubeObject, old: KubeObject | undefined): void {
  const errors = validate(object, kind.schema);
  // What a typed decoder would not take never gets as far as a field error.
  const undecodable = errors.find(
    ({ reason, field }) => reason === 'FieldValueTypeInvalid' && (kind.builtIn || field.startsWith('metadata.')),
  );
  if (undecodable) {
    const subject = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}`;
    throw badRequest(`${subject}: ${undecodable.field}: ${undecodable.message}`);
  }
  errors.push(...metadataErrors(kind, object, old), ...(kind.check?.(object, old) ?? []));
  if (errors.length > 0) throw invalidObject(kind, object.metadata.name, errors);
}

/** The name that a body gives itself; empty when it gives none. */
export function nameIn(body: Dict, field: 'name' | 'namespace' | 'generateName'): string {
  const value = dictOf(body['metadata'])[field];
  return typeof value === 'string' ? value : '';
}
