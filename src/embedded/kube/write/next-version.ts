/** What a new or changed object looks like before it is checked: which parts a client may set, and what the server keeps. */
import { apiVersionOf, type ResourceKind } from '../kinds/resource-kind.js';
import { deepEqual, dictOf, omit, tidyMetadata, type Dict, type KubeObject, type ObjectMeta } from '../object.js';
import { invalid, invalidObject } from '../schema/field-error.js';
import { badRequest, conflict, MODIFIED_SINCE, StatusError } from '../wire/status-error.js';
import { nameIn, type WriteRequest } from './write-request.js';

/** Metadata that only the server sets; an update keeps it. */
const KEPT = ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'generation'] as const;

export interface Birth {
  name: string;
  uid: string;
  time: string;
}

/** The metadata and body of an object that is about to be created. */
export function newborn(request: WriteRequest, body: Dict, birth: Birth): Dict {
  const { kind } = request;
  const given = omit(dictOf(body['metadata']), 'selfLink', 'namespace', 'managedFields', ...KEPT);
  const metadata = {
    ...given,
    name: birth.name,
    ...(kind.namespaced ? { namespace: request.namespace } : {}),
    uid: birth.uid,
    creationTimestamp: birth.time,
    ...(kind.tracksGeneration ? { generation: 1 } : {}),
  };
  const content = kind.subresources.includes('status') ? omit(body, 'status') : body;
  return { ...content, metadata: tidyMetadata(metadata) };
}

function checkNames(request: WriteRequest, body: Dict): void {
  const [name, namespace] = [nameIn(body, 'name'), nameIn(body, 'namespace')];
  if (request.name !== undefined && name !== '' && name !== request.name) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${request.name})`);
  }
  if (namespace !== '' && request.namespace !== undefined && namespace !== request.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}

function otherLife(kind: ResourceKind, { metadata }: KubeObject, uid: string): StatusError {
  const { name, namespace } = metadata;
  const key = ['/registry', kind.group, kind.plural, namespace, name].filter(Boolean).join('/');
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
  const told = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${why}`;
  return conflict(kind, name, told);
}

/** A patch works on what is there: one that names another life wants to change what cannot be changed. Throws StatusError 422. */
export function refuseNewLife({ kind }: WriteRequest, body: Dict, current: KubeObject): void {
  const { uid } = dictOf(body['metadata']);
  if (!uid || uid === current.metadata.uid) return;
  const error = invalid('metadata.uid', uid, 'field is immutable');
  // Twice, as from two checks of the real server.
  throw invalidObject(kind, current.metadata.name, [error, error]);
}

function checkVersion(version: string): void {
  if (/^\d*$/.test(version)) return;
  throw new StatusError(500, '', `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
}

/** Refuses a body that is meant for another object, another life of it, or another version. Throws StatusError. */
export function checkIdentity(request: WriteRequest, body: Dict, current: KubeObject | undefined): void {
  checkNames(request, body);
  if (!current) return;
  const { kind } = request;
  const { uid, resourceVersion } = dictOf(body['metadata']);
  const { name } = current.metadata;
  if (uid && uid !== current.metadata.uid) throw otherLife(kind, current, String(uid as string));
  if (typeof resourceVersion === 'string') checkVersion(resourceVersion);
  if (resourceVersion && resourceVersion !== current.metadata.resourceVersion)
    throw conflict(kind, name, MODIFIED_SINCE);
  if (resourceVersion || kind.unconditionalUpdate) return;
  const error = invalid('metadata.resourceVersion', 0, 'must be specified for an update');
  throw invalidObject({ group: kind.group, kind: kind.plural }, name, [error]);
}

function keptMetadata(body: Dict, current: KubeObject): ObjectMeta {
  const given = omit(dictOf(body['metadata']), 'selfLink', 'managedFields', ...KEPT);
  const metadata: Dict = { ...given, resourceVersion: current.metadata.resourceVersion };
  for (const key of ['name', 'namespace', 'managedFields', ...KEPT] as const) {
    if (current.metadata[key] !== undefined) metadata[key] = current.metadata[key];
  }
  // Equal parts are shared, so that later comparisons are cheap.
  for (const key of ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const) {
    if (deepEqual(metadata[key], current.metadata[key])) metadata[key] = current.metadata[key];
    if (metadata[key] === undefined) delete metadata[key];
  }
  return tidyMetadata(metadata as unknown as ObjectMeta);
}

function withPart(current: KubeObject, part: string, value: unknown): KubeObject {
  return value === undefined ? omit(current, part) : { ...current, [part]: value };
}

/** `current` changed by a write of `body` to the object or one of its subresources. */
export function successor(request: WriteRequest, body: Dict, current: KubeObject): Dict {
  const { kind, subresource } = request;
  if (subresource === 'status') return withPart(current, 'status', body['status']);
  if (subresource === 'finalize') {
    const { finalizers } = dictOf(body['spec']);
    return withPart(current, 'spec', { ...dictOf(current['spec']), finalizers: finalizers ?? [] });
  }
  const next = { ...body, apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: keptMetadata(body, current) };
  return kind.subresources.includes('status') ? withPart(next, 'status', current['status']) : next;
}

function wanted(kind: ResourceKind, object: KubeObject): Dict {
  const content = omit<Dict>(object, 'metadata', 'apiVersion', 'kind');
  return kind.subresources.includes('status') ? omit(content, 'status') : content;
}

/** The generation of a changed object: one more when what is wanted has changed. */
export function nextGeneration(kind: ResourceKind, next: KubeObject, current: KubeObject): KubeObject {
  if (!kind.tracksGeneration || deepEqual(wanted(kind, next), wanted(kind, current))) return next;
  return { ...next, metadata: { ...next.metadata, generation: (current.metadata.generation ?? 0) + 1 } };
}

/** Whether two versions differ in anything but who manages what. */
export function sameContent(a: KubeObject, b: KubeObject): boolean {
  const strip = (object: KubeObject) => omit<Dict>(object, 'metadata');
  const meta = ({ metadata }: KubeObject) =>
    omit<Dict>({ ...metadata }, 'managedFields', 'resourceVersion', 'generation');
  return deepEqual(strip(a), strip(b)) && deepEqual(meta(a), meta(b));
}

/** A create that names a resourceVersion was meant to be something else. */
export function refuseVersionOnCreate(body: Dict): void {
  if (!dictOf(body['metadata'])['resourceVersion']) return;
  throw new StatusError(500, '', 'resourceVersion should not be set on objects to be created');
}
