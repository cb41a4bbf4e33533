/**
 * What one pass has to come to in each cell: which commands Ironic is given, where the host goes, and what is wrong with it.
 * Written from the tables of the specifications (host-lifecycle §2-§5, provisioner §5.6 and §7), without a look at the code.
 */
import type { Cell } from './ironic-cells.js';

export interface Expectation {
  readonly commands: readonly string[];
  readonly to: string;
  /** `thrown`: transient; nothing is kept. `quiet`: nothing is wrong. Else the error type. */
  readonly verdict: string;
}

interface Node {
  readonly state: string;
  readonly maintenance: boolean;
  readonly fault: boolean;
  readonly locked: boolean;
  readonly lastError: string;
  readonly target: string;
  readonly power: 'on' | 'off' | 'unknown';
}

interface Turn {
  readonly end: 'done' | 'wait' | 'fail' | 'throw';
  readonly commands: readonly string[];
}

const turn =
  (end: Turn['end']) =>
  (...commands: string[]): Turn => ({ end, commands });
const done = turn('done');
const wait = turn('wait');
const fail = turn('fail');
const thrown = turn('throw');

/** §4.4: a node at fault is waited for; one in maintenance is taken out of it first. */
function change({ fault, maintenance }: Node, verb: string): Turn {
  if (fault) return wait();
  return maintenance ? wait('clear maintenance') : wait(verb);
}

const isOneOf = (state: string, ...states: string[]) => states.includes(state);

/** States in which Ironic takes no change of a node's fields. */
const unpatchable = [
  'cleaning',
  'clean wait',
  'deploying',
  'wait call-back',
  'deleting',
  'adopting',
  'servicing',
  'service wait',
];
const foreignTransitions = ['rescuing', 'rescue wait', 'unrescuing'];
const takesNoPatch = ({ state, locked }: Node) => locked || isOneOf(state, ...unpatchable, ...foreignTransitions);

// --- operations

function register(node: Node | undefined, hasNewCredentials: boolean): Turn {
  if (node === undefined) return wait('create', 'port', 'manage');
  if (hasNewCredentials && takesNoPatch(node)) return wait();
  if (node.state === 'enroll') {
    if (node.lastError !== '' && !hasNewCredentials) return fail();
    return isOneOf(node.target, 'manage', 'manageable') ? wait() : change(node, 'manage');
  }
  return node.state === 'verifying' ? wait() : done();
}

function inspect(node: Node, wish: string): Turn {
  switch (node.state) {
    case 'available':
      return change(node, 'manage');
    case 'inspect wait':
      return wish === 'to be rebooted by force' ? change(node, 'abort') : wait();
    case 'inspecting':
      return wait();
    case 'inspect failed':
      return node.lastError.includes('aborted') ? change(node, 'inspect') : fail();
    case 'manageable':
      return wish === 'to be inspected again' ? change(node, 'inspect') : done();
    case 'active':
      // In use, and the host knows nothing of it: left alone, and told.
      return fail();
    default:
      return thrown();
  }
}

function prepare(node: Node, wish: string): Turn {
  const { state, maintenance } = node;
  if (isOneOf(state, 'cleaning', 'clean wait')) return wait();
  if (state === 'clean failed') {
    if (!isRetry(wish)) return fail();
    return maintenance ? wait('clear maintenance') : change(node, 'manage');
  }
  if (state === 'active') return fail();
  if (!isOneOf(state, 'available', 'manageable')) return leaveInspection(node) ?? thrown();
  if (!wantsFirmware(wish)) return done();
  return change(node, state === 'available' ? 'manage' : 'clean');
}

/** Differs from §7.4: what is left of an inspection that was disabled is ended. */
function leaveInspection(node: Node): Turn | undefined {
  if (node.state === 'inspecting') return wait();
  if (node.state === 'inspect wait') return change(node, 'abort');
  return node.state === 'inspect failed' ? change(node, 'manage') : undefined;
}

const isRetry = (wish: string) => wish.endsWith('once more');
const wantsFirmware = (wish: string) => wish.startsWith('other firmware');

function serviceFailed(node: Node, wish: string): Turn {
  if (wantsFirmware(wish) && !isRetry(wish)) return fail();
  return node.maintenance ? wait('clear maintenance') : change(node, wantsFirmware(wish) ? 'service' : 'abort');
}

function service(node: Node, wish: string): Turn {
  switch (node.state) {
    case 'active':
      return wantsFirmware(wish) ? change(node, 'service') : done();
    case 'service failed':
      return serviceFailed(node, wish);
    case 'servicing':
      return wait();
    case 'service wait':
      return wantsFirmware(wish) ? wait() : change(node, 'abort');
    default:
      return thrown();
  }
}

function deploy(node: Node): Turn {
  // The settings of the instance are patched before.
  return node.locked ? wait() : change(node, 'active');
}

/** Ironic may show one a moment before its reason. */
function failure(node: Node): Turn {
  return node.lastError === '' ? wait() : fail();
}

