/** Power. Provisioner spec, section 7.12. */
import { complete, deferred, type OperationResult } from '../results.js';
import type { PowerOffData } from '../provisioner.js';
import { failedBy } from './bmc-silence.js';
import { isIronicError, type JSONRecord } from './client/index.js';
import { changeProvisionState, command, type ProvisionTarget } from './commands.js';
import type { HostSession } from './host-session.js';
import type { IronicNode } from './node.js';
import { follow, type At, type Row, type StateTable } from './state-table.js';

/** Seconds that Ironic gives the operating system to shut down. */
const softTimeout = 180;

type PowerTarget = 'power on' | 'power off' | 'soft power off' | 'rebooting' | 'soft rebooting';

const events: Readonly<Record<PowerTarget, readonly [reason: string, message: string]>> = {
  'power on': ['PowerOn', 'Switched on'],
  'power off': ['PowerOff', 'Switched off'],
  'soft power off': ['PowerOff', 'Asked the operating system to shut down'],
  rebooting: ['Reboot', 'Rebooted'],
  'soft rebooting': ['Reboot', 'Asked the operating system to reboot'],
};

/** undefined: Ironic does not know. */
export function poweredOn({ powerState }: IronicNode): boolean | undefined {
  if (powerState === 'power on') return true;
  return powerState === 'power off' ? false : undefined;
}

export async function powerOn(session: HostSession, force: boolean): Promise<OperationResult> {
  const node = await session.node();
  if (node.powerState === 'power on') return complete;
  if (node.targetPowerState === 'power on') return underWay(session, node);
  if (!force && isPowerError(node)) return failedBy(node.lastError, 'PowerOn operation failed: ');
  return changePower(session, node, 'power on');
}

export async function powerOff(session: HostSession, data: PowerOffData): Promise<OperationResult> {
  const node = await session.node();
  const obstacle = await clearTheWay({ session, node, data });
  if (obstacle) return deferred(obstacle);
  if (node.powerState === 'power off') return complete;
  if (['power off', 'soft power off'].includes(node.targetPowerState)) return underWay(session, node);
  if (!data.force && node.targetPowerState === '' && isPowerError(node)) return failedBy(node.lastError);
  const soft = data.rebootMode === 'soft' && !data.force;
  return node.disablePowerOff ? reboot(session, node, soft) : switchOff(session, node, soft);
}

/** Ironic was told already. */
function underWay(session: HostSession, { uuid, targetPowerState }: IronicNode): OperationResult {
  const what = `the ${JSON.stringify(targetPowerState)} to end that Ironic is at`;
  return deferred(session.held(uuid, what, session.soon()));
}

const untilPower = 'its power can be changed';

function reboot(session: HostSession, node: IronicNode, soft: boolean): Promise<OperationResult> {
  return changePower(session, node, soft ? 'soft rebooting' : 'rebooting');
}

/** A BMC that cannot do it softly is told to do it hard. */
async function switchOff(session: HostSession, node: IronicNode, soft: boolean): Promise<OperationResult> {
  if (!soft) return changePower(session, node, 'power off');
  try {
    return await changePower(session, node, 'soft power off');
  } catch (error) {
    if (!isIronicError(error, 'IRONIC_BAD_REQUEST')) throw error;
    return changePower(session, node, 'power off');
  }
}

type Clearing = OperationResult | undefined;

/** Ironic refuses power while it works on a node. undefined: nothing is in the way. */
function clearTheWay(at: At<PowerOffData>): Promise<Clearing> {
  return follow(obstacles, at);
}

const change =
  (target: ProvisionTarget): Row<PowerOffData, Clearing> =>
  async ({ session, node }) =>
    (await changeProvisionState(session, node, target)).result;

const wait: Row<PowerOffData, OperationResult> = ({ session, node }) => session.busy(node, untilPower, session.later());

const obstacles: StateTable<PowerOffData, Clearing> = {
  rows: {
    'inspect wait': change('abort'),
    inspecting: wait,
    cleaning: wait,
    'inspect failed': (at) => (at.node.targetProvisionState === '' ? undefined : change('manage')(at)),
    'clean wait': (at) => {
      // Cleaning by hand works towards `manageable`; automated cleaning towards `available`.
      const byHand = ['clean', 'manageable'].includes(at.node.targetProvisionState);
      return byHand || at.data.automatedCleaningMode === 'disabled' ? change('abort')(at) : wait(at);
    },
  },
  otherwise: () => undefined,
};

/**
 * Ironic keeps one last_error for everything, and keeps it after the node has moved on. Only a failure of the power action
 * counts here; an abort that we asked for, or a failed cleaning, does not.
 */
function isPowerError({ lastError, provisionState }: IronicNode): boolean {
  if (lastError === '' || lastError.includes('aborted')) return false;
  if (/power/i.test(lastError)) return true;
  if (/failed$|^error$/.test(provisionState)) return false;
  return !/\b(?:clean|deploy|inspect|adopt|provision|servic|verif|validat|agent|step)/i.test(lastError);
}

async function changePower(session: HostSession, node: IronicNode, target: PowerTarget): Promise<OperationResult> {
  if (node.targetProvisionState !== '') return deferred(session.busy(node, untilPower, session.soon()));
  const body: JSONRecord = { target, ...(target === 'soft power off' && { timeout: softTimeout }) };
  const { accepted, result } = await command(session, node, `failed to ${target} node`, 'atOnce', () =>
    session.client.setPowerState(node.uuid, body),
  );
  if (!accepted) return deferred(result);
  session.publish(...events[target]);
  return result;
}
