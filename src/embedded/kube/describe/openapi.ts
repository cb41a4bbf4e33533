import { createHash } from 'node:crypto';
import type { KindRegistry } from '../kinds/registry.js';
import { apiVersionOf, basePath, type ResourceKind } from '../kinds/resource-kind.js';
import type { Dict } from '../object.js';
import { metaSchemas, objectMeta } from './meta-schemas.js';

const LIST_META: Dict = {
  type: 'object',
  description: 'List metadata.',
  properties: {
    continue: { type: 'string' },
    remainingItemCount: { type: 'integer' },
    resourceVersion: { type: 'string' },
  },
};

function gvk(kind: ResourceKind): Dict {
  return { group: kind.group, version: kind.version, kind: kind.kind };
}

/** `metal3.io/v1alpha1 BareMetalHost` -> `io.metal3.v1alpha1.BareMetalHost`. */
function schemaName(kind: ResourceKind): string {
  const group = kind.group ? kind.group.split('.').reverse().join('.') : 'io.k8s.api.core';
  return `${group}.${kind.version}.${kind.kind}`;
}

function query(name: string, description: string): Dict {
  return { name, in: 'query', description, schema: { type: 'string', uniqueItems: true } };
}

const WRITE_PARAMETERS = [
  query('dryRun', 'All: nothing is stored.'),
  query('fieldManager', 'Who writes.'),
  query('fieldValidation', 'Ignore, Warn or Strict: what becomes of unknown and duplicate fields.'),
];
const FORCE = { ...query('force', 'Take fields from other managers.'), schema: { type: 'boolean', uniqueItems: true } };

function operation(kind: ResourceKind, action: string, parameters: Dict[], body: string[] = []): Dict {
  const ref = { $ref: `#/components/schemas/${schemaName(kind)}` };
  const responses = { 200: { description: 'OK', content: { 'application/json': { schema: ref } } } };
  const content = Object.fromEntries(body.map((type) => [type, { schema: ref }]));
  return {
    'x-kubernetes-action': action,
    'x-kubernetes-group-version-kind': gvk(kind),
    parameters,
    responses,
    ...(body.length > 0 ? { requestBody: { content } } : {}),
  };
}

function patchTypes(kind: ResourceKind): string[] {
  const types = ['application/apply-patch+yaml', 'application/json-patch+json', 'application/merge-patch+json'];
  return kind.builtIn ? [...types, 'application/strategic-merge-patch+json'] : types;
}

function pathsOf(kind: ResourceKind): Dict {
  const base = `${basePath(kind)}${kind.namespaced ? '/namespaces/{namespace}' : ''}/${kind.plural}`;
  const item = {
    get: operation(kind, 'get', []),
    put: operation(kind, 'put', WRITE_PARAMETERS, ['application/json']),
    patch: operation(kind, 'patch', [...WRITE_PARAMETERS, FORCE], patchTypes(kind)),
    delete: operation(kind, 'delete', []),
  };
  const collection = {
    get: operation(kind, 'list', []),
    post: operation(kind, 'post', WRITE_PARAMETERS, ['application/json']),
  };
  const paths: Dict = { [base]: collection, [`${base}/{name}`]: item };
  if (kind.subresources.includes('status')) {
    paths[`${base}/{name}/status`] = { get: item.get, put: item.put, patch: item.patch };
  }
  return paths;
}

function schemasOf(kind: ResourceKind): Dict {
  const metadata = {
    description: 'Standard object metadata.',
    allOf: [objectMeta],
    default: {},
  };
  const name = schemaName(kind);
  return {
    [name]: {
      ...kind.schema,
      properties: { ...kind.schema.properties, metadata },
      'x-kubernetes-group-version-kind': [gvk(kind)],
    },
    [`${name}List`]: {
      type: 'object',
      description: `A list of ${kind.kind}.`,
      required: ['items'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        items: { type: 'array', items: { $ref: `#/components/schemas/${name}` } },
        metadata: LIST_META,
      },
      'x-kubernetes-group-version-kind': [{ ...gvk(kind), kind: kind.listKind }],
    },
  };
}

/** OpenAPI v3 documents, one a group and version, made once for each set of kinds. */
export class OpenApi {
  #revision = -1;
  readonly #documents = new Map<string, string>();

  constructor(private readonly registry: KindRegistry) {}

  /** The index at /openapi/v3. */
  index(): Dict {
    this.#refresh();
    const paths = [...this.#documents].map(([path, text]) => {
      const hash = createHash('sha256').update(text).digest('hex').slice(0, 32).toUpperCase();
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }];
    });
    return { paths: Object.fromEntries(paths) as Dict };
  }

  /** The JSON text of one document, by its path such as `apis/metal3.io/v1alpha1`; undefined when there is none. */
  document(path: string): string | undefined {
    this.#refresh();
    return this.#documents.get(path);
  }

  #refresh(): void {
    if (this.#revision === this.registry.revision) return;
    this.#revision = this.registry.revision;
    this.#documents.clear();
    const kinds = this.registry.all();
    for (const path of new Set(kinds.map((kind) => basePath(kind).slice(1)))) {
      const mine = kinds.filter((kind) => basePath(kind).slice(1) === path);
      this.#documents.set(path, JSON.stringify(this.#build(mine)));
    }
  }

  #build(kinds: ResourceKind[]): Dict {
    const schemas = Object.assign(metaSchemas(), ...kinds.map(schemasOf)) as Dict;
    const paths = Object.assign({}, ...kinds.map(pathsOf)) as Dict;
    const info = { title: `Kubernetes ${apiVersionOf(kinds[0]!)}`, version: 'v1.32.0' };
    return { openapi: '3.0.0', info, paths, components: { schemas } };
  }
}
