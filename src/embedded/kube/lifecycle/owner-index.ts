import type { KubeObject } from '../object.js';
import type { Change } from '../store/history.js';

/** Where an object is kept. */
export interface Place {
  resource: string;
  key: string;
}

/** Which objects name which owner, by the owner's uid. */
export class OwnerIndex {
  readonly #dependents = new Map<string, Map<string, Place>>();

  take(change: Change): void {
    if (change.previous?.metadata.ownerReferences) this.#edit(change, change.previous, false);
    if (change.type !== 'DELETED' && change.object.metadata.ownerReferences) this.#edit(change, change.object, true);
  }

  dependentsOf(uid: string): Place[] {
    return [...(this.#dependents.get(uid)?.values() ?? [])];
  }

  #edit(place: Place, object: KubeObject, add: boolean): void {
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const places = this.#dependents.get(uid) ?? new Map<string, Place>();
      const id = `${place.resource}|${place.key}`;
      if (add) places.set(id, { resource: place.resource, key: place.key });
      else places.delete(id);
      if (places.size > 0) this.#dependents.set(uid, places);
      else this.#dependents.delete(uid);
    }
  }
}
