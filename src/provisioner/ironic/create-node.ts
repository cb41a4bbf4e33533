/** Registering a host that has no node yet. */
import { failed, type OperationResult } from '../results.js';
import type { RegisterData } from '../provisioner.js';
import { isLiveISO } from '../../apis/index.js';
import { capabilities } from './capabilities.js';
import { isIronicError, type IronicError, type JSONRecord } from './client/index.js';
import { externalURL } from './external-url.js';
import { wrapped, type HostSession } from './host-session.js';
import { derivedUUID, nodeName } from './identity.js';
import { findCreatedNode } from './lookup.js';
import { toNode, type IronicNode } from './node.js';
import { refusalOf } from './node-refusal.js';

export type Creation =
  | { readonly node: IronicNode; readonly created: boolean }
  | { readonly node: undefined; readonly result: OperationResult };

/** A conflict may be our own node, whose creation we never heard of: look once more before waiting. */
export async function createNode(session: HostSession, data: RegisterData): Promise<Creation> {
  const body = await createBody(session, data);
  if (body === undefined) return { node: undefined, result: failed('there are no BMC credentials to register with') };
  let refusal: IronicError;
  try {
    const answer = await wrapped('failed to register host in ironic', () => session.client.createNode(body));
    const node = toNode(answer);
    // A node of the same identity may have been there before.
    session.memory.forget(node.uuid);
    session.publish('Registered', 'The host is registered');
    return { node: session.keep(node), created: true };
  } catch (error) {
    if (isIronicError(error, 'IRONIC_BAD_REQUEST')) return { node: undefined, result: failed(error.message) };
    if (!isIronicError(error, 'IRONIC_CONFLICT')) throw error;
    refusal = error;
  }
  const ours = await findCreatedNode(session);
  if (ours) return { node: session.keep(ours), created: false };
  // Nothing holds a lock of a node that is not there: only Ironic's own words tell why.
  const { what, tell } = refusalOf({ reservation: '' }, refusal);
  return { node: undefined, result: session.held(session.host.uid, what, session.soon(), tell) };
}

async function createBody(session: HostSession, data: RegisterData): Promise<JSONRecord | undefined> {
  const { host } = session;
  const credentials = await host.credentials();
  if (credentials === undefined) return undefined;
  const access = session.access();
  const { inspect, ...interfaces } = access.interfaces;
  const named = Object.entries(interfaces).map(([kind, value]): [string, unknown] => [`${kind}_interface`, value]);
  const uuid = derivedUUID(host.uid);
  return {
    ...(uuid !== undefined && { uuid }),
    driver: access.driver,
    name: nodeName(host),
    driver_info: { ...access.driverInfo(credentials), ...(await externalURL(session)) },
    ...Object.fromEntries(named),
    ...deployInterface(data),
    inspect_interface: data.inspectionMode === 'fast' ? inspect : 'agent',
    // Where Ironic does not know the field it refuses a node that is made with it, be it with `false`; a wish for it is refused before.
    ...(session.features.disablePowerOff && { disable_power_off: data.disablePowerOff }),
    properties: { capabilities: capabilities(data.bootMode), cpu_arch: data.cpuArchitecture },
  };
}

function deployInterface(data: RegisterData): { deploy_interface?: string } {
  if (data.hasCustomDeploy) return { deploy_interface: 'custom-agent' };
  return isLiveISO(data.currentImage) ? { deploy_interface: 'ramdisk' } : {};
}
