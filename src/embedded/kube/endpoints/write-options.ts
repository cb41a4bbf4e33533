import type { ResourceKind } from '../kinds/resource-kind.js';
import { dictOf, type Dict } from '../object.js';
import { forbiddenField, invalid, invalidObject, notSupported, required } from '../schema/field-error.js';
import type { Exchange } from '../wire/exchange.js';
import { mediaType, parseObject } from '../wire/body.js';
import type { ResourcePath } from '../wire/request-path.js';
import type { DeleteRequest, Propagation } from '../write/deletion.js';
import type { WriteRequest } from '../write/write-request.js';

const META = 'meta.k8s.io';
const VALIDATIONS = ['', 'Ignore', 'Strict', 'Warn'] as const;
const PROPAGATIONS: Propagation[] = ['Foreground', 'Background', 'Orphan'];

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions' | 'DeleteOptions';

function isDryRun(query: URLSearchParams, given: unknown, kind: OptionsKind): boolean {
  const values =
    Array.isArray(given) && given.length > 0
      ? (given as unknown[])
      : query.getAll('dryRun').filter((one) => one !== '');
  const bad = values.filter((value) => value !== 'All');
  if (bad.length > 0) throw invalidObject({ group: META, kind }, '', [notSupported('dryRun', values, ['All'])]);
  return values.length > 0;
}

/** The name that a client goes by when it gives no field manager: its user agent up to the version. */
function managerOf(exchange: Exchange): string {
  const given = exchange.query.get('fieldManager');
  if (given) return given;
  return (exchange.request.headers['user-agent'] ?? '').split('/')[0]?.trim() || 'unknown';
}

/** Reads what the query says of a write. Throws StatusError 422 for a value that is none. */
export function writeRequest(
  exchange: Exchange,
  kind: ResourceKind,
  path: ResourcePath,
  options: OptionsKind,
): WriteRequest {
  const { query } = exchange;
  const validation = query.get('fieldValidation') ?? '';
  const fieldValidation = VALIDATIONS.find((one) => one === validation);
  if (fieldValidation === undefined) {
    const error = notSupported('fieldValidation', validation, [...VALIDATIONS]);
    throw invalidObject({ group: META, kind: options }, '', [error]);
  }
  const manager = managerOf(exchange);
  if (manager.length > 128) {
    const error = invalid('fieldManager', manager, 'may not be longer than 128');
    throw invalidObject({ group: META, kind: options }, '', [error]);
  }
  return {
    kind,
    namespace: path.namespace,
    name: path.name,
    subresource: path.subresource,
    manager,
    dryRun: isDryRun(query, undefined, options),
    fieldValidation: fieldValidation || 'Warn',
    force: query.get('force') === 'true',
    warn: (text) => exchange.warn(text),
  };
}

/** The rules that tie `force` and `fieldManager` to server-side apply. Throws StatusError 422. */
export function checkPatchOptions(exchange: Exchange, applies: boolean): void {
  const { query } = exchange;
  const subject = { group: META, kind: 'PatchOptions' };
  if (applies && !query.get('fieldManager')) {
    throw invalidObject(subject, '', [required('fieldManager', 'is required for apply patch')]);
  }
  if (!applies && query.has('force')) {
    throw invalidObject(subject, '', [forbiddenField('force', 'may not be specified for non-apply patch')]);
  }
}

function propagationOf(options: Dict, query: URLSearchParams): Propagation | undefined {
  const option = (name: string) => options[name] ?? query.get(name) ?? '';
  const [given, orphan] = [option('propagationPolicy'), option('orphanDependents')];
  if (given === '') return orphan === true || orphan === 'true' ? 'Orphan' : undefined;
  const subject = { group: META, kind: 'DeleteOptions' };
  if (orphan !== '') {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    throw invalidObject(subject, '', [invalid('propagationPolicy', given, why)]);
  }
  const found = PROPAGATIONS.find((one) => one === given);
  if (found) return found;
  throw invalidObject(subject, '', [notSupported('propagationPolicy', given, [...PROPAGATIONS, 'nil'])]);
}

/** Reads delete options from the body, or else from the query. Throws StatusError 400, 415 or 422. */
export function deleteRequest(exchange: Exchange, body: Buffer): DeleteRequest {
  const type = mediaType(exchange.request.headers['content-type']);
  const options = dictOf(body.length === 0 ? {} : parseObject(body, type));
  const propagation = propagationOf(options, exchange.query);
  const { uid, resourceVersion } = dictOf(options['preconditions']);
  return {
    ...(propagation ? { propagation } : {}),
    preconditions: {
      ...(typeof uid === 'string' ? { uid } : {}),
      ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
    },
    dryRun: isDryRun(exchange.query, options['dryRun'], 'DeleteOptions'),
  };
}
