import { timestamp, type Clock } from '../../../clock.js';
import { storeId, type ResourceKind } from '../kinds/resource-kind.js';
import { deepEqual, dictOf, tidyMetadata, type KubeObject } from '../object.js';
import { keyOfObject, type ObjectStore } from '../store/store.js';
import { conflict } from '../wire/status-error.js';

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export interface DeleteRequest {
  /** undefined: what the object's own finalizers say, else Background. */
  propagation?: Propagation;
  preconditions?: { uid?: string; resourceVersion?: string };
  dryRun?: boolean;
}

export interface Deleted {
  object: KubeObject;
  /** False while finalizers hold the object. */
  gone: boolean;
}

export const FOREGROUND = 'foregroundDeletion';
export const ORPHAN = 'orphan';

function isHeld(object: KubeObject): boolean {
  if ((object.metadata.finalizers ?? []).length > 0) return true;
  const finalizers = object.kind === 'Namespace' ? dictOf(object['spec'])['finalizers'] : undefined;
  return Array.isArray(finalizers) && finalizers.length > 0;
}

function finalizersFor(object: KubeObject, propagation: Propagation | undefined): string[] {
  const before = object.metadata.finalizers ?? [];
  if (!propagation) return before;
  const rest = before.filter((one) => one !== FOREGROUND && one !== ORPHAN);
  if (propagation === 'Background') return rest;
  return [...rest, propagation === 'Foreground' ? FOREGROUND : ORPHAN];
}

function checkPreconditions(kind: ResourceKind, { metadata }: KubeObject, request: DeleteRequest): void {
  const { uid, resourceVersion } = request.preconditions ?? {};
  const byKind = { group: kind.group, plural: kind.kind };
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(byKind, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(byKind, metadata.name, why);
  }
}

/** The end of objects: marks them, and removes them when nothing holds them any more. */
export class Deletion {
  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {}

  /** Throws StatusError 409 when a precondition does not hold. */
  delete(kind: ResourceKind, current: KubeObject, request: DeleteRequest = {}): Deleted {
    checkPreconditions(kind, current, request);
    const marked = this.#mark(current, finalizersFor(current, request.propagation));
    const gone = !isHeld(marked);
    if (request.dryRun) return { object: marked, gone };
    return { object: this.commit(storeId(kind), marked), gone };
  }

  /** Stores an object, or removes it when it is marked and nothing holds it. */
  commit(resource: string, given: KubeObject): KubeObject {
    const object = { ...given, metadata: tidyMetadata(given.metadata) };
    const key = keyOfObject(object);
    if (object.metadata.deletionTimestamp && !isHeld(object)) return this.store.remove(resource, key, object) ?? object;
    const current = this.store.get(resource, key);
    return current && deepEqual(current, object) ? current : this.store.put(resource, object);
  }

  #mark(object: KubeObject, finalizers: string[]): KubeObject {
    const { metadata } = object;
    if (metadata.deletionTimestamp) return { ...object, metadata: { ...metadata, finalizers } };
    const marked: KubeObject = {
      ...object,
      metadata: {
        ...metadata,
        deletionTimestamp: timestamp(this.clock.now()),
        deletionGracePeriodSeconds: 0,
        ...(metadata.generation ? { generation: metadata.generation + 1 } : {}),
        ...(finalizers.length > 0 || metadata.finalizers ? { finalizers } : {}),
      },
    };
    return object.kind === 'Namespace'
      ? { ...marked, status: { ...dictOf(object['status']), phase: 'Terminating' } }
      : marked;
  }
}
