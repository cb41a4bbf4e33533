/** Taking a host out of Ironic: delete and detach. Provisioner spec, section 7.11. */
import { NeedsRegistration, complete, type OperationResult } from '../results.js';
import { isIronicError } from './client/index.js';
import { applyPatch, changeProvisionState, setMaintenance } from './commands.js';
import { atOnce, wrapped, type HostSession } from './host-session.js';
import { findCreatedNode } from './lookup.js';
import type { IronicNode } from './node.js';
import { NodePatch } from './patch.js';
import { follow, type Row, type StateTable } from './state-table.js';

/** @param force aborts what waits for an agent instead of waiting with it. */
export async function removeNode(session: HostSession, force: boolean): Promise<OperationResult> {
  const node = await nodeToRemove(session);
  if (!node) return complete;
  return follow(table, { session, node, data: { force } });
}

type Step = Row<{ readonly force: boolean }, OperationResult>;

const later: Step = ({ session, node }) => session.busy(node, 'it can be removed', session.later());
const deletion: Step = ({ session, node }) => remove(session, node);
const resting: Step = ({ session, node }) => release(session, node);
const waiting: Step = (at) => (at.data.force ? abort(at.session, at.node) : later(at));

const table: StateTable<{ readonly force: boolean }, OperationResult> = {
  rows: {
    // Nothing can hurry it: Ironic holds the lock.
    verifying: ({ session, node }) => session.busy(node, 'it can be removed', session.soon()),
    enroll: deletion,
    available: resting,
    manageable: resting,
    deploying: later,
    cleaning: later,
    inspecting: later,
    servicing: later,
    deleting: later,
    'wait call-back': waiting,
    'inspect wait': waiting,
    'clean wait': waiting,
    'service wait': waiting,
  },
  // Only maintenance lets Ironic delete a node in such a state.
  otherwise: (at) =>
    at.node.maintenance ? deletion(at) : setMaintenance(at.session, at.node, 'Host deletion forced by Ironchart'),
};

/**
 * A host that has no ID on record may have a node nevertheless, when the answer to its creation was lost. A host whose
 * address makes no sense never had one.
 */
async function nodeToRemove(session: HostSession): Promise<IronicNode | undefined> {
  try {
    return await session.node();
  } catch (error) {
    if (!(error instanceof NeedsRegistration)) throw error;
  }
  if (session.host.provisionerID !== '' || session.addressProblem() !== undefined) return undefined;
  const node = await findCreatedNode(session);
  return node && session.keep(node);
}

async function abort(session: HostSession, node: IronicNode): Promise<OperationResult> {
  const tooOld = node.provisionState === 'wait call-back' && !session.features.abortDeploy;
  return (await changeProvisionState(session, node, tooOld ? 'deleted' : 'abort')).result;
}

async function release(session: HostSession, node: IronicNode): Promise<OperationResult> {
  const patch = new NodePatch();
  if (node.instanceUUID !== '') patch.remove('instance_uuid');
  const outcome = await applyPatch(session, node, patch);
  return outcome.applied ? remove(session, outcome.node) : outcome.result;
}

/** Gone already is as good as gone; the next call sees it. */
async function remove(session: HostSession, node: IronicNode): Promise<OperationResult> {
  try {
    await wrapped('failed to remove host', () => session.client.deleteNode(node.uuid));
  } catch (error) {
    if (!isIronicError(error, 'IRONIC_NOT_FOUND')) return session.refused(node, error);
  }
  session.drop(node.uuid);
  session.memory.forget(node.uuid);
  return atOnce;
}