function provision(node: Node, wish: string): Turn {
  const isSameImage = wish !== 'another image';
  switch (node.state) {
    case 'available':
      return deploy(node);
    case 'deploy failed':
      if (!isSameImage) return deploy(node);
      return failure(node);
    case 'manageable':
      return change(node, 'provide');
    case 'clean failed':
      // Cleaned again by the deprovisioning that follows a failure.
      return failure(node);
    case 'active':
      return done();
    case 'wait call-back':
      return wish === 'to be rebooted by force' ? change(node, 'deleted') : wait();
    default:
      return wait();
  }
}

function adopt(node: Node, state: string): Turn {
  switch (node.state) {
    case 'available':
      // Differs from §7.3: Ironic is told that the machine is in use, though it had an image of ours once.
      return state === 'externally provisioned' ? change(node, 'manage') : done();
    case 'manageable':
      return state === 'deprovisioning' ? done() : change(node, 'adopt');
    case 'adopting':
      return wait();
    case 'adopt failed':
      return fail();
    case 'active':
      return node.maintenance && !node.fault ? wait('clear maintenance') : done();
    default:
      return done();
  }
}

function deprovision(node: Node): Turn {
  const { state } = node;
  if (isOneOf(state, 'error', 'clean failed')) return failure(node);
  if (state === 'manageable') return change(node, 'provide');
  if (state === 'available') return done();
  if (isOneOf(state, 'deleting', 'cleaning', 'clean wait', 'deploying', 'servicing', 'adopting', 'inspecting')) {
    return wait();
  }
  // What somebody else has begun is ended first; a node without a deployment is cleaned from `manageable`.
  if (isOneOf(state, 'service wait', 'service hold', 'inspect wait')) return change(node, 'abort');
  if (isOneOf(state, 'adopt failed', 'inspect failed')) return change(node, 'manage');
  const isDeployed = isOneOf(state, 'active', 'deploy failed', 'wait call-back', 'service failed');
  return isDeployed ? change(node, 'deleted') : thrown();
}

/** Deletion, and detachment with its force. */
function remove(node: Node | undefined, isForced: boolean): Turn {
  if (node === undefined) return done();
  const { state } = node;
  if (isOneOf(state, 'verifying', 'deploying', 'cleaning', 'inspecting', 'servicing', 'deleting')) return wait();
  if (isOneOf(state, 'enroll', 'available', 'manageable')) return wait('delete');
  if (isOneOf(state, 'wait call-back', 'inspect wait', 'clean wait', 'service wait')) {
    return isForced ? change(node, 'abort') : wait();
  }
  return wait(node.maintenance ? 'delete' : 'set maintenance');
}

function clearTheWay(node: Node): Turn | undefined {
  switch (node.state) {
    case 'inspect wait':
      return change(node, 'abort');
    case 'inspecting':
    case 'cleaning':
      return wait();
    case 'inspect failed':
      return node.target === '' ? undefined : change(node, 'manage');
    case 'clean wait':
      return isOneOf(node.target, 'clean', 'manageable') ? change(node, 'abort') : wait();
    default:
      return undefined;
  }
}

function powerOn(node: Node): Turn {
  if (node.power === 'on') return done();
  // Of the errors that a node still shows, only one of the power action counts.
  if (/power/i.test(node.lastError)) return fail();
  return node.target === '' ? wait('power: power on') : wait();
}

function powerOff(node: Node, mode: 'soft' | 'hard' | 'reboot'): Turn {
  const first = clearTheWay(node);
  if (first !== undefined) return first;
  if (node.power === 'off') return done();
  // Of the errors that a node still shows, only one of the power action counts.
  if (/power/i.test(node.lastError)) return fail();
  if (node.target !== '') return wait();
  return wait({ soft: 'power: soft power off', hard: 'power: power off', reboot: 'power: soft rebooting' }[mode]);
}

// --- a pass

interface Known {
  readonly state: string;
  readonly wish: string;
  readonly isDeleting: boolean;
}

const powerError = 'power management error';
const moved = (to: string): Expectation => ({ commands: [], to, verdict: 'quiet' });

/** Where a turn leaves the host: where it was, unless it is done. */
function rest({ end, commands }: Turn, { state }: Known, to: string, errorType: string): Expectation {
  const verdict = end === 'throw' ? 'thrown' : end === 'fail' ? errorType : 'quiet';
  return { commands, to: end === 'done' ? to : state, verdict };
}

export function expectationOf({ state, wish, node: fields }: Cell): Expectation {
  const node = fields && readingOf(fields);
  const known = { state, wish, isDeleting: wish === 'its deletion' };
  return deletion(known) ?? detachment(known, node) ?? registration(known, node);
}

function deletion({ state, isDeleting }: Known): Expectation | undefined {
  if (!isDeleting || isOneOf(state, 'deprovisioning', 'powering off before delete', 'deleting')) return undefined;
  if (isOneOf(state, '', 'unmanaged', 'registering')) return moved('deleting');
  return moved(isOneOf(state, 'provisioning', 'provisioned') ? 'deprovisioning' : 'powering off before delete');
}

