import { apiVersionOf, asVersion, type ResourceKind } from '../kinds/resource-kind.js';
import type { Dict, KubeObject } from '../object.js';
import type { Page } from './list.js';

/** How a client wants to see objects: themselves, as rows of a table, or their metadata alone. */
export type Form = 'object' | 'table' | 'metadata';

export interface Representation {
  form: Form;
  /** What a table row carries of its object. */
  includeObject: 'None' | 'Metadata' | 'Object';
}

function metadataOnly(object: KubeObject): Dict {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
}

function rowObject(kind: ResourceKind, object: KubeObject, include: Representation['includeObject']): Dict {
  if (include === 'None') return { object: null };
  return { object: include === 'Object' ? asVersion(kind, object) : metadataOnly(object) };
}

function definitions(kind: ResourceKind): Dict[] {
  return kind.columns.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format: format ?? '',
    description: description ?? '',
    priority,
  }));
}

/** Shows objects of one kind in one representation. `now` is wall-clock time in ms, for ages. */
export class Presenter {
  constructor(
    private readonly kind: ResourceKind,
    private readonly how: Representation,
    private readonly now: () => number,
  ) {}

  one(object: KubeObject): Dict {
    if (this.how.form === 'table') {
      return this.#table([object], { resourceVersion: object.metadata.resourceVersion });
    }
    return this.how.form === 'metadata' ? metadataOnly(object) : asVersion(this.kind, object);
  }

  list(page: Page): Dict {
    if (this.how.form === 'table') return this.#table(page.items, page.metadata);
    if (this.how.form === 'metadata') {
      const items = page.items.map(metadataOnly);
      return { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata: page.metadata, items };
    }
    const items = page.items.map((object) => asVersion(this.kind, object));
    // Lists of custom resources tell an empty token too.
    const metadata = this.kind.builtIn ? page.metadata : { continue: '', ...page.metadata };
    return { apiVersion: apiVersionOf(this.kind), items, kind: this.kind.listKind, metadata };
  }

  #table(objects: KubeObject[], metadata: Dict): Dict {
    const now = this.now();
    const rows = objects.map((object) => ({
      cells: this.kind.columns.map((column) => column.cell(object, now) ?? null),
      ...rowObject(this.kind, object, this.how.includeObject),
    }));
    return { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, columnDefinitions: definitions(this.kind), rows };
  }
}
