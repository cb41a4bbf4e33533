import { InputError } from '../../../errors.js';
import { dictOf, type Dict, type KubeObject } from '../object.js';
import { ageSince } from '../read/human-age.js';
import { compile } from '../read/json-path.js';
import type { Schema } from '../schema/schema.js';
import { badPatterns } from '../schema/validate.js';
import { AGE, NAME } from './built-in-columns.js';
import { withMetadata } from './metadata-schema.js';
import type { Column, ResourceKind } from './resource-kind.js';

interface CrdColumn {
  name: string;
  type: string;
  jsonPath: string;
  priority?: number;
  description?: string;
  format?: string;
}

interface CrdVersion {
  name: string;
  served?: boolean;
  storage?: boolean;
  schema?: { openAPIV3Schema?: Schema };
  subresources?: Dict;
  additionalPrinterColumns?: CrdColumn[];
  selectableFields?: { jsonPath: string }[];
}

/** The part of a CustomResourceDefinition (apiextensions.k8s.io/v1) that the server acts on. */
export interface CrdSpec {
  group: string;
  scope: 'Cluster' | 'Namespaced';
  names: {
    kind: string;
    plural: string;
    listKind?: string;
    singular?: string;
    shortNames?: string[];
    categories?: string[];
  };
  versions: CrdVersion[];
}

function printed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const CELLS: Record<string, (value: unknown, now: number) => unknown> = {
  string: printed,
  date: (value, now) => (typeof value === 'string' ? ageSince(value, now) : null),
  integer: (value) => (typeof value === 'number' ? Math.trunc(value) : null),
  number: (value) => (typeof value === 'number' ? value : null),
  boolean: (value) => (typeof value === 'boolean' ? value : null),
};

function columnOf(given: CrdColumn): Column {
  const find = compile(given.jsonPath);
  const show = CELLS[given.type] ?? printed;
  return {
    name: given.name,
    type: given.type,
    priority: given.priority ?? 0,
    ...(given.format ? { format: given.format } : {}),
    description: given.description ?? `Custom resource definition column (in JSONPath format): ${given.jsonPath}`,
    cell: (object, now) => {
      const found = find(object);
      return found.length === 0 || found[0] === null || found[0] === undefined ? null : show(found[0], now);
    },
  };
}

function selectableOf(version: CrdVersion): Record<string, (object: KubeObject) => string> {
  const entries = (version.selectableFields ?? []).map(({ jsonPath }) => {
    const find = compile(jsonPath);
    const read = (object: KubeObject) => {
      const [value] = find(object);
      return value === undefined || value === null ? '' : printed(value);
    };
    return [jsonPath.replace(/^\./, ''), read] as const;
  });
  return Object.fromEntries(entries);
}

function schemaOf(name: string, version: CrdVersion): Schema {
  const given = version.schema?.openAPIV3Schema;
  if (!given) {
    throw new InputError(`${name}.versions[${version.name}].schema`, 'is missing', 'give an openAPIV3Schema');
  }
  const bad = badPatterns(given);
  if (bad.length === 0) return withMetadata(given);
  throw new InputError(
    `${name}.versions[${version.name}].schema`,
    `has bad patterns: ${bad.join(', ')}`,
    'correct them',
  );
}

function kindOf(name: string, spec: CrdSpec, version: CrdVersion): ResourceKind {
  const { names } = spec;
  const columns = version.additionalPrinterColumns;
  return {
    group: spec.group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    plural: names.plural,
    singular: names.singular ?? names.kind.toLowerCase(),
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    namespaced: spec.scope === 'Namespaced',
    schema: schemaOf(name, version),
    columns: columns?.length ? [NAME, ...columns.map(columnOf)] : [NAME, AGE],
    subresources: version.subresources?.['status'] ? ['status'] : [],
    tracksGeneration: true,
    unconditionalUpdate: false,
    createOnUpdate: false,
    builtIn: false,
    selectable: selectableOf(version),
  };
}

/** The served versions of a CRD, the storage version first. Throws InputError for a schema that cannot be served. */
export function kindsOf(crd: Dict): ResourceKind[] {
  const spec = crd['spec'] as CrdSpec;
  const name = String(dictOf(crd['metadata'])['name']);
  const served = spec.versions.filter((version) => version.served !== false);
  served.sort((a, b) => Number(b.storage ?? false) - Number(a.storage ?? false));
  return served.map((version) => kindOf(name, spec, version));
}
