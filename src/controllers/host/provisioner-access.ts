/** The provisioner of a pass, and the one way past a back end that is away: a host that was set aside may be let go. */
import { detachRequest } from '../../../machines/index.js';
import type { HostAccess, Provisioner } from '../../provisioner/index.js';
import { AbsentProvisioner, ProvisionerNotReady } from '../../provisioner/index.js';
import { type CredentialsReader, discreet, Discretion } from './discretion.js';
import type { HostDependencies } from './dependencies.js';
import type { PassScope } from './scope.js';

export async function provisionerFor(
  deps: HostDependencies,
  scope: PassScope,
  credentials: CredentialsReader,
  /** Who has last changed `spec.online`, and when, in words. */
  switchedBy?: string,
): Promise<Provisioner> {
  const { telling, signal } = scope;
  try {
    const discretion = new Discretion(credentials);
    const publish = discretion.publisher((reason, message) =>
      telling.queue(reason, reason === 'PowerOff' ? message + causeOf(scope, switchedBy) : message),
    );
    const access = accessOf(scope, discretion.credentials);
    return discreet(await deps.provisioners.forHost(access, publish, signal), discretion);
  } catch (error) {
    if (!(error instanceof ProvisionerNotReady)) throw error;
    deps.metrics.count('metal3_provisioner_not_ready_total');
    if (!isSetAside(scope)) throw error;
    const node = scope.status.provisioning.ID || 'none known';
    telling.now(
      'ReleasedWithoutIronic',
      `Deleted while Ironic was away, as the detached annotation allows; a node that it still has must be removed there: ${node}`,
    );
    return new AbsentProvisioner();
  }
}

/** Why a host is switched off: its deletion, a request to reboot, or somebody's wish that it be off. */
function causeOf({ host, status }: PassScope, switchedBy: string | undefined): string {
  if (host.metadata.deletionTimestamp !== undefined)
    return `: the host was deleted at ${host.metadata.deletionTimestamp}`;
  if (host.spec.online) return ': a reboot was asked for by an annotation';
  const by = switchedBy === undefined ? '' : `, set ${switchedBy}`;
  return `: spec.online is false${by} (the host is ${status.provisioning.state})`;
}

function isSetAside({ host, status }: PassScope): boolean {
  if (host.metadata.deletionTimestamp === undefined) return false;
  const { present, delaysDeletion } = detachRequest(host, status.operationalStatus === 'detached');
  return present && !delaysDeletion;
}

function accessOf({ host, status }: PassScope, credentials: CredentialsReader): HostAccess {
  const { namespace = '', name = '', uid = '' } = host.metadata;
  return {
    namespace,
    name,
    uid,
    bmcAddress: host.spec.bmc?.address ?? '',
    disableCertificateVerification: host.spec.bmc?.disableCertificateVerification === true,
    credentials,
    bootMACAddress: host.spec.bootMACAddress ?? '',
    provisionerID: status.provisioning.ID,
  };
}
