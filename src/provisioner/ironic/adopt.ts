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

const start: Row<AdoptData, OperationResult> = async ({ session, node }) =>
  (await changeProvisionState(session, node, 'adopt')).result;

const table: StateTable<AdoptData, OperationResult> = {
  rows: {
    enroll: unexpectedState('cannot adopt'),
    verifying: unexpectedState('cannot adopt'),
    // Deprovisioning takes a manageable node from here by itself.
    manageable: (at) => (at.data.state === 'deprovisioning' ? complete : start(at)),
    adopting: ({ session }) => session.soon(),
    'adopt failed': (at) =>
      at.data.restartOnFailure ? start(at) : failedBy(at.node.lastError, 'Host adoption failed: '),
    active: ({ session, node, data }) => {
      const ours = node.maintenance && node.fault === '' && data.state !== 'deleting';
      return ours ? clearMaintenance(session, node) : complete;
    },
  },
  otherwise: () => complete,
};
