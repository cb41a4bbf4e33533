/** The reason of a failure, which Ironic may show later than the failure, or never. */
import type { OperationResult } from '../results.js';
import type { HostSession } from './host-session.js';
import type { IronicNode } from './node.js';

const unexplained = 'Ironic has kept no reason; its log has it';

/** For how long a failure may be without its reason. Milliseconds. */
const reasonPatienceMs = 5000;

/**
 * Ironic may show the failure a moment before its reason: then look again. It may also have lost the reason for good: since
 * version 39 it forgets what a step failed with when it switches the machine off after that. Then the failure is told without one.
 */
export function toldReason(
  session: HostSession,
  node: IronicNode,
  tell: (reason: string) => OperationResult,
): OperationResult {
  if (node.lastError === '' && session.memory.missingForMs(node.uuid) < reasonPatienceMs) return session.again(node);
  return tell(node.lastError || unexplained);
}