function detachment(known: Known, node: Node | undefined): Expectation | undefined {
  const { state, wish } = known;
  const isAtRest = isOneOf(state, 'provisioned', 'externally provisioned', 'available', 'ready');
  if (!wish.startsWith('to be detached') || state === 'deleting') return undefined;
  if (isAtRest) return rest(remove(node, false), known, state, '');
  return wish.endsWith('by force') ? rest(remove(node, true), known, state, '') : undefined;
}

function registration(known: Known, node: Node | undefined): Expectation {
  const { state, wish } = known;
  if (state === 'deleting') return rest(remove(node, false), known, 'gone', '');
  // No node is looked at before there is a host to be managed, nor by this state of long ago.
  if (isOneOf(state, '', 'unmanaged')) return moved('registering');
  if (state === 'match profile') return moved('preparing');
  const hasNewCredentials = wish === 'other credentials';
  const registered = register(node, hasNewCredentials);
  if (registered.end !== 'done' || node === undefined) return rest(registered, known, state, 'registration error');
  // That they are good is noted first.
  return hasNewCredentials ? moved(state) : handlers[state]!(known, node);
}

const handlers: Readonly<Record<string, (known: Known, node: Node) => Expectation>> = {
  registering: ({ wish }) => moved(wish.endsWith('never to be') ? 'preparing' : 'inspecting'),
  inspecting: (known, node) => {
    if (known.wish.endsWith('never to be')) return moved('preparing');
    return rest(inspect(node, known.wish), known, 'preparing', 'inspection error');
  },
  preparing: (known, node) => rest(prepare(node, known.wish), known, 'available', 'preparation error'),
  available,
  ready: available,
  provisioning: (known, node) => {
    if (known.wish === 'no image') return moved('deprovisioning');
    return rest(provision(node, known.wish), known, rebootFirst(known, 'provisioned'), 'provisioning error');
  },
  provisioned: (known, node) => {
    if (isOneOf(known.wish, 'another image', 'no image')) return moved('deprovisioning');
    return adoptedFirst(known, node, power);
  },
  'externally provisioned': (known, node) => adoptedFirst(known, node, power),
  deprovisioning: (known, node) =>
    adoptedFirst(known, node, () => {
      const to = rebootFirst(known, known.isDeleting ? 'powering off before delete' : 'available');
      return rest(deprovision(node), known, to, 'provisioning error');
    }),
  'powering off before delete': (known, node) => {
    if (known.wish.includes('never to be off')) return moved('deleting');
    return rest(powerOff(node, 'hard'), known, 'deleting', powerError);
  },
};

/** The request for a one-off reboot is taken away before anything else: the work has rebooted the machine. */
function rebootFirst({ state, wish }: Known, to: string): string {
  return wish.startsWith('to be rebooted') ? state : to;
}

function available(known: Known, node: Node): Expectation {
  if (known.wish === 'to be inspected again') return moved('inspecting');
  // A difference from the tables, on purpose: only the annotation goes.
  if (known.wish === 'to be inspected again, though never to be') return moved(known.state);
  // Of a host that nobody uses, only a forced one is asked for.
  if (isOneOf(known.wish, 'to be rebooted', 'to be rebooted, and never to be off')) return moved(known.state);
  return known.wish === 'another image' ? moved('provisioning') : power(known, node);
}

function adoptedFirst(known: Known, node: Node, next: (known: Known, node: Node) => Expectation): Expectation {
  const adopted = adopt(node, known.state);
  return adopted.end === 'done'
    ? next(known, node)
    : rest(adopted, known, known.state, 'provisioned registration error');
}

/** The hosts here were last seen on, but for those to be switched on; what is seen otherwise now is noted first. */
function power(known: Known, node: Node): Expectation {
  if (known.wish === 'to be switched on') {
    return node.power === 'on' ? moved(known.state) : rest(powerOn(node), known, known.state, powerError);
  }
  if (node.power !== 'off' && known.wish.startsWith('to be rebooted')) return rebooted(known, node);
  const isServiced = isOneOf(known.wish.replace(', once more', ''), 'other firmware', 'the old firmware');
  if (isServiced && node.power !== 'off') return rest(service(node, known.wish), known, known.state, 'servicing error');
  const isLeft = node.power === 'off' || known.wish !== 'to be offline';
  return rest(isLeft ? done() : powerOff(node, 'soft'), known, known.state, powerError);
}

function rebooted(known: Known, node: Node): Expectation {
  const mode = known.wish.endsWith('never to be off') ? 'reboot' : 'soft';
  return rest(powerOff(node, mode), known, known.state, powerError);
}

function readingOf(node: NonNullable<Cell['node']>): Node {
  const power = node.power_state === 'power on' ? 'on' : node.power_state === 'power off' ? 'off' : 'unknown';
  return {
    state: node.provision_state,
    maintenance: node.maintenance === true,
    fault: Boolean(node.fault),
    locked: Boolean(node.reservation),
    lastError: text(node.last_error),
    target: text(node.target_provision_state),
    power,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
