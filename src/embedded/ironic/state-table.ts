/** Ironic's provision states, as they are written on the wire. */
export const provisionStates = [
  'enroll',
  'verifying',
  'manageable',
  'inspecting',
  'inspect wait',
  'inspect failed',
  'cleaning',
  'clean wait',
  'clean failed',
  'available',
  'deploying',
  'wait call-back',
  'deploy failed',
  'active',
  'deleting',
  'error',
  'adopting',
  'adopt failed',
  'servicing',
  'service wait',
  'service failed',
] as const;
export type ProvisionState = (typeof provisionStates)[number];

export type Verb =
  'manage' | 'provide' | 'inspect' | 'active' | 'rebuild' | 'deleted' | 'clean' | 'adopt' | 'abort' | 'service';

/** Which verbs a client may send in which state; anything else is refused (Ironic's state machine, rescue left out). */
export const acceptedVerbs: Readonly<Record<ProvisionState, readonly Verb[]>> = {
  enroll: ['manage'],
  verifying: [],
  manageable: ['provide', 'inspect', 'clean', 'adopt'],
  inspecting: [],
  'inspect wait': ['abort'],
  'inspect failed': ['manage', 'inspect'],
  cleaning: [],
  'clean wait': ['abort'],
  'clean failed': ['manage'],
  available: ['active', 'manage'],
  deploying: [],
  'wait call-back': ['deleted', 'abort'],
  'deploy failed': ['active', 'rebuild', 'deleted'],
  active: ['rebuild', 'deleted', 'service'],
  deleting: [],
  error: ['rebuild', 'deleted'],
  adopting: [],
  'adopt failed': ['adopt', 'manage'],
  servicing: [],
  'service wait': ['abort', 'deleted'],
  'service failed': ['service', 'abort', 'deleted'],
};

/** Newer names of verbs mean the old ones. */
export const verbAliases: Readonly<Record<string, Verb>> = { deploy: 'active', undeploy: 'deleted' };

/** First minor version of the API that takes a verb. */
export const verbSince: Readonly<Record<string, number>> = {
  manage: 4,
  provide: 4,
  inspect: 6,
  abort: 13,
  clean: 15,
  adopt: 17,
  deploy: 73,
  undeploy: 73,
};

/** A node in transition may not be changed, except in these states. */
export const patchableInTransition: ReadonlySet<string> = new Set([
  'deploy failed',
  'inspecting',
  'inspect failed',
  'inspect wait',
  'clean failed',
  'error',
  'verifying',
  'adopt failed',
  'service failed',
]);

/** Interfaces of a node may be changed in these states, or in maintenance. */
export const interfaceChangeable: ReadonlySet<string> = new Set([
  'enroll',
  'inspecting',
  'inspect wait',
  'manageable',
  'available',
]);

export const deletableStates: readonly ProvisionState[] = ['manageable', 'enroll', 'adopt failed', 'available'];

/** States that take one of the operator's provisioning slots. */
export const busyStates: ReadonlySet<string> = new Set([
  'cleaning',
  'clean wait',
  'inspecting',
  'inspect wait',
  'deploying',
  'wait call-back',
  'deleting',
]);
