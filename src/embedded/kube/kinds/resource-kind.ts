import type { KubeObject } from '../object.js';
import type { FieldError } from '../schema/field-error.js';
import type { Schema } from '../schema/schema.js';
import type { ResourceName } from '../wire/status-error.js';

/** One column of `kubectl get`. `cell` gets the wall-clock time in ms, for ages. */
export interface Column {
  name: string;
  type: string;
  format?: string;
  description?: string;
  /** 0 shows always, 1 only with `-o wide`. */
  priority: number;
  cell(object: KubeObject, now: number): unknown;
}

/** One served resource in one version. */
export interface ResourceKind extends ResourceName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** The whole object, metadata included. */
  readonly schema: Schema;
  readonly columns: readonly Column[];
  /** Subresources beside the object itself: `status`, `finalize`. */
  readonly subresources: readonly string[];
  /** Custom resources count their spec changes; most built-in kinds here do not. */
  readonly tracksGeneration: boolean;
  /** Whether an update without a resourceVersion is taken. */
  readonly unconditionalUpdate: boolean;
  /** Whether a PUT of a missing object makes it. */
  readonly createOnUpdate: boolean;
  /** Built-in kinds take strategic merge patches and answer type errors with 400, custom resources do neither. */
  readonly builtIn: boolean;
  /** Field selectors beyond metadata.name and metadata.namespace: label to value. */
  readonly selectable: Readonly<Record<string, (object: KubeObject) => string>>;
  /** Fills in what the server sets itself; returns a new object or the same one. Throws StatusError. */
  prepare?(object: KubeObject, old: KubeObject | undefined): KubeObject;
  /** Checks that a schema cannot say. */
  check?(object: KubeObject, old: KubeObject | undefined): FieldError[];
}

export function apiVersionOf(kind: { group: string; version: string }): string {
  return kind.group ? `${kind.group}/${kind.version}` : kind.version;
}

/** The key of a resource in the store; the same for each of its versions. */
export function storeId(kind: ResourceName): string {
  return kind.group ? `${kind.plural}.${kind.group}` : kind.plural;
}

/** The path prefix of a group and version: `/api/v1` or `/apis/GROUP/VERSION`. */
export function basePath(kind: { group: string; version: string }): string {
  return kind.group ? `/apis/${kind.group}/${kind.version}` : `/api/${kind.version}`;
}

/** The object as a client of this version sees it. */
export function asVersion(kind: ResourceKind, object: KubeObject): KubeObject {
  const apiVersion = apiVersionOf(kind);
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
