/** Inspection: find out the hardware of a host. Provisioner spec, section 7.1. */
import { complete, failed } from '../results.js';
import type { InspectData, InspectResult } from '../provisioner.js';
import { failedBy } from './bmc-silence.js';
import { mergedCapabilities } from './capabilities.js';
import { isIronicError } from './client/index.js';
import { applyPatch, changeProvisionState } from './commands.js';
import { wrapped, type HostSession } from './host-session.js';
import { toHardwareDetails } from './inventory.js';
import type { IronicNode } from './node.js';
import { NodePatch } from './patch.js';
import { follow, inUse, unexpectedState, type StateTable } from './state-table.js';

const idle = { started: false, details: undefined };

export async function inspectHardware(session: HostSession, data: InspectData): Promise<InspectResult> {
  return follow(table, { session, data, node: await session.node() });
}

const table: StateTable<InspectData, InspectResult> = {
  rows: {
    available: async ({ session, node }) => {
      const { result } = await changeProvisionState(session, node, 'manage');
      return { ...idle, result };
    },
    'inspect wait': async ({ session, node, data }) => {
      if (!data.forceReboot) return waiting(session, data);
      const { accepted, result } = await changeProvisionState(session, node, 'abort');
      return { ...idle, started: accepted, result };
    },
    inspecting: ({ session, data }) => waiting(session, data),
    'inspect failed': ({ session, node, data }) =>
      // An abort that we asked for is no failure.
      data.restartOnFailure || node.lastError.includes('aborted')
        ? startInspection(session, node, data)
        : { ...idle, result: failedBy(node.lastError || 'Inspection failed') },
    manageable: ({ session, node, data }) =>
      data.refresh ? startInspection(session, node, data) : readInventory(session, node, data),
    active: ({ node }) => ({ ...idle, result: inUse(node) }),
  },
  otherwise: unexpectedState('cannot inspect'),
};

function waiting(session: HostSession, data: InspectData): InspectResult {
  return { ...idle, result: data.inspectionMode === 'fast' ? session.soon() : session.later() };
}

async function readInventory(session: HostSession, node: IronicNode, data: InspectData): Promise<InspectResult> {
  try {
    const details = await wrapped('failed to retrieve hardware introspection data', async () =>
      toHardwareDetails(await session.client.inventory(node.uuid)),
    );
    session.publish('InspectionComplete', 'The hardware is known');
    return { started: false, details, result: complete };
  } catch (error) {
    if (isIronicError(error, 'IRONIC_NOT_FOUND')) return startInspection(session, node, data);
    throw error;
  }
}

async function startInspection(session: HostSession, node: IronicNode, data: InspectData): Promise<InspectResult> {
  const problem = session.addressProblem();
  if (problem !== undefined) return { ...idle, result: failed(problem) };
  const inspectInterface = data.inspectionMode === 'fast' ? session.access().interfaces.inspect : 'agent';
  if (inspectInterface === undefined) {
    const message = `BMC driver ${session.access().type} does not support fast (out-of-band) inspection`;
    return { ...idle, result: failed(message) };
  }
  const patch = new NodePatch().section('properties', node.properties, {
    capabilities: mergedCapabilities(node.properties.capabilities, data.bootMode),
    ...(data.cpuArchitecture !== '' && { cpu_arch: data.cpuArchitecture }),
  });
  patch.field('inspect_interface', node.inspectInterface, inspectInterface);
  const outcome = await applyPatch(session, node, patch);
  if (!outcome.applied) return { ...idle, result: outcome.result };
  const { accepted, result } = await changeProvisionState(session, outcome.node, 'inspect');
  if (accepted) session.publish('InspectionStarted', 'Looking at the hardware');
  return { ...idle, started: accepted, result };
}
