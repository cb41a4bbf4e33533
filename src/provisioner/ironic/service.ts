/** Servicing: firmware of a host that is in use. Provisioner spec, section 7.5. */
import { complete, failed } from '../results.js';
import type { ServiceData, ServiceResult } from '../provisioner.js';
import { changeProvisionState, clearMaintenance } from './commands.js';
import type { HostSession } from './host-session.js';
import type { IronicNode } from './node.js';
import { follow, unexpectedState, type Row, type StateTable } from './state-table.js';
import { firmwareSteps } from './steps.js';

export async function service(session: HostSession, data: ServiceData): Promise<ServiceResult> {
  return follow(table, { session, data, node: await session.node() });
}

type Servicing = Row<ServiceData, ServiceResult>;

const table: StateTable<ServiceData, ServiceResult> = {
  rows: {
    active: ({ session, node, data }) => {
      if (!data.unprepared) return { result: complete, started: false };
      return hasSteps(data) ? start(session, node, data) : { result: complete, started: true };
    },
    'service failed': (at) => serviceFailed(at),
    servicing: ({ session }) => ({ result: session.later(), started: false }),
    'service wait': ({ session, node, data }) =>
      data.hasFirmwareSpec ? { result: session.later(), started: false } : abort(session, node),
  },
  otherwise: unexpectedState('cannot service'),
};

/** Ironic puts a node whose servicing failed into maintenance, and takes neither an abort nor another try in it. */
const serviceFailed: Servicing = async ({ session, node, data }) => {
  if (data.hasFirmwareSpec && !data.restartOnFailure) {
    return { result: failed(node.lastError || 'Servicing failed'), started: false };
  }
  if (node.maintenance) return { result: await clearMaintenance(session, node), started: false };
  // With nothing left to be done, only an abort brings the node back to work.
  return data.hasFirmwareSpec && hasSteps(data) ? start(session, node, data) : abort(session, node);
};

function hasSteps(data: ServiceData): boolean {
  return firmwareSteps(data.firmware).length > 0;
}

async function start(session: HostSession, node: IronicNode, data: ServiceData): Promise<ServiceResult> {
  const extras = { service_steps: firmwareSteps(data.firmware) };
  const { accepted, result } = await changeProvisionState(session, node, 'service', extras);
  return { result, started: accepted };
}

async function abort(session: HostSession, node: IronicNode): Promise<ServiceResult> {
  const { accepted, result } = await changeProvisionState(session, node, 'abort');
  return { result, started: accepted };
}
