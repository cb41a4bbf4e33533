import type { ResourceKind } from '../kinds/resource-kind.js';
import type { KubeObject } from '../object.js';
import { forbiddenField, invalidObject, type FieldError } from '../schema/field-error.js';
import { badRequest } from '../wire/status-error.js';
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

function wholeNumber(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  throw badRequest(`${name}: Invalid value: "${value}": strconv.ParseUint: parsing "${value}": invalid syntax`);
}

function versionErrors(options: ListOptions): FieldError[] {
  const { resourceVersion, resourceVersionMatch: match, watch, sendInitialEvents } = options;
  if (sendInitialEvents !== undefined && watch) {
    return match === 'NotOlderThan'
      ? []
      : [
          forbiddenField(
            'resourceVersionMatch',
            'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
          ),
        ];
  }
  if (!match) return [];
  if (watch)
    return [
      forbiddenField(
        'resourceVersionMatch',
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    ];
  if (resourceVersion === undefined) {
    return [
      forbiddenField('resourceVersionMatch', 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
    ];
  }
  if (match === 'Exact' && resourceVersion === 0) {
    return [
      forbiddenField('resourceVersionMatch', 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    ];
  }
  return [];
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
    limit: wholeNumber(query, 'limit') ?? 0,
    continue: query.get('continue') ?? '',
    resourceVersion: wholeNumber(query, 'resourceVersion'),
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    watch: flag(query, 'watch') ?? false,
    allowWatchBookmarks: flag(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: flag(query, 'sendInitialEvents'),
    timeoutSeconds: wholeNumber(query, 'timeoutSeconds'),
  };
  const errors = versionErrors(options);
  if (errors.length > 0) throw invalidObject({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
  return options;
}
