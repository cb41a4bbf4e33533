/** Preparing: what must be set up before an image is written. Provisioner spec, section 7.4. */
import { complete, failed, type OperationResult } from '../results.js';
import type { PrepareData, PrepareResult } from '../provisioner.js';
import { changeProvisionState, clearMaintenance } from './commands.js';
import type { HostSession } from './host-session.js';
import type { IronicNode } from './node.js';
import { raidMustChange } from './raid-changes.js';
import { follow, nodeInUse, unexpectedState, type StateTable } from './state-table.js';

export async function prepare(session: HostSession, data: PrepareData): Promise<PrepareResult> {
  session.access();
  return follow(table, { session, data, node: await session.node() });
}

const table: StateTable<PrepareData, PrepareResult> = {
  rows: {
    available: ({ data }) => settings(data),
    manageable: ({ data }) => settings(data),
    'clean failed': async ({ session, node, data }) => ({
      result: await cleanFailed(session, node, data),
      started: false,
    }),
    cleaning: ({ session }) => ({ result: session.later(), started: false }),
    'clean wait': ({ session }) => ({ result: session.later(), started: false }),
    active: nodeInUse,
  },
  otherwise: unexpectedState('cannot prepare'),
};

function settings(data: PrepareData): PrepareResult {
  if (!data.unprepared) return { result: complete, started: false };
  if (raidMustChange(data.targetRAID, data.actualRAID)) {
    const message = 'RAID is not supported yet: remove spec.raid, or set up the volumes by other means';
    return { result: failed(message), started: false };
  }
  return { result: complete, started: true };
}

async function cleanFailed(session: HostSession, node: IronicNode, data: PrepareData): Promise<OperationResult> {
  if (!data.restartOnFailure) return failed(node.lastError || 'Cleaning failed');
  if (node.maintenance) return clearMaintenance(session, node);
  return (await changeProvisionState(session, node, 'manage')).result;
}
