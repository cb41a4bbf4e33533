/** Adoption: a node that Ironic lost is told what runs on it. Provisioner spec, section 7.3. */
import { complete, type OperationResult } from '../results.js';
import type { AdoptData } from '../provisioner.js';
import { failedBy } from './bmc-silence.js';
import { changeProvisionState, clearMaintenance } from './commands.js';
import type { HostSession } from './host-session.js';
import { follow, unexpectedState, type Row, type StateTable } from './state-table.js';

export async function adopt(session: HostSession, data: AdoptData): Promise<OperationResult> {
  return follow(table, { session, data, node: await session.node() });
}

const ask =
  (target: 'adopt' | 'manage'): Row<AdoptData, OperationResult> =>
  async ({ session, node }) =>
    (await changeProvisionState(session, node, target)).result;

const start = ask('adopt');
const manage = ask('manage');

const table: StateTable<AdoptData, OperationResult> = {
  rows: {
    enroll: unexpectedState('cannot adopt'),
    verifying: unexpectedState('cannot adopt'),
    // Deprovisioning takes a manageable node from here by itself.
    manageable: (at) => (at.data.state === 'deprovisioning' ? complete : start(at)),
    // A host that had an image of ours once is left there, and Ironic adopts from `manageable` alone. One that is said to be
    // provisioned by us is none that was free: there somebody has undeployed the node, and is told so.
    available: (at) => (at.data.state === 'externally provisioned' ? manage(at) : complete),
    adopting: ({ session, node }) => session.busy(node, 'its host can be looked after', session.soon()),
    'adopt failed': (at) =>
      at.data.restartOnFailure ? start(at) : failedBy(at.node.lastError, 'Host adoption failed: '),
    active: ({ session, node, data }) => {
      const ours = node.maintenance && node.fault === '' && data.state !== 'deleting';
      return ours ? clearMaintenance(session, node) : complete;
    },
  },
  otherwise: () => complete,
};
