/** Deprovisioning: take the image off and clean. Provisioner spec, section 7.10. */
import { complete, failed, type OperationResult } from '../results.js';
import type { DeprovisionData } from '../provisioner.js';
import { changeProvisionState, type ProvisionTarget } from './commands.js';
import { wantsCleaning } from './configure-node.js';
import { toldReason } from './failure-reason.js';
import { atOnce, wrapped, type HostSession } from './host-session.js';
import { toNode, type IronicNode } from './node.js';
import { follow, unexpectedState, type Row, type StateTable } from './state-table.js';

type Step = Row<DeprovisionData, OperationResult>;

export async function deprovision(session: HostSession, data: DeprovisionData): Promise<OperationResult> {
  return follow(table, { session, data, node: await session.node() });
}

const later: Step = ({ session }) => session.later();

/** It is in the midst of something else. */
const other: Step = ({ session, node }) => session.busy(node, 'its disks can be cleaned', session.later());

const change =
  (target: ProvisionTarget): Step =>
  async ({ session, node }) =>
    (await changeProvisionState(session, node, target)).result;

const takeOff: Step = ({ session, node, data }) =>
  node.automatedClean === wantsCleaning(data.automatedCleaningMode)
    ? undeploy(session, node, 'Cleaning the host')
    : setCleaning(session, node, data);

const table: StateTable<DeprovisionData, OperationResult> = {
  rows: {
    error: ({ session, node, data }) =>
      data.restartOnFailure
        ? undeploy(session, node, 'Cleaning the host once more')
        : toldReason(session, node, (reason) => failed(`Deprovisioning failed: ${reason}`)),
    'clean failed': ({ session, node, data }) =>
      data.restartOnFailure
        ? cleanAgain(session, node)
        : toldReason(session, node, (reason) => failed(`Cleaning failed: ${reason}`)),
    manageable: change('provide'),
    available: ({ session }) => {
      session.publish('DeprovisioningComplete', 'The host is clean');
      return complete;
    },
    deleting: later,
    cleaning: later,
    'clean wait': later,
    deploying: other,
    active: takeOff,
    'deploy failed': takeOff,
    'wait call-back': takeOff,
    // A servicing is ended first; what it leaves is undeployed like any other node in use.
    servicing: other,
    'service wait': change('abort'),
    'service hold': change('abort'),
    'service failed': takeOff,
    // Ironic knows of nothing that is deployed on these: they are cleaned by way of `manageable`.
    adopting: other,
    'adopt failed': change('manage'),
    inspecting: other,
    'inspect wait': change('abort'),
    'inspect failed': change('manage'),
  },
  otherwise: unexpectedState('cannot deprovision'),
};

async function undeploy(session: HostSession, node: IronicNode, message: string): Promise<OperationResult> {
  const { accepted, result } = await changeProvisionState(session, node, 'deleted');
  if (accepted) session.publish('DeprovisioningStarted', message);
  return result;
}

async function setCleaning(session: HostSession, node: IronicNode, data: DeprovisionData): Promise<OperationResult> {
  const value = wantsCleaning(data.automatedCleaningMode);
  try {
    const answer = await wrapped('failed to update automatedClean', () =>
      session.client.patchNode(node.uuid, [{ op: 'add', path: '/automated_clean', value }]),
    );
    session.keep(toNode(answer));
    return atOnce;
  } catch (error) {
    return session.refused(node, error);
  }
}

/**
 * A retry lifts the maintenance and goes on in the same call: a pass in between would forget that this is a retry, and
 * report the same failure again. A lock is therefore an error here, so that nothing is forgotten.
 */
async function cleanAgain(session: HostSession, node: IronicNode): Promise<OperationResult> {
  if (!node.maintenance) return (await changeProvisionState(session, node, 'manage')).result;
  await wrapped('failed to set host maintenance flag', () => session.client.clearMaintenance(node.uuid));
  session.drop(node.uuid);
  return (await changeProvisionState(session, await session.node(), 'manage')).result;
}
