import { storeId, type ResourceKind } from '../kinds/resource-kind.js';
import { isDict, type KubeObject } from '../object.js';
import { keyOfObject, type ObjectStore } from '../store/store.js';
import { badRequest, expired, StatusError } from '../wire/status-error.js';
import type { ListOptions } from './list-options.js';

export interface Page {
  items: KubeObject[];
  metadata: { resourceVersion: string; continue?: string; remainingItemCount?: number };
}

/** Where a next page starts, and at which resourceVersion; 0 when consistency was given up. */
interface Token {
  rv: number;
  after: string;
}

const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the ' +
  'continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with ' +
  'the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the ' +
  'first chunk was returned and now may show up in the list.';

function encode(token: Token): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: token.rv, start: token.after })).toString('base64url');
}

function decode(text: string): Token {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (isDict(value) && typeof value['rv'] === 'number' && typeof value['start'] === 'string') {
      return { rv: value['rv'], after: value['start'] };
    }
  } catch {
    // Falls to the same refusal as a token of another shape.
  }
  throw badRequest('invalid continue token: continue key is not valid: it was not given by this server');
}

function tooNew(wanted: number, current: number): StatusError {
  const causes = [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }];
  const message = `Too large resource version: ${wanted}, current: ${current}`;
  return new StatusError(504, 'Timeout', `Timeout: ${message}`, { causes, retryAfterSeconds: 1 });
}

/** Serves lists: whole or in pages, the newest state or an older one as long as the history reaches back. */
export class ListReader {
  constructor(private readonly store: ObjectStore) {}

  /** Throws StatusError 410 for a state that is forgotten, 504 for one that is not there yet, 400 for a bad token. */
  list(kind: ResourceKind, namespace: string | undefined, options: ListOptions): Page {
    if (!options.continue) return this.#first(kind, namespace, options);
    if (options.resourceVersion) {
      throw badRequest('specifying resource version is not allowed when using continue');
    }
    return this.#next(kind, namespace, options, decode(options.continue));
  }

  #first(kind: ResourceKind, namespace: string | undefined, options: ListOptions): Page {
    const current = this.store.resourceVersion;
    const wanted = options.resourceVersion;
    if (wanted !== undefined && wanted > current) throw tooNew(wanted, current);
    const exact = options.resourceVersionMatch === 'Exact' && wanted !== undefined;
    const rv = exact ? wanted : current;
    const objects = this.store.listAt(storeId(kind), rv, namespace);
    if (!objects) throw expired('The resourceVersion for the provided list is too old.');
    // A list at "any" version comes whole, as from a real server's cache.
    return this.#page(objects, { rv, after: '' }, wanted === 0 ? { ...options, limit: 0 } : options);
  }

  #next(kind: ResourceKind, namespace: string | undefined, options: ListOptions, token: Token): Page {
    const rv = token.rv === 0 ? this.store.resourceVersion : token.rv;
    const objects = this.store.listAt(storeId(kind), rv, namespace);
    if (!objects) throw expired(CONTINUE_EXPIRED, { continue: encode({ rv: 0, after: token.after }) });
    const rest = objects.filter((object) => keyOfObject(object) > token.after);
    return this.#page(rest, { ...token, rv }, options);
  }

  #page(objects: KubeObject[], from: Token, options: ListOptions): Page {
    const matching = options.selective ? objects.filter(options.matches) : objects;
    const metadata = { resourceVersion: String(from.rv) };
    if (options.limit === 0 || matching.length <= options.limit) return { items: matching, metadata };
    const items = matching.slice(0, options.limit);
    const more = encode({ rv: from.rv, after: keyOfObject(items.at(-1)!) });
    const remaining = options.selective ? {} : { remainingItemCount: matching.length - items.length };
    return { items, metadata: { ...metadata, continue: more, ...remaining } };
  }
}
