/** A host as the controllers of other kinds see it: the few facts that they go by, and the changes that concern them. */
import { isSame } from '../../machines/index.js';
import { annotations, groupVersion, states } from '../apis/index.js';
import type { KubeObject, ObjectStore, OwnerRef, StoreEvent } from '../kube/index.js';
import { keyOf, parseKey } from '../kube/index.js';
import { accessByID, type Provisioner, type ProvisionerFactory } from '../provisioner/index.js';
import type { Waker } from './controller.js';

export interface HostView {
  readonly uid: string;
  /** `status.provisioning.state`, "" when new. */
  readonly state: string;
  readonly operationalStatus: string;
  /** The back end's ID of it, "" when not registered. */
  readonly provisionerID: string;
  readonly isPaused: boolean;
  /** It carries the annotation, whether or not it has left the back end yet. */
  readonly isToBeDetached: boolean;
  readonly vendor: string;
  readonly model: string;
}

interface Wire {
  readonly operationalStatus?: string;
  readonly provisioning?: { readonly state?: string; readonly ID?: string };
  readonly hardware?: { readonly systemVendor?: { readonly manufacturer?: string; readonly productName?: string } };
}

/** Hosts change often and are large: the fields are picked out of them, and the rest is not read. Pure. */
export function viewOf({ metadata, status }: KubeObject): HostView {
  const wire = (status ?? {}) as Wire;
  const { operationalStatus = '' } = wire;
  const { state = '', ID: provisionerID = '' } = wire.provisioning ?? {};
  const notes = metadata.annotations ?? {};
  return {
    ...{ uid: metadata.uid ?? '', operationalStatus, state, provisionerID },
    isPaused: Object.hasOwn(notes, annotations.paused),
    isToBeDetached: Object.hasOwn(notes, annotations.detached),
    ...makeOf(wire),
  };
}

function makeOf({ hardware }: Wire) {
  const { manufacturer = '', productName = '' } = hardware?.systemVendor ?? {};
  return { vendor: manufacturer, model: productName };
}

export function hostOf(hosts: Pick<ObjectStore<KubeObject>, 'get'>, key: string): HostView | undefined {
  const object = hosts.get(key);
  return object === undefined ? undefined : viewOf(object);
}

/** Nothing is asked of the machine of such a host. Pure. */
export function isSetAside({ state, operationalStatus, isPaused, isToBeDetached }: HostView): boolean {
  const isForeign = state === states.none || state === states.unmanaged;
  return isForeign || isPaused || isToBeDetached || operationalStatus === 'detached';
}

export function ownerRefOf(key: string, { uid }: HostView): OwnerRef {
  return { apiVersion: groupVersion, kind: 'BareMetalHost', name: parseKey(key).name, uid };
}

/** For what needs no more of a host than its ID. Nothing is published: there is no such news of these operations. */
export function provisionerOf(
  factory: ProvisionerFactory,
  key: string,
  { uid, provisionerID }: HostView,
  signal?: AbortSignal,
): Promise<Provisioner> {
  return factory.forHost(accessByID({ ...parseKey(key), uid, provisionerID }), () => undefined, signal);
}

export type HostChange = (before: HostView, now: HostView) => boolean;

/** @param keysOf what is to be looked at for a host (`namespace/name`) that came, went, or changed in this respect */
export function hostWaker(
  hosts: ObjectStore<KubeObject>,
  concerns: HostChange,
  keysOf: (hostKey: string) => readonly string[],
): Waker {
  const isNews = (event: StoreEvent<KubeObject>) =>
    event.type !== 'updated' || concerns(viewOf(event.before), viewOf(event.object));
  return { store: hosts, keysOf: (event) => (isNews(event) ? keysOf(keyOf(event.object)) : []) };
}

/** It is another host, or can be asked now, or no longer; none of its progress. */
export const accessChanged: HostChange = (before, now) => !isSame(accessFacts(before), accessFacts(now));

function accessFacts({ uid, provisionerID, isPaused, isToBeDetached, operationalStatus, state }: HostView) {
  const hasLeft = operationalStatus === 'detached' || state === states.unmanaged;
  return { uid, provisionerID, isPaused, isToBeDetached, hasLeft };
}

/** Besides, it may be asked for its firmware, or no longer. */
export const firmwareAccessChanged: HostChange = (before, now) =>
  accessChanged(before, now) || isSetAside(before) !== isSetAside(now);

/** What can change its firmware is over. */
export const firmwareChangeEnded: HostChange = (before, now) =>
  (before.state === states.preparing && now.state !== states.preparing) ||
  (before.operationalStatus === 'servicing' && now.operationalStatus !== 'servicing');

/**
 * For the objects of a host's name that show its firmware: as long as nothing is wished for in them, the end of a preparing
 * or servicing has changed nothing.
 * @param wishes how many things the object wishes for
 */
export function firmwareWakers(
  hosts: ObjectStore<KubeObject>,
  objects: Pick<ObjectStore<KubeObject>, 'get'>,
  wishes: (object: KubeObject) => number,
): Waker[] {
  const keysOf = (accepts: (object: KubeObject) => boolean) => (key: string) => {
    const object = objects.get(key);
    return object !== undefined && accepts(object) ? [key] : [];
  };
  return [
    hostWaker(
      hosts,
      firmwareAccessChanged,
      keysOf(() => true),
    ),
    hostWaker(
      hosts,
      firmwareChangeEnded,
      keysOf((object) => wishes(object) > 0),
    ),
  ];
}
