/** A path below `/api/v1` or `/apis/GROUP/VERSION` that names a resource. */
export interface ResourcePath {
  group: string;
  version: string;
  plural: string;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string;
}

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

function split(pathname: string): string[] | undefined {
  try {
    return pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

interface Rest {
  group: string;
  version: string;
  rest: string[];
}

function groupAndVersion(parts: string[]): Rest | undefined {
  const [root, first, second] = parts;
  if (root === 'api' && first !== undefined) return { group: '', version: first, rest: parts.slice(2) };
  if (root !== 'apis' || first === undefined || second === undefined) return undefined;
  return { group: first, version: second, rest: parts.slice(3) };
}

/** Names of subresources of a namespace, which look like resources inside it. */
const NAMESPACE_SUBRESOURCES = ['status', 'finalize'];

/** Whether the rest of a path leads into a namespace, not to one. */
function isInside(rest: string[]): boolean {
  const [first, , third] = rest;
  if (first !== 'namespaces' || third === undefined) return false;
  return rest.length > 3 || !NAMESPACE_SUBRESOURCES.includes(third);
}

/** Reads a path; undefined when it names no resource. */
export function resourcePath(pathname: string): ResourcePath | undefined {
  const found = groupAndVersion(split(pathname) ?? []);
  if (!found || found.rest.length === 0) return undefined;
  const { group, version, rest } = found;
  const inside = isInside(rest);
  const [plural, name, subresource, ...more] = inside ? rest.slice(2) : rest;
  if (more.length > 0) return undefined;
  return {
    group,
    version,
    plural: plural!,
    namespace: inside ? rest[1] : undefined,
    name,
    subresource: subresource ?? '',
  };
}

const ITEM_VERBS: Record<string, Verb> = { GET: 'get', HEAD: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
const COLLECTION_VERBS: Record<string, Verb> = {
  GET: 'list',
  HEAD: 'list',
  POST: 'create',
  DELETE: 'deletecollection',
};

function watches(query: URLSearchParams): boolean {
  const value = query.get('watch');
  return value !== null && value !== 'false' && value !== '0';
}

/** What a method means on a path; undefined when it means nothing there. */
export function verbOf(method: string, path: ResourcePath, query: URLSearchParams): Verb | undefined {
  const verb = (path.name === undefined ? COLLECTION_VERBS : ITEM_VERBS)[method];
  return verb === 'list' && watches(query) ? 'watch' : verb;
}
