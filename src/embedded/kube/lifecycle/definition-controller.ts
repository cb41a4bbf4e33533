import { timestamp, type Clock } from '../../../clock.js';
import { CRDS } from '../kinds/built-in.js';
import type { CrdSpec } from '../kinds/custom.js';
import type { KindRegistry } from '../kinds/registry.js';
import { storeId } from '../kinds/resource-kind.js';
import { deepEqual, dictOf, type Dict, type KubeObject } from '../object.js';
import type { Change } from '../store/history.js';
import type { ObjectStore } from '../store/store.js';
import type { Deletion } from '../write/deletion.js';

const CLEANUP = 'customresourcecleanup.apiextensions.k8s.io';
const ID = storeId(CRDS);

/** Serves what definitions define: from their creation on, until their last object is gone after their deletion. */
export class DefinitionController {
  constructor(
    private readonly store: ObjectStore,
    private readonly registry: KindRegistry,
    private readonly deletion: Deletion,
    private readonly clock: Clock,
    /** Ends the watches of a resource that is no longer served. */
    private readonly endWatches: (resource: string) => void,
  ) {}

  settle({ type, resource, object }: Change): void {
    if (resource === ID) this.#settleDefinition(type, object);
    else if (type === 'DELETED') {
      const crd = this.store.get(ID, resource);
      if (crd?.metadata.deletionTimestamp) this.#clean(crd);
    }
  }

  #settleDefinition(type: Change['type'], object: KubeObject): void {
    const { name } = object.metadata;
    if (type === 'DELETED') {
      this.registry.remove(name);
      this.endWatches(name);
      return;
    }
    const crd = this.store.get(ID, name);
    if (!crd) return;
    if (crd.metadata.deletionTimestamp) return this.#clean(crd);
    this.registry.define(crd);
    this.#establish(crd);
  }

  #establish(crd: KubeObject): void {
    const names = dictOf(dictOf(crd['spec'])['names']);
    const old = dictOf(crd['status']);
    const storedVersions = (crd['spec'] as CrdSpec).versions.filter(({ storage }) => storage).map((one) => one.name);
    const conditions = Array.isArray(old['conditions']) ? (old['conditions'] as Dict[]) : this.#conditions();
    const status = { ...old, acceptedNames: names, conditions, storedVersions };
    const finalizers = [...new Set([...(crd.metadata.finalizers ?? []), CLEANUP])];
    if (deepEqual(status, old) && deepEqual(finalizers, crd.metadata.finalizers)) return;
    this.deletion.commit(ID, { ...crd, status, metadata: { ...crd.metadata, finalizers } });
  }

  #conditions(): Dict[] {
    const lastTransitionTime = timestamp(this.clock.now());
    const one = (type: string, reason: string, message: string) => ({
      lastTransitionTime,
      message,
      reason,
      status: 'True',
      type,
    });
    return [
      one('NamesAccepted', 'NoConflicts', 'no conflicts found'),
      one('Established', 'InitialNamesAccepted', 'the initial names have been accepted'),
    ];
  }

  #clean(crd: KubeObject): void {
    const { name } = crd.metadata;
    const kind = this.registry.ofStoreId(name);
    for (const object of kind ? this.store.list(name) : []) {
      if (!object.metadata.deletionTimestamp) this.deletion.delete(kind!, object, { propagation: 'Background' });
    }
    const current = this.store.get(ID, name);
    if (!current || this.store.list(name).length > 0) return;
    const finalizers = (current.metadata.finalizers ?? []).filter((one) => one !== CLEANUP);
    this.deletion.commit(ID, { ...current, metadata: { ...current.metadata, finalizers } });
  }
}
