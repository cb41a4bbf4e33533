import type { ResourceKind } from '../kinds/resource-kind.js';
import type { KubeObject } from '../object.js';
import { forbiddenField, invalidObject, notSupported, type FieldError } from '../schema/field-error.js';
import { badRequest, StatusError } from '../wire/status-error.js';
import { fieldSelector, type ObjectTest } from './field-selector.js';
import { labelSelector } from './label-selector.js';

/** `meta.k8s.io/v1` ListOptions, parsed. Times in seconds. */
export interface ListOptions {
  matches: ObjectTest;
  selective: boolean;
  limit: number;
  continue: string;
  /** undefined: the newest; 0: any. */
  resourceVersion: number | undefined;
  resourceVersionMatch: string;
  watch: boolean;
  allowWatchBookmarks: boolean;
  sendInitialEvents: boolean | undefined;
  timeoutSeconds: number | undefined;
}

function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  return value === null ? undefined : value === '' || value === 'true' || value === '1';
}

function limitOf(query: URLSearchParams): number {
  const value = query.get('limit') || '0';
  if (!/^[+-]?\d+$/.test(value)) throw badRequest(`strconv.ParseInt: parsing "${value}": invalid syntax`);
  return Math.max(0, Number(value));
}

/** A watch and a list word it differently. */
function versionOf(query: URLSearchParams, isWatch: boolean): number | undefined {
  const value = query.get('resourceVersion');
  if (value === null || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const why = `resourceVersion: Invalid value: "${value}": strconv.ParseUint: parsing "${value}": invalid syntax`;
  throw isWatch ? new StatusError(500, '', why) : badRequest(`invalid resource version: ${why}`);
}

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  throw badRequest(`${name}: Invalid value: "${value}": strconv.ParseUint: parsing "${value}": invalid syntax`);
}

const MATCH = 'resourceVersionMatch';

function watchErrors({ resourceVersionMatch: match, sendInitialEvents }: ListOptions): FieldError[] {
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan') {
    return [forbiddenField(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')];
  }
  if (sendInitialEvents !== undefined || !match) return [];
  return [forbiddenField(MATCH, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')];
}

function listErrors(options: ListOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match } = options;
  if (!match) return [];
  if (options.continue) return [forbiddenField(MATCH, 'resourceVersionMatch is forbidden when continue is provided')];
  if (resourceVersion === undefined) {
    return [forbiddenField(MATCH, 'resourceVersionMatch is forbidden unless resourceVersion is provided')];
  }
  if (match !== 'Exact' && match !== 'NotOlderThan') return [notSupported(MATCH, match, ['Exact', 'NotOlderThan', ''])];
  if (match === 'NotOlderThan' || resourceVersion !== 0) return [];
  return [forbiddenField(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"')];
}

function matcher(query: URLSearchParams, kind: ResourceKind): ObjectTest | undefined {
  const labels = labelSelector(query.get('labelSelector'));
  const fields = fieldSelector(query.get('fieldSelector'), kind);
  if (!labels) return fields;
  const byLabel = (object: KubeObject) => labels(object.metadata.labels ?? {});
  return fields ? (object) => fields(object) && byLabel(object) : byLabel;
}

/** Reads the options of a list or watch from its query. Throws StatusError 400 or 422. */
export function listOptions(query: URLSearchParams, kind: ResourceKind): ListOptions {
  const matches = matcher(query, kind);
  const options: ListOptions = {
    matches: matches ?? (() => true),
    selective: matches !== undefined,
    limit: limitOf(query),
    continue: query.get('continue') ?? '',
    resourceVersion: versionOf(query, flag(query, 'watch') ?? false),
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    watch: flag(query, 'watch') ?? false,
    allowWatchBookmarks: flag(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: flag(query, 'sendInitialEvents'),
    timeoutSeconds: wholeNumber(query, 'timeoutSeconds'),
  };
  const errors = options.watch ? watchErrors(options) : listErrors(options);
  if (errors.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return options;
}
