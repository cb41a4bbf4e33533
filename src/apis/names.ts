/** Names and values that clients see and rely on. */

export const apiGroup = 'metal3.io';
export const apiVersion = 'v1alpha1';
export const groupVersion = `${apiGroup}/${apiVersion}`;

export const finalizers = {
  host: 'baremetalhost.metal3.io',
  /** On the BMC Secret and on the Secret of the preprovisioning network data. */
  secret: 'baremetalhost.metal3.io/secret',
  hardwareData: 'baremetalhost.metal3.io/hardwareData',
  /** Of the image controller, and of the host controller. */
  preprovisioningImage: 'preprovisioningimage.metal3.io',
  preprovisioningImageOfHost: 'baremetalhost.metal3.io/preprovisioningImage',
  bmcEventSubscription: 'bmceventsubscription.metal3.io',
  dataImage: 'dataimage.metal3.io',
  hostClaim: 'metal3.io/hostclaim',
} as const;

/** A Secret that carries it is cached; the operator adds it to every Secret that it claims. */
export const secretLabel = { name: 'environment.metal3.io', value: 'baremetal' } as const;

export const annotations = {
  /** Present, with any value: the host is left alone. */
  paused: 'baremetalhost.metal3.io/paused',
  /** Present: the host leaves the back end. May hold JSON `{"deleteAction":"delay"|"delete","force":bool}`. */
  detached: 'baremetalhost.metal3.io/detached',
  /** JSON copy of a status, taken when the host has none, then removed. */
  status: 'baremetalhost.metal3.io/status',
  /** `disabled`: no inspection. Any other value: inspect again; removed when that begins. */
  inspect: 'inspect.metal3.io',
  /** JSON HardwareDetails, taken as if found by inspection, then removed. */
  hardwareDetails: 'inspect.metal3.io/hardwaredetails',
  /** Reboot once. Empty, or JSON `{"mode":"hard"|"soft","force":bool}`. */
  reboot: 'reboot.metal3.io',
  /** With a key of a client's choice after it: the host stays off while present. */
  rebootPrefix: 'reboot.metal3.io/',
  /** Ends a long pause after a failure at once; removed when taken. */
  retry: 'ironchart.io/retry',
  /** Of a HostClaim, by the operator: the host that it is going to take, and the version that it was chosen at. */
  chosenHost: 'ironchart.io/chosen-host',
} as const;

/** `status.provisioning.state`. */
export const states = {
  none: '',
  unmanaged: 'unmanaged',
  registering: 'registering',
  inspecting: 'inspecting',
  preparing: 'preparing',
  available: 'available',
  provisioning: 'provisioning',
  provisioned: 'provisioned',
  externallyProvisioned: 'externally provisioned',
  deprovisioning: 'deprovisioning',
  poweringOffBeforeDelete: 'powering off before delete',
  deleting: 'deleting',
  /** Old name of available; read, never written. */
  ready: 'ready',
  /** A state of old; read, never written. */
  matchProfile: 'match profile',
} as const;
export type ProvisioningState = (typeof states)[keyof typeof states];

export function isProvisioningState(value: string): value is ProvisioningState {
  return (Object.values(states) as string[]).includes(value);
}

/** `status.operationalStatus`. */
export const operationalStatuses = ['', 'OK', 'discovered', 'error', 'delayed', 'detached', 'servicing'] as const;
export type OperationalStatus = (typeof operationalStatuses)[number];

/** `status.errorType`. */
export const errorTypes = [
  'provisioned registration error',
  'registration error',
  'inspection error',
  'preparation error',
  'provisioning error',
  'power management error',
  'servicing error',
] as const;
export type ErrorType = (typeof errorTypes)[number];

export const conditionTypes = {
  ready: 'Ready',
  availableForProvisioning: 'AvailableForProvisioning',
  healthy: 'Healthy',
  manageable: 'Manageable',
  progressing: 'Progressing',
  provisioned: 'Provisioned',
} as const;
export type ConditionType = (typeof conditionTypes)[keyof typeof conditionTypes];

export const conditionReasons = {
  notManaged: 'NotManaged',
  notAvailable: 'NotAvailable',
  notProvisioned: 'NotProvisioned',
  notProgressing: 'NotProgressing',
  registering: 'Registering',
  registrationFailed: 'RegistrationFailed',
  manageable: 'Manageable',
  inspecting: 'Inspecting',
  preparing: 'Preparing',
  provisioning: 'Provisioning',
  deprovisioning: 'Deprovisioning',
  poweringOffBeforeDelete: 'PoweringOffBeforeDelete',
  deleting: 'Deleting',
  available: 'Available',
  provisioned: 'Provisioned',
  error: 'Error',
  servicing: 'Servicing',
  detached: 'Detached',
  powerFailure: 'PowerFailure',
  healthy: 'Healthy',
  warning: 'Warning',
  criticalError: 'CriticalError',
  unknown: 'Unknown',
} as const;
export type ConditionReason = (typeof conditionReasons)[keyof typeof conditionReasons];
