/** The cover table: situations of a host, each a few facts away from a plain host in some state, that take every edge. */
import type { StepFacts } from '../support/chart-step.js';
import { stepFacts } from '../support/chart-step.js';
import { answerOf, type AnswerKind } from '../support/actor-answers.js';
import { type Answering, besides } from './surroundings.js';
import { aHost, type HostBuilder, image } from '../support/host-builder.js';

export interface Situation {
  readonly name: string;
  readonly facts: StepFacts;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly otherwise: AnswerKind;
}

export const wireStates = [
  '',
  'unmanaged',
  'registering',
  'match profile',
  'inspecting',
  'preparing',
  'available',
  'ready',
  'provisioning',
  'provisioned',
  'externally provisioned',
  'deprovisioning',
  'powering off before delete',
  'deleting',
] as const;

type Change = (host: HostBuilder, state: string) => HostBuilder;

const detached = 'baremetalhost.metal3.io/detached';
const standing = (operationalStatus: string): Change => {
  return (host, state) => host.in(state, { operationalStatus: operationalStatus as 'OK' });
};
const erroneous = (errorType: string, errorCount: number): Change => {
  const error = { operationalStatus: 'error', errorType, errorCount, errorMessage: 'it failed' } as const;
  return (host, state) => host.in(state, error as never);
};
const annotated = (key: string, value: string): Change => {
  return (host) => host.annotated({ [key]: value });
};
const chain = (...changes: Change[]): Change => {
  return (host, state) => changes.reduce((built, change) => change(built, state), host);
};
const deleted: Change = (host) => host.deleted();

const hosts: Readonly<Record<string, Change>> = {
  plain: (host) => host,
  'without BMC details': (host) => host.spec({ bmc: undefined }),
  'without an image': (host) => host.withoutImage(),
  'with another image': (host) => host.spec({ image: { url: 'http://images/other.qcow2' } }),
  'provisioned by others': (host) => host.spec({ externallyProvisioned: true }),
  'with inspection disabled': (host) => host.spec({ inspectionMode: 'disabled' }),
  'to be inspected again': annotated('inspect.metal3.io', ''),
  'to be inspected again, with inspection disabled': (host) =>
    host.spec({ inspectionMode: 'disabled' }).annotated({ 'inspect.metal3.io': '' }),
  'to be rebooted': annotated('reboot.metal3.io', ''),
  'to be rebooted by force': annotated('reboot.metal3.io', '{"force":true,"mode":"hard"}'),
  'to be offline': (host) => host.spec({ online: false }),
  'off, to be rebooted': (host, state) => host.in(state, { poweredOn: false }).annotated({ 'reboot.metal3.io': '' }),
  'off, to be on': (host, state) => host.in(state, { poweredOn: false }).withoutImage(),
  'off, in use': (host, state) => host.in(state, { poweredOn: false }),
  'never to be powered off': (host) => host.spec({ disablePowerOff: true }),
  'never to be powered off, yet to be offline': (host) => host.spec({ online: false, disablePowerOff: true }),
  'never to be powered off, to be rebooted': (host) =>
    host.spec({ disablePowerOff: true }).annotated({ 'reboot.metal3.io': '{"force":true}' }),
  'with other root device hints': (host) => host.spec({ rootDeviceHints: { deviceName: '/dev/vdb' } }),
  'with a RAID to build': (host) => host.spec({ raid: { hardwareRAIDVolumes: [{ level: '1' }] } }),
  'at the limit of retries': (host, state) => host.in(state, { provisioningFailCount: 5, lastAttemptedImage: image }),
  'of an unknown profile': (host, state) => host.in(state, { hardwareProfile: 'no such' }),
  'with an image recorded': (host, state) => host.in(state, { provisioning: { image: { url: 'http://images/os' } } }),
  'with nothing recorded': (host, state) => host.in(state, { provisioning: { image: undefined } }),
  delayed: standing('delayed'),
  detached: standing('detached'),
  'in error after being detached': (host, state) =>
    host.in(state, { operationalStatus: 'detached', errorType: 'provisioning error' }),
  'to be detached': annotated(detached, ''),
  'to be detached by force': annotated(detached, '{"force":true}'),
  'in servicing': standing('servicing'),
  'with a failed servicing': erroneous('servicing error', 1),
  'with network data': (host) => host.spec({ preprovisioningNetworkDataName: 'network' }),
  'with updates under way': (host, state) => host.in(state, { lifecycle: { begunUpdates: '1@t' } }),
  'with a failed registration': erroneous('registration error', 1),
  'with a failed provisioning': erroneous('provisioning error', 1),
  'with three failures': erroneous('provisioning error', 3),
  deleted,
  'deleted with an image recorded': (host, state) =>
    host.in(state, { provisioning: { image: { url: 'http://images/os' } } }).deleted(),
  'deleted with three failures': chain(deleted, erroneous('provisioning error', 3)),
  'deleted with four failed registrations': chain(deleted, erroneous('registration error', 4)),
  'deleted while detached': chain(deleted, annotated(detached, '{"deleteAction":"delete"}')),
  'deleted while detached, with delay': chain(deleted, annotated(detached, '{"deleteAction":"delay"}')),
  'deleted, never to be powered off': chain(deleted, (host) => host.spec({ disablePowerOff: true })),
};

