import { KubeError } from './errors.js';

/** How a kind is addressed on the wire. The room knows no kind of Ironchart's own: those are given by whoever uses it. */
export interface KindRef {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
}

export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

export interface OwnerRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** The least that is known of any object. Unknown keys stay. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    generation?: number;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    finalizers?: string[];
    ownerReferences?: OwnerRef[];
    creationTimestamp?: string;
    deletionTimestamp?: string;
    managedFields?: unknown;
    [key: string]: unknown;
  };
  [key: string]: unknown;
}

export const secretKind: KindRef = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets' };
export const eventKind: KindRef = { group: '', version: 'v1', kind: 'Event', plural: 'events' };
export const leaseKind: KindRef = { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease', plural: 'leases' };

export function apiVersionOf({ group, version }: KindRef): string {
  return group === '' ? version : `${group}/${version}`;
}

/** What no object is called, and what would make the path of an object that of something else: of all objects, of a room above. */
const noNames: ReadonlySet<string> = new Set(['', '.', '..']);

/**
 * Path of a collection, or of one object in it; with `namespace` undefined, of all namespaces. Names come from people, too.
 * @throws KubeError KUBE_NOT_FOUND for a name that no object can have
 */
export function pathOf(kind: KindRef, namespace?: string, name?: string, subresource?: string): string {
  const space = namespace === undefined || namespace === '' ? '' : `/namespaces/${segment(kind, namespace)}`;
  const object = name === undefined ? '' : `/${segment(kind, name)}`;
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const sub = subresource === undefined ? '' : `/${subresource}`;
  return `${root}${space}/${kind.plural}${object}${sub}`;
}

function segment({ plural }: KindRef, name: string): string {
  if (!noNames.has(name)) return encodeURIComponent(name);
  throw new KubeError('KUBE_NOT_FOUND', `${plural}: ${JSON.stringify(name)} is no name`);
}

interface Named {
  readonly metadata: { readonly name?: string | undefined; readonly namespace?: string | undefined };
}

/** `namespace/name`: the form in which queues, ledgers and logs name an object. */
export function keyOf({ metadata: { namespace = '', name = '' } }: Named): string {
  return `${namespace}/${name}`;
}

export function parseKey(key: string): ObjectKey {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}
