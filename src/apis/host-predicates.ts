/** Questions about a host that controllers, webhooks and the chart answer alike. Pure. */
import { bootModes, type BareMetalHostSpec, type NetworkInterface } from './bare-metal-host-spec.js';
import type { CredentialsStatus, OperationMetric } from './bare-metal-host-status.js';
import type { BareMetalHost } from './bare-metal-host.js';
import { annotations } from './names.js';
import type { RAIDConfig } from './raid.js';

export type HostBootMode = (typeof bootModes)[number];

/** The boot mode wanted; UEFI unless the host names another known one. */
export function bootMode(host: Pick<BareMetalHost, 'spec'>): HostBootMode {
  return bootModes.find((mode) => mode === host.spec.bootMode) ?? 'UEFI';
}

export function hasBMCDetails(host: Pick<BareMetalHost, 'spec'>): boolean {
  const bmc = host.spec.bmc;
  return bmc !== undefined && (bmc.address !== '' || bmc.credentialsName !== '');
}

export function inspectionDisabled(host: Pick<BareMetalHost, 'spec' | 'metadata'>): boolean {
  return host.spec.inspectionMode === 'disabled' || host.metadata.annotations?.[annotations.inspect] === 'disabled';
}

/** The operator itself has put something on the host. */
export function wasProvisioned(host: Pick<BareMetalHost, 'spec' | 'status'>): boolean {
  if (host.spec.externallyProvisioned) return false;
  const provisioning = host.status?.provisioning;
  return (provisioning?.image?.url ?? '') !== '' || provisioning?.customDeploy !== undefined;
}

export function needsHardwareInspection(host: Pick<BareMetalHost, 'spec' | 'status' | 'metadata'>): boolean {
  if (host.spec.externallyProvisioned || wasProvisioned(host) || inspectionDisabled(host)) return false;
  return host.status?.hardware === undefined;
}

/** A first image or a new custom deploy is wanted. A changed image is not: it deprovisions first. */
export function needsProvisioning(host: Pick<BareMetalHost, 'spec' | 'status'>): boolean {
  return host.spec.online && (hasNewImage(host) || hasNewCustomDeploy(host));
}

function hasNewImage({ spec, status }: Pick<BareMetalHost, 'spec' | 'status'>): boolean {
  return (spec.image?.url ?? '') !== '' && (status?.provisioning.image?.url ?? '') === '';
}

function hasNewCustomDeploy({ spec, status }: Pick<BareMetalHost, 'spec' | 'status'>): boolean {
  const wanted = spec.customDeploy?.method ?? '';
  return wanted !== '' && status?.provisioning.customDeploy?.method !== wanted;
}

/** One version of a Secret. */
export interface SecretVersion {
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
}

/** Name, namespace and version are all the same; nothing recorded matches nothing. */
export function credentialsMatch(recorded: CredentialsStatus | undefined, secret: SecretVersion): boolean {
  const reference = recorded?.credentials;
  return (
    reference?.name === secret.name &&
    reference.namespace === secret.namespace &&
    recorded?.credentialsVersion === secret.resourceVersion
  );
}

/** How many software volumes claim to be the root volume; more than one is a mistake. */
export function rootVolumeCount(raid: RAIDConfig | undefined): number {
  return (raid?.softwareRAIDVolumes ?? []).filter((volume) => volume.rootVolume === true).length;
}

/** What tells the interface from the others: its MAC address if given, else its name; "" for neither. */
export function networkInterfaceKey(nic: Pick<NetworkInterface, 'macAddress' | 'name'>): string {
  return nic.macAddress || nic.name || '';
}

export function isValidNetworkInterface(nic: Pick<NetworkInterface, 'macAddress' | 'name'>): boolean {
  return networkInterfaceKey(nic) !== '';
}

/** Milliseconds from begin to end; 0 when it never began or has not ended. */
export function operationDuration(metric: OperationMetric | undefined): number {
  if (!metric?.start || !metric.end) return 0;
  const duration = Date.parse(metric.end) - Date.parse(metric.start);
  return Number.isNaN(duration) ? 0 : duration;
}

/** The Secret with the BMC credentials, always in the host's own namespace. */
export function credentialsKey(host: { metadata: BareMetalHost['metadata']; spec: BareMetalHostSpec }) {
  return { namespace: host.metadata.namespace ?? '', name: host.spec.bmc?.credentialsName ?? '' };
}
