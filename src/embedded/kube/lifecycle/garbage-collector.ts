import type { KindRegistry } from '../kinds/registry.js';
import type { KubeObject, OwnerReference } from '../object.js';
import type { Change } from '../store/history.js';
import type { ObjectStore } from '../store/store.js';
import { FOREGROUND, ORPHAN, type Deletion, type Propagation } from '../write/deletion.js';
import { OwnerIndex, type Place } from './owner-index.js';

type Standing = 'solid' | 'waiting' | 'absent';

function holds(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

function isWaiting(owner: KubeObject): boolean {
  return owner.metadata.deletionTimestamp !== undefined && holds(owner, FOREGROUND);
}

/**
 * Deletes what nobody owns any more: in the background when an owner is gone, in the foreground before an owner goes, or
 * cuts the references when an owner leaves orphans. An owner of a kind that is not served here is taken to live.
 */
export class GarbageCollector {
  readonly #index = new OwnerIndex();

  constructor(
    private readonly store: ObjectStore,
    private readonly registry: KindRegistry,
    private readonly deletion: Deletion,
  ) {}

  index(change: Change): void {
    this.#index.take(change);
  }

  /** Does what a change calls for; every write that it makes comes back as a change of its own. */
  settle({ type, resource, key, object, previous }: Change): void {
    if (type === 'DELETED') return this.#settleGone(object);
    const now = this.store.get(resource, key);
    if (!now) return;
    if (now.metadata.deletionTimestamp) this.#release({ resource, key });
    if (now.metadata.ownerReferences) this.#check({ resource, key });
    if (previous?.metadata.ownerReferences !== now.metadata.ownerReferences) this.#releaseOwners(previous);
  }

  #settleGone(object: KubeObject): void {
    for (const place of this.#index.dependentsOf(object.metadata.uid)) this.#check(place);
    this.#releaseOwners(object);
  }

  #releaseOwners(object: KubeObject | undefined): void {
    for (const { uid } of object?.metadata.ownerReferences ?? []) {
      const owner = this.store.ofUid(uid);
      if (owner && isWaiting(owner)) this.#release(this.#placeOf(owner));
    }
  }

  #placeOf(object: KubeObject): Place {
    const kind = this.registry.ofObject(object.apiVersion, object.kind)!;
    const { name, namespace } = object.metadata;
    return {
      resource: kind.group ? `${kind.plural}.${kind.group}` : kind.plural,
      key: namespace ? `${namespace}/${name}` : name,
    };
  }

  #standing(reference: OwnerReference, namespace: string | undefined): Standing {
    const owner = this.store.ofUid(reference.uid);
    if (!owner) return this.registry.ofObject(reference.apiVersion, reference.kind) ? 'absent' : 'solid';
    // An owner of another namespace is none.
    if (owner.metadata.namespace !== undefined && owner.metadata.namespace !== namespace) return 'absent';
    return isWaiting(owner) ? 'waiting' : 'solid';
  }

  #check(place: Place): void {
    const object = this.store.get(place.resource, place.key);
    const owners = object?.metadata.ownerReferences;
    if (!object || !owners || object.metadata.deletionTimestamp) return;
    const standings = owners.map((owner) => this.#standing(owner, object.metadata.namespace));
    if (standings.every((one) => one === 'solid')) return;
    if (standings.includes('solid')) {
      const left = owners.filter((_, i) => standings[i] === 'solid');
      this.#setMetadata(place.resource, object, { ownerReferences: left });
      return;
    }
    const hasDependents = this.#index.dependentsOf(object.metadata.uid).length > 0;
    this.#delete(place, object, standings.includes('waiting') && hasDependents ? 'Foreground' : undefined);
  }

  /** Lets an owner go once its dependents are dealt with. */
  #release(place: Place): void {
    const owner = this.store.get(place.resource, place.key);
    if (!owner?.metadata.deletionTimestamp) return;
    const { uid } = owner.metadata;
    if (holds(owner, ORPHAN)) {
      for (const dependent of this.#index.dependentsOf(uid)) this.#cut(dependent, uid);
      this.#dropFinalizer(place, ORPHAN);
    } else if (holds(owner, FOREGROUND)) {
      for (const dependent of this.#index.dependentsOf(uid)) this.#check(dependent);
      if (!this.#index.dependentsOf(uid).some((dependent) => this.#blocks(dependent, uid))) {
        this.#dropFinalizer(place, FOREGROUND);
      }
    }
  }

  #blocks(place: Place, uid: string): boolean {
    const owners = this.store.get(place.resource, place.key)?.metadata.ownerReferences ?? [];
    return owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true);
  }

  #cut(place: Place, uid: string): void {
    const object = this.store.get(place.resource, place.key);
    const owners = object?.metadata.ownerReferences?.filter((owner) => owner.uid !== uid);
    if (object) this.#setMetadata(place.resource, object, { ownerReferences: owners });
  }

  #dropFinalizer(place: Place, finalizer: string): void {
    const object = this.store.get(place.resource, place.key);
    const finalizers = object?.metadata.finalizers?.filter((one) => one !== finalizer);
    if (object) this.#setMetadata(place.resource, object, { finalizers });
  }

  #setMetadata(resource: string, object: KubeObject, change: Partial<KubeObject['metadata']>): void {
    this.deletion.commit(resource, { ...object, metadata: { ...object.metadata, ...change } });
  }

  #delete(place: Place, object: KubeObject, propagation: Propagation | undefined): void {
    const kind = this.registry.ofStoreId(place.resource);
    if (kind) this.deletion.delete(kind, object, propagation ? { propagation } : {});
  }
}
