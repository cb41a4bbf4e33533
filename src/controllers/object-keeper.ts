/**
 * Every write to objects of one kind. Each carries the resourceVersion that the decision was made on; each answer goes into the
 * store at once; after a conflict the store holds what is there now, and the next pass decides on that.
 */
import { isSame } from '../../machines/index.js';
import type { EventSubject, KindRef, KubeApi, KubeObject, ObjectStore, OwnerRef } from '../kube/index.js';
import { apiVersionOf, isKubeError } from '../kube/index.js';
import { mergeDiff } from './host/merge-diff.js';

type Json = Record<string, unknown>;

/** What an object is to carry. */
export interface Hold {
  readonly finalizer?: string;
  /** A plain owner; one of the same uid that is there already is left as it is. */
  readonly owner?: OwnerRef;
  /** Others stay. */
  readonly annotations?: Readonly<Record<string, string>>;
}

export class ObjectKeeper {
  constructor(
    private readonly api: KubeApi,
    readonly store: ObjectStore<KubeObject>,
    private readonly kind: KindRef,
  ) {}

  /** One write, or none if the object carries it all. */
  async hold(object: KubeObject, hold: Hold, signal?: AbortSignal): Promise<KubeObject> {
    const change = holdPatch(object, hold);
    return change === undefined ? object : this.#patch(object, { metadata: change }, undefined, signal);
  }

  async release(object: KubeObject, finalizer: string, signal?: AbortSignal): Promise<void> {
    const finalizers = object.metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) return;
    const metadata = { finalizers: finalizers.filter((name) => name !== finalizer) };
    await this.#patch(object, { metadata }, undefined, signal);
  }

  /** Writes what differs from the object's status; `extra` goes along, and is no reason to write. */
  async saveStatus(object: KubeObject, status: object, extra: object = {}, signal?: AbortSignal): Promise<KubeObject> {
    const change = mergeDiff((object.status ?? {}) as Json, status as Json);
    if (change === undefined) return object;
    return this.#patch(object, { status: { ...change, ...extra } }, 'status', signal);
  }

  async #patch(
    object: KubeObject,
    change: { readonly metadata?: object; readonly status?: object },
    subresource: 'status' | undefined,
    signal?: AbortSignal,
  ): Promise<KubeObject> {
    const { namespace = '', name, resourceVersion } = object.metadata;
    const patch = { ...change, metadata: { ...change.metadata, resourceVersion } };
    try {
      const written = await this.api.patch<KubeObject>(this.kind, { namespace, name }, patch, { subresource, signal });
      // The host controller goes by what is found here, and does not hear of what it has written itself.
      this.store.put(written, 'news');
      return written;
    } catch (error) {
      if (isKubeError(error, 'KUBE_CONFLICT')) await this.#readAgain(object, signal);
      throw error;
    }
  }

  async #readAgain({ metadata: { namespace = '', name } }: KubeObject, signal?: AbortSignal): Promise<void> {
    const fresh = await this.api.get<KubeObject>(this.kind, { namespace, name }, signal);
    if (fresh !== undefined) this.store.put(fresh, 'watch');
  }

  subject({ metadata: { namespace = '', name, uid = '' } }: KubeObject): EventSubject {
    return { apiVersion: apiVersionOf(this.kind), kind: this.kind.kind, namespace, name, uid };
  }
}

/** The metadata to change; undefined: none. Pure. */
export function holdPatch({ metadata }: KubeObject, { finalizer, owner, annotations }: Hold): object | undefined {
  const { finalizers = [], ownerReferences = [], annotations: notes = {} } = metadata;
  const known = { finalizers, ownerReferences, annotations: notes };
  const change = {
    ...(finalizer !== undefined && !finalizers.includes(finalizer) && { finalizers: [...finalizers, finalizer] }),
    ...(owner !== undefined && { ownerReferences: withOwner(ownerReferences, owner) }),
    ...(annotations !== undefined && { annotations: { ...notes, ...annotations } }),
  };
  if (isSame({ ...known, ...change }, known)) return undefined;
  return annotations === undefined ? change : { ...change, annotations };
}

/** Of an owner that was made anew under the same name the old reference goes: it would have the object collected. */
function withOwner(known: readonly OwnerRef[], owner: OwnerRef): readonly OwnerRef[] {
  if (known.some(({ uid }) => uid === owner.uid)) return known;
  return [...known.filter(({ kind, name }) => kind !== owner.kind || name !== owner.name), owner];
}
