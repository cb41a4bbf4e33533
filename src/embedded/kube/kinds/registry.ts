import { dictOf, type Dict } from '../object.js';
import { BUILT_IN } from './built-in.js';
import { kindsOf } from './custom.js';
import { apiVersionOf, basePath, storeId, type ResourceKind } from './resource-kind.js';

/** Which kinds are served, by path and by apiVersion and kind. Definitions come and go. */
export class KindRegistry {
  readonly #custom = new Map<string, ResourceKind[]>();
  #byPath = new Map<string, ResourceKind>();
  #byKind = new Map<string, ResourceKind>();
  #revision = 0;

  constructor() {
    this.#index();
  }

  /** Moves with each change; a cache of a document about all kinds hangs on it. */
  get revision(): number {
    return this.#revision;
  }

  all(): ResourceKind[] {
    return [...this.#byPath.values()];
  }

  /** Serves the versions of a definition, in place of those that it served before. Throws InputError. */
  define(crd: Dict): void {
    this.#custom.set(String(dictOf(crd['metadata'])['name']), kindsOf(crd));
    this.#index();
  }

  remove(id: string): void {
    if (this.#custom.delete(id)) this.#index();
  }

  atPath(group: string, version: string, plural: string): ResourceKind | undefined {
    return this.#byPath.get(`${basePath({ group, version })}/${plural}`);
  }

  ofObject(apiVersion: string, kind: string): ResourceKind | undefined {
    return this.#byKind.get(`${apiVersion} ${kind}`);
  }

  /** Any served version of a stored resource. */
  ofStoreId(id: string): ResourceKind | undefined {
    return this.all().find((kind) => storeId(kind) === id);
  }

  #index(): void {
    const kinds = [...BUILT_IN, ...[...this.#custom.values()].flat()];
    this.#byPath = new Map(kinds.map((kind) => [`${basePath(kind)}/${kind.plural}`, kind]));
    this.#byKind = new Map(kinds.map((kind) => [`${apiVersionOf(kind)} ${kind.kind}`, kind]));
    this.#revision += 1;
  }
}
