/** Commands to a node, with the answers that mean "not now" told apart from failures. */
import { awaiting, failed, type OperationResult } from '../results.js';
import { isIronicError, type JSONRecord } from './client/index.js';
import { atOnce, wrapped, type HostSession } from './host-session.js';
import { toNode, type IronicNode } from './node.js';
import type { NodePatch } from './patch.js';

export interface CommandOutcome {
  /** Ironic took the command. */
  readonly accepted: boolean;
  readonly result: OperationResult;
}

export type PatchOutcome =
  { readonly applied: true; readonly node: IronicNode } | { readonly applied: false; readonly result: OperationResult };

/** Sends the patch if it holds anything. A refused value is the host's fault: a person must see it. */
export async function applyPatch(session: HostSession, node: IronicNode, patch: NodePatch): Promise<PatchOutcome> {
  if (patch.isEmpty) return { applied: true, node };
  const doing = 'failed to update host settings in ironic';
  try {
    const answer = await wrapped(doing, () => session.client.patchNode(node.uuid, patch.operations));
    session.memory.goesOn(node.uuid);
    return { applied: true, node: session.keep(toNode(answer)) };
  } catch (error) {
    if (isIronicError(error, 'IRONIC_BAD_REQUEST')) return { applied: false, result: failed(error.message) };
    return { applied: false, result: session.refused(node, error) };
  }
}

export type ProvisionTarget =
  'manage' | 'provide' | 'inspect' | 'abort' | 'clean' | 'adopt' | 'active' | 'deleted' | 'service';

/** Asks for a change of state, unless the node is at fault or in maintenance: that is dealt with first. */
export async function changeProvisionState(
  session: HostSession,
  node: IronicNode,
  target: ProvisionTarget,
  extras: JSONRecord = {},
): Promise<CommandOutcome> {
  if (node.fault !== '') {
    const result = awaiting(session.later(), `the fault "${node.fault}" of its Ironic node to end`);
    return { accepted: false, result };
  }
  if (node.maintenance) return { accepted: false, result: await clearMaintenance(session, node) };
  return requestState(session, node, target, extras);
}

/** The same without a look at fault and maintenance. */
export async function requestState(
  session: HostSession,
  node: IronicNode,
  target: ProvisionTarget,
  extras: JSONRecord = {},
): Promise<CommandOutcome> {
  const doing = `failed to change provisioning state to ${JSON.stringify(target)}`;
  return command(session, node, doing, 'soon', () =>
    session.client.setProvisionState(node.uuid, { target, ...extras }),
  );
}

export async function setMaintenance(session: HostSession, node: IronicNode, reason: string): Promise<OperationResult> {
  const outcome = await command(session, node, 'failed to set host maintenance flag', 'atOnce', () =>
    session.client.setMaintenance(node.uuid, reason),
  );
  return outcome.result;
}

export async function clearMaintenance(session: HostSession, node: IronicNode): Promise<OperationResult> {
  const outcome = await command(session, node, 'failed to set host maintenance flag', 'atOnce', () =>
    session.client.clearMaintenance(node.uuid),
  );
  return outcome.result;
}

/** 409 (locked, or not in this state) is no failure: look again soon. */
export async function command(
  session: HostSession,
  node: IronicNode,
  doing: string,
  next: 'soon' | 'atOnce',
  send: () => Promise<void>,
): Promise<CommandOutcome> {
  try {
    await wrapped(doing, send);
  } catch (error) {
    return { accepted: false, result: session.refused(node, error) };
  }
  session.drop(node.uuid);
  return { accepted: true, result: next === 'soon' ? session.soon() : atOnce };
}
