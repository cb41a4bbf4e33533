import { badRequest } from './api-error.js';
import { isUuid } from './stamps.js';
import { plainText, type Json, type JsonObject } from './json.js';

/** Paging and sorting of a list request. */
export interface PageRequest {
  limit: number;
  marker: string | null;
  sortKey: string;
  descending: boolean;
}

export function parsePage(query: URLSearchParams, maxLimit: number): PageRequest {
  const direction = query.get('sort_dir') ?? 'asc';
  if (direction !== 'asc' && direction !== 'desc') {
    throw badRequest(`Invalid sort direction: ${direction}. Acceptable values are 'asc' or 'desc'`);
  }
  const marker = query.get('marker');
  if (marker !== null && !isUuid(marker)) throw badRequest(`Expected UUID for marker: ${marker}`);
  return {
    limit: parseLimit(query.get('limit'), maxLimit),
    marker,
    sortKey: query.get('sort_key') ?? 'id',
    descending: direction === 'desc',
  };
}

function parseLimit(text: string | null, maxLimit: number): number {
  if (text === null) return maxLimit;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`Expected an integer for limit: ${text}`);
  const limit = Number(text);
  if (limit < 1) throw badRequest('Limit must be positive');
  return Math.min(limit, maxLimit);
}

export interface Sortable {
  /** Order of creation, the last resort of every comparison. */
  id: number;
  uuid: string;
  key: Json;
}

/** The page after the marker; unset keys sort first, as in the database behind Ironic. */
export function pageOf<T>(items: readonly T[], page: PageRequest, sortable: (item: T) => Sortable): T[] {
  const keyed = items.map((item) => ({ item, ...sortable(item) }));
  const sign = page.descending ? -1 : 1;
  keyed.sort((a, b) => sign * (compare(a.key, b.key) || a.id - b.id));
  const start = page.marker === null ? 0 : keyed.findIndex((entry) => entry.uuid === page.marker) + 1;
  return keyed.slice(start, start + page.limit).map((entry) => entry.item);
}

function compare(a: Json, b: Json): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return plainText(a) < plainText(b) ? -1 : 1;
}

/** The link to the following page; like Ironic's it is there whenever a page is full. */
export function nextLink(
  root: string,
  page: PageRequest,
  items: readonly JsonObject[],
  kept: Readonly<Record<string, string>>,
): JsonObject {
  const last = items.at(-1)?.['uuid'];
  if (items.length < page.limit || typeof last !== 'string') return {};
  const parts = Object.entries({
    sort_key: page.sortKey,
    sort_dir: page.descending ? 'desc' : 'asc',
    ...kept,
    limit: String(page.limit),
    marker: last,
  }).map(([key, value]) => `${key}=${encodeURIComponent(value).replaceAll('%2C', ',')}`);
  return { next: `${root}?${parts.join('&')}` };
}
