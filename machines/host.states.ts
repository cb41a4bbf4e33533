/** The two names of a lifecycle state: in the chart, and on the wire in `status.provisioning.state`. */

export const lifecycleStates = [
  'none',
  'unmanaged',
  'registering',
  'matchingProfile',
  'inspecting',
  'preparing',
  'available',
  'provisioning',
  'provisioned',
  'externallyProvisioned',
  'deprovisioning',
  'poweringOffBeforeDelete',
  'deleting',
  'deleted',
] as const;

export type LifecycleState = (typeof lifecycleStates)[number];

const wireNames: Readonly<Record<LifecycleState, string>> = {
  none: '',
  unmanaged: 'unmanaged',
  registering: 'registering',
  matchingProfile: 'match profile',
  inspecting: 'inspecting',
  preparing: 'preparing',
  available: 'available',
  provisioning: 'provisioning',
  provisioned: 'provisioned',
  externallyProvisioned: 'externally provisioned',
  deprovisioning: 'deprovisioning',
  poweringOffBeforeDelete: 'powering off before delete',
  deleting: 'deleting',
  // The object is gone once its finalizer is: nobody reads this one.
  deleted: 'deleting',
};

const fromWire = new Map<string, LifecycleState>([
  ...lifecycleStates.filter((state) => state !== 'deleted').map((state) => [wireNames[state], state] as const),
  // Written by old versions of upstream; answered like `available`, never written.
  ['ready', 'available'],
]);

export function wireName(state: LifecycleState): string {
  return wireNames[state];
}

/** Undefined for a string that is no state: such a host must not be touched. */
export function stateFromWire(name: string): LifecycleState | undefined {
  return fromWire.get(name);
}

/** States in which the back end works on the host's disks; each needs a slot. */
export const busyStates: ReadonlySet<string> = new Set(['inspecting', 'provisioning', 'deprovisioning']);

/** States that a detached host may rest in; from any other, only a forced detach takes it away. */
export const detachableStates: ReadonlySet<string> = new Set([
  'provisioned',
  'externally provisioned',
  'ready',
  'available',
]);
