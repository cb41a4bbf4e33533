/** What a claim goes by of a host. Pure. */
import { annotations, apiGroup, groupVersion, states } from '../../apis/index.js';
import { keyOf, type KubeObject, parseKey } from '../../kube/index.js';
import type { Labels } from './policy.js';

export interface HostFacts {
  /** `namespace/name`. */
  readonly key: string;
  readonly namespace: string;
  /** Of the object, as it was read. */
  readonly version: string;
  readonly labels: Labels;
  readonly isTaken: boolean;
  /** `namespace/name` of the claim that has it; undefined: none has. */
  readonly claim: string | undefined;
  /** Why nobody may have it now; undefined: it is free. */
  readonly obstacle: Obstacle | undefined;
}

/** In the order in which they count: a host is told of with the first. */
export const obstacles = [
  'in use',
  'being deleted',
  'paused',
  'in error',
  'with an image of its own',
  'not available',
] as const;
export type Obstacle = (typeof obstacles)[number];

interface Wire {
  readonly spec?: {
    readonly consumerRef?: ConsumerRef | null;
    readonly image?: { readonly url?: string } | null;
    readonly customDeploy?: { readonly method?: string } | null;
  };
  readonly status?: { readonly errorMessage?: string; readonly provisioning?: { readonly state?: string } };
}

interface ConsumerRef {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

export function factsOf(object: KubeObject): HostFacts {
  const { namespace = '', resourceVersion = '', labels = {} } = object.metadata;
  const consumer = (object as Wire).spec?.consumerRef ?? undefined;
  return {
    ...{ key: keyOf(object), namespace, version: resourceVersion, labels },
    isTaken: consumer !== undefined,
    claim: claimIn(consumer),
    obstacle: obstacleTo(object),
  };
}

function claimIn(consumer: ConsumerRef | undefined): string | undefined {
  const { apiVersion = '', kind, name = '', namespace = '' } = consumer ?? {};
  if (kind !== 'HostClaim' || !apiVersion.startsWith(`${apiGroup}/`)) return undefined;
  return `${namespace}/${name}`;
}

function hasWish(object: KubeObject): boolean {
  const { image, customDeploy } = (object as Wire).spec ?? {};
  return Boolean(image?.url) || Boolean(customDeploy?.method);
}

function obstacleTo(object: KubeObject): Obstacle | undefined {
  const { metadata } = object;
  const { spec, status } = object as Wire;
  const state = status?.provisioning?.state ?? '';
  const found: Readonly<Record<Obstacle, boolean>> = {
    'in use': (spec?.consumerRef ?? undefined) !== undefined,
    'being deleted': metadata.deletionTimestamp !== undefined,
    paused: Object.hasOwn(metadata.annotations ?? {}, annotations.paused),
    'in error': (status?.errorMessage ?? '') !== '',
    // Somebody else's system is about to run on it.
    'with an image of its own': hasWish(object),
    'not available': state !== states.available && state !== states.ready,
  };
  return obstacles.find((each) => found[each]);
}

/** What a host says of the claim that has it. */
export function consumerRefOf(claimKey: string): Required<ConsumerRef> {
  return { apiVersion: groupVersion, kind: 'HostClaim', ...parseKey(claimKey) };
}

/** A host as it was chosen; the write that takes it succeeds at this version of it alone. */
export interface Choice {
  readonly host: string;
  readonly version: string;
}

export function noteOf({ host, version }: Choice): string {
  return `${host}@${version}`;
}

/** Undefined: there is none, or nothing that one can be read from. */
export function readNote(text: string | undefined): Choice | undefined {
  const [, host, version] = /^([^/@]+\/[^/@]+)@([^/@]+)$/.exec(text ?? '') ?? [];
  return host === undefined || version === undefined ? undefined : { host, version };
}
