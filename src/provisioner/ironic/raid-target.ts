/** Tells a node which RAID volumes it is to have, and by which interface, before a cleaning makes them. */
import { failed, type OperationResult } from '../results.js';
import { isIronicError } from './client/index.js';
import { applyPatch, type PatchOutcome } from './commands.js';
import { wrapped, type HostSession } from './host-session.js';
import type { IronicNode } from './node.js';
import { NodePatch } from './patch.js';
import type { RAIDPlan } from './raid-plan.js';

/** A refused volume is the host's fault; a lock is waited for, and the cleaning never starts without its target. */
export async function setRAIDTarget(session: HostSession, node: IronicNode, plan: RAIDPlan): Promise<PatchOutcome> {
  const outcome = await applyPatch(session, node, interfacePatch(node, plan));
  if (!outcome.applied || plan.disks.length === 0) return outcome;
  const refusal = await sendDisks(session, node, plan);
  return refusal ? { applied: false, result: refusal } : outcome;
}

/** A wipe runs on the interface that made the volumes; a node that shows none is left with what it has. */
function interfacePatch(node: IronicNode, plan: RAIDPlan): NodePatch {
  const patch = new NodePatch();
  if (plan.steps.length === 0 || plan.interface === undefined) return patch;
  if (plan.disks.length === 0 && node.raidInterface === '') return patch;
  return patch.field('raid_interface', node.raidInterface, plan.interface);
}

async function sendDisks(session: HostSession, node: IronicNode, plan: RAIDPlan): Promise<OperationResult | undefined> {
  try {
    await wrapped('failed to set the RAID configuration', () =>
      session.client.setRAIDConfig(node.uuid, { logical_disks: plan.disks }),
    );
    return undefined;
  } catch (error) {
    if (isIronicError(error, 'IRONIC_BAD_REQUEST')) return failed(error.message);
    return session.refused(node, error);
  }
}
