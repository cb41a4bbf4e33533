import type { KindRegistry } from '../kinds/registry.js';
import { dictOf, type KubeObject } from '../object.js';
import type { Change } from '../store/history.js';
import { keyOfObject, type ObjectStore } from '../store/store.js';
import { forbidden, notFound } from '../wire/status-error.js';
import type { Deletion } from '../write/deletion.js';
import type { WriteRequest } from '../write/write-request.js';
import { NAMESPACES } from '../kinds/built-in.js';

/** Namespaces that nobody may delete. */
export const LASTING = ['default', 'kube-system'];

/** Empties a namespace that is being deleted, and lets it go when its content is gone; refuses new content meanwhile. */
export class NamespaceController {
  constructor(
    private readonly store: ObjectStore,
    private readonly registry: KindRegistry,
    private readonly deletion: Deletion,
  ) {}

  /** Throws StatusError 404 without the namespace, 403 while it is being deleted. */
  checkOpen({ kind, namespace }: WriteRequest, name: string): void {
    if (!kind.namespaced || namespace === undefined) return;
    const found = this.store.get('namespaces', namespace);
    if (!found) throw notFound({ group: '', plural: 'namespaces' }, namespace);
    if (!found.metadata.deletionTimestamp) return;
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
    const message = `namespace ${namespace} is being terminated`;
    throw forbidden(kind, name, why, [{ reason: 'NamespaceTerminating', message, field: 'metadata.namespace' }]);
  }

  settle({ type, resource, object }: Change): void {
    if (resource === 'namespaces') {
      const current = this.store.get('namespaces', object.metadata.name);
      if (current?.metadata.deletionTimestamp) this.#terminate(current);
      return;
    }
    if (type !== 'DELETED' || !object.metadata.namespace) return;
    const namespace = this.store.get('namespaces', object.metadata.namespace);
    if (namespace?.metadata.deletionTimestamp) this.#terminate(namespace);
  }

  #terminate(namespace: KubeObject): void {
    const { name } = namespace.metadata;
    for (const resource of this.store.resources()) this.#empty(resource, name);
    const left = this.store.resources().some((resource) => this.#content(resource, name).length > 0);
    const current = this.store.get('namespaces', name);
    if (left || !current?.metadata.deletionTimestamp) return;
    const finalizers = dictOf(current['spec'])['finalizers'];
    if (!Array.isArray(finalizers) || !finalizers.includes('kubernetes')) return;
    const rest = (finalizers as string[]).filter((one) => one !== 'kubernetes');
    this.deletion.commit('namespaces', { ...current, spec: { ...dictOf(current['spec']), finalizers: rest } });
  }

  #content(resource: string, namespace: string): KubeObject[] {
    return resource === 'namespaces' ? [] : this.store.list(resource, namespace);
  }

  #empty(resource: string, namespace: string): void {
    const kind = this.registry.ofStoreId(resource);
    if (!kind || kind.plural === NAMESPACES.plural) return;
    for (const object of this.#content(resource, namespace)) {
      const current = this.store.get(resource, keyOfObject(object));
      if (current && !current.metadata.deletionTimestamp)
        this.deletion.delete(kind, current, { propagation: 'Background' });
    }
  }
}
