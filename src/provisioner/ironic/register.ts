/** Register: every host has a node with the right access, ports and settings. Provisioner spec, "Register". */
import { IronchartError } from '../../errors.js';
import { complete, failed, type OperationResult } from '../results.js';
import type { RegisterData, RegisterResult } from '../provisioner.js';
import type { AccessDetails } from '../../hardware/index.js';
import { failedBy } from './bmc-silence.js';
import { applyPatch, changeProvisionState } from './commands.js';
import { isIronicError } from './client/index.js';
import { configureNode } from './configure-node.js';
import { createNode } from './create-node.js';
import { externalURL } from './external-url.js';
import type { HostSession } from './host-session.js';
import { nodeName } from './identity.js';
import { findExistingNode, MACConflict } from './lookup.js';
import type { IronicNode } from './node.js';
import { NodePatch } from './patch.js';
import { ensurePorts } from './ports.js';
import { parseObject } from './yaml-object.js';

export async function register(session: HostSession, data: RegisterData): Promise<RegisterResult> {
  const problem = session.addressProblem();
  if (problem !== undefined) {
    return { result: failed(`failed to parse BMC address information: ${problem}`), provisionerID: '' };
  }
  const access = session.access();
  const refusal = refusalOf(session, access, data);
  if (refusal) return { result: failed(refusal), provisionerID: '' };

  const found = await existingNode(session);
  if ('result' in found) return { ...found, provisionerID: '' };
  if ((access.needsMAC || data.disableInspection) && session.host.bootMACAddress === '') {
    return { result: failed(`BMC driver ${access.type} requires a BootMACAddress value`), provisionerID: '' };
  }
  const known = found.node ? { node: found.node, created: false } : await createNode(session, data);
  if (!known.node) return { result: known.result, provisionerID: '' };
  const result = await bringUp(session, known.node, known.created, data);
  const { uuid, createdAt, provisionState } = known.node;
  const isNew = ['enroll', 'verifying'].includes(provisionState);
  return { result, provisionerID: uuid, isNew, ...(createdAt === '' ? {} : { createdAt }) };
}

/** Why this host cannot be managed as it is; undefined: it can. */
function refusalOf(session: HostSession, access: AccessDetails, data: RegisterData): string | undefined {
  const driver = `BMC driver ${access.type}`;
  if (data.inspectionMode === 'fast' && !access.interfaces.inspect) {
    return `${driver} does not support fast (out-of-band) inspection`;
  }
  if (data.bootMode === 'UEFISecureBoot' && !access.supportsSecureBoot) return `${driver} does not support secure boot`;
  if (access.requiresProvisioningNetwork && session.config.provisioningNetworkDisabled) {
    return `${driver} requires a provisioning network`;
  }
  if (data.disablePowerOff && !session.features.disablePowerOff) {
    return 'this version of Ironic does not support DisablePowerOff: refusing to manage the host';
  }
  return undefined;
}

async function existingNode(
  session: HostSession,
): Promise<{ node: IronicNode | undefined } | { result: OperationResult }> {
  try {
    const node = await findExistingNode(session);
    return { node: node && session.keep(node) };
  } catch (error) {
    if (error instanceof MACConflict) return { result: failed(error.message) };
    if (isIronicError(error)) throw error.during('failed to find existing host');
    if (!(error instanceof IronchartError)) throw error;
    throw new IronchartError(error.code, `failed to find existing host: ${error.message}`, { retry: error.retry });
  }
}

async function bringUp(
  session: HostSession,
  node: IronicNode,
  created: boolean,
  data: RegisterData,
): Promise<OperationResult> {
  await ensurePorts(session, node, created, data.hardware);
  const patch = created ? new NodePatch() : await accessPatch(session, node, data);
  if (!session.config.imageBuilder && data.preprovisioningNetworkData !== '') {
    const wanted = parseObject('preprovisioningNetworkData', data.preprovisioningNetworkData);
    patch.field('network_data', node.networkData, wanted);
  }
  const outcome = await applyPatch(session, node, patch);
  return outcome.applied ? settle(session, outcome.node, data) : outcome.result;
}

/** Name, access and the like of a node that was there before. Its driver and interfaces are never changed. */
async function accessPatch(session: HostSession, node: IronicNode, data: RegisterData): Promise<NodePatch> {
  const patch = new NodePatch().field('name', node.name, nodeName(session.host));
  // Ironic never shows a password, so what it shows cannot be compared as a whole.
  const isElsewhere = !sameAddress(session.access().driverInfo(nobody), node.driverInfo);
  const credentials = data.credentialsChanged || isElsewhere ? await session.host.credentials() : undefined;
  if (credentials) {
    const driverInfo = { ...session.access().driverInfo(credentials), ...(await externalURL(session)) };
    patch.field('driver_info', undefined, driverInfo);
  }
  patch.field('disable_power_off', node.disablePowerOff, data.disablePowerOff);
  if (data.cpuArchitecture !== '') patch.section('properties', node.properties, { cpu_arch: data.cpuArchitecture });
  return patch;
}

/** Who logs in is no part of an address. */
const nobody = { username: '', password: '' };

function sameAddress(wanted: Record<string, unknown>, present: Record<string, unknown>): boolean {
  const addressKey = (info: Record<string, unknown>) => Object.keys(info).find((key) => key.endsWith('_address'));
  const key = addressKey(wanted);
  return key === addressKey(present) && (key === undefined || wanted[key] === present[key]);
}

async function settle(session: HostSession, node: IronicNode, data: RegisterData): Promise<OperationResult> {
  switch (node.provisionState) {
    case 'enroll':
      return enroll(session, node, data);
    case 'verifying':
      return reachingBMC(session, node);
    case 'clean wait':
    case 'cleaning':
    case 'wait call-back':
    case 'deploying':
    case 'inspecting':
      return complete;
    default:
      return configureNode(session, node, data);
  }
}

async function enroll(session: HostSession, node: IronicNode, data: RegisterData): Promise<OperationResult> {
  if (node.lastError !== '' && !data.credentialsChanged && !data.restartOnFailure) return failedBy(node.lastError);
  // Ironic reports the state that it works towards; older notes speak of the verb.
  if (['manage', 'manageable'].includes(node.targetProvisionState)) return reachingBMC(session, node);
  return (await changeProvisionState(session, node, 'manage')).result;
}

/** A host may be registered anew in any state, also in those of which nothing else is told. */
function reachingBMC(session: HostSession, { uuid, provisionState }: IronicNode): OperationResult {
  return session.held(uuid, `Ironic to reach its BMC: its node is ${JSON.stringify(provisionState)}`, session.soon());
}