const registered = answerOf('registerHost', 'complete');
const adopted = answerOf('adoptHost', 'complete');
const knownHost = { registerHost: registered, adoptHost: adopted };

/** Beyond the answers that go the same for all: those that reach what comes after the first actor. */
const answerings: Readonly<Record<string, Answering>> = {
  complete: { otherwise: 'complete' },
  'in progress': { otherwise: 'inProgress' },
  failing: { otherwise: 'failed' },
  'registered, then in progress': { otherwise: 'inProgress', answers: { registerHost: registered } },
  'registered, then failing': { otherwise: 'failed', answers: { registerHost: registered } },
  'registered, then unreachable': { otherwise: 'unreachable', answers: { registerHost: registered } },
  'adopted, then in progress': { otherwise: 'inProgress', answers: knownHost },
  'adopted, then failing': { otherwise: 'failed', answers: knownHost },
  'adopted, then unreachable': { otherwise: 'unreachable', answers: knownHost },
  'inspection started': {
    otherwise: 'complete',
    answers: { inspectHardware: answerOf('inspectHardware', 'inProgress', { started: true }) },
  },
  'preparation started': {
    otherwise: 'complete',
    answers: { prepareHost: answerOf('prepareHost', 'inProgress', { started: true }) },
  },
  'power turns out to be off': { otherwise: 'complete', answers: { observePower: { poweredOn: false } } },
};

/** States in which a host is adopted first. */
const adopting: ReadonlySet<string> = new Set(['provisioned', 'externally provisioned', 'deprovisioning']);
const asUsual = Object.keys(answerings);
/** What is around the host, and the answers that make a difference there. */
const surroundings: Readonly<Record<string, { change: Partial<StepFacts>; answerings: readonly string[] }>> = {
  'as usual': { change: {}, answerings: asUsual },
  'no free slot': { change: { isSlotFree: false }, answerings: ['complete'] },
  'a changed Secret': { change: { secretVersion: '2' }, answerings: ['complete', 'in progress'] },
};
/** Only a host that is being deleted gets as far as a pass without credentials. */
const bereft = { 'no credentials': { change: { haveCredentials: false }, answerings: asUsual } };

/** Every combination that can come about. */
export function* situations(): Generator<Situation> {
  for (const state of wireStates) {
    for (const what of Object.keys(hosts)) yield* situationsOf(state, what);
    yield* situationsBeside(state);
  }
}

const besideMatters: ReadonlySet<string> = new Set([
  ...['preparing', 'available', 'provisioned', 'externally provisioned', 'deprovisioning'],
]);

function* situationsBeside(state: string): Generator<Situation> {
  for (const [where, { change, answerings: table, hosts: known }] of Object.entries(besides)) {
    for (const what of known) {
      // What stands beside a host makes a difference in few states; elsewhere one host has to do.
      if (what !== known[0] && !besideMatters.has(state)) continue;
      const facts = stepFacts(hosts[what]!(aHost().in(state), state), change);
      for (const [how, { otherwise, answers = {} }] of Object.entries(table)) {
        yield { name: `${state || 'new'}: ${what}; ${where}; ${how}`, facts, answers, otherwise };
      }
    }
  }
}

function* situationsOf(state: string, what: string): Generator<Situation> {
  const build = () => hosts[what]!(aHost().in(state), state);
  const around = { ...surroundings, ...(build().isDeleted ? bereft : {}) };
  for (const [where, surrounding] of Object.entries(around)) {
    const facts = stepFacts(build(), surrounding.change);
    for (const how of surrounding.answerings) {
      if (!matters(state, what, how)) continue;
      const { otherwise, answers = {} } = answerings[how]!;
      yield { name: `${state || 'new'}: ${what}; ${where}; ${how}`, facts, answers, otherwise };
    }
  }
}

/** Some answers are given in few states, or weigh the same whatever the host is like. */
function matters(state: string, what: string, how: string): boolean {
  if (how.startsWith('adopted')) return adopting.has(state);
  return !['in progress', 'failing'].includes(how) || /plain|deleted|registration|Secret/.test(what);
}
