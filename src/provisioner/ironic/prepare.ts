/** Preparing: RAID and firmware, by cleaning on demand, before an image is written. Provisioner spec, section 7.4. */
import { awaiting, complete, failed, type OperationResult } from '../results.js';
import type { PrepareData, PrepareResult } from '../provisioner.js';
import { changeProvisionState, clearMaintenance } from './commands.js';
import type { HostSession } from './host-session.js';
import type { IronicNode } from './node.js';
import { planRAID, type RAIDPlan } from './raid-plan.js';
import { RAIDProblem } from './raid-problem.js';
import { setRAIDTarget } from './raid-target.js';
import { follow, inUse, unexpectedState, type Row, type StateTable } from './state-table.js';
import { firmwareSteps, type Step } from './steps.js';

export async function prepare(session: HostSession, data: PrepareData): Promise<PrepareResult> {
  session.access();
  return follow(table, { session, data, node: await session.node() });
}

type Preparation = Row<PrepareData, PrepareResult>;

const wait: Preparation = ({ session }) => notStarted(session.later());

/** Only what still has to be prepared is planned. */
const ifUnprepared =
  (go: (plan: Plan, at: Parameters<Preparation>[0]) => PrepareResult | Promise<PrepareResult>): Preparation =>
  (at) => {
    if (!at.data.unprepared) return notStarted(complete);
    const plan = planFor(at.session, at.data);
    if ('problem' in plan) return notStarted(failed(plan.problem));
    return plan.steps.length === 0 ? { result: complete, started: true } : go(plan, at);
  };

const table: StateTable<PrepareData, PrepareResult> = {
  rows: {
    available: ifUnprepared(async (_plan, { session, node }) =>
      notStarted((await changeProvisionState(session, node, 'manage')).result),
    ),
    manageable: ifUnprepared((plan, { session, node }) => clean(session, node, plan)),
    'clean failed': async ({ session, node, data }) => notStarted(await cleanFailed(session, node, data)),
    cleaning: wait,
    'clean wait': wait,
    // Inspection was disabled while it was under way, or after it had failed: what is left of it is ended.
    inspecting: ({ session }) => notStarted(awaiting(session.later(), leftInspection)),
    'inspect wait': ({ session, node }) => leaveInspection(session, node, 'abort'),
    'inspect failed': ({ session, node }) => leaveInspection(session, node, 'manage'),
    active: ({ node }) => notStarted(inUse(node)),
  },
  otherwise: unexpectedState('cannot prepare'),
};

const leftInspection = 'the inspection to end that was under way when it was disabled';

async function leaveInspection(session: HostSession, node: IronicNode, by: 'abort' | 'manage'): Promise<PrepareResult> {
  const { result } = await changeProvisionState(session, node, by);
  // What stands in the way of that, such as a lock, is told rather.
  return notStarted(result.kind === 'inProgress' ? { waitsFor: leftInspection, ...result } : result);
}

interface Plan {
  readonly raid: RAIDPlan;
  /** RAID first: a BIOS may have to be told of its volumes. */
  readonly steps: readonly Step[];
}

function planFor(session: HostSession, data: PrepareData): Plan | { readonly problem: string } {
  try {
    const raid = planRAID({
      target: data.targetRAID,
      actual: data.actualRAID,
      driverInterface: session.access().interfaces.raid,
      haveRootDeviceHints: data.rootDeviceHints !== undefined,
    });
    return { raid, steps: [...raid.steps, ...firmwareSteps(data.firmware)] };
  } catch (error) {
    if (error instanceof RAIDProblem) return { problem: error.message };
    throw error;
  }
}

async function clean(session: HostSession, node: IronicNode, { raid, steps }: Plan): Promise<PrepareResult> {
  const outcome = await setRAIDTarget(session, node, raid);
  if (!outcome.applied) return notStarted(outcome.result);
  const { accepted, result } = await changeProvisionState(session, outcome.node, 'clean', { clean_steps: steps });
  return { result, started: accepted };
}

async function cleanFailed(session: HostSession, node: IronicNode, data: PrepareData): Promise<OperationResult> {
  if (!data.restartOnFailure) return failed(node.lastError || 'Cleaning failed');
  if (node.maintenance) return clearMaintenance(session, node);
  return (await changeProvisionState(session, node, 'manage')).result;
}

function notStarted(result: OperationResult): PrepareResult {
  return { result, started: false };
}
