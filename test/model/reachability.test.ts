import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BareMetalHostStatus } from '../../src/apis/index.js';
import { answerOf, TableScript } from '../support/actor-answers.js';
import { step, type StepFacts, stepFacts } from '../support/chart-step.js';
import { aHost, type HostBuilder } from '../support/host-builder.js';
import { scriptedHostMachine } from '../support/scripted-chart.js';
import { Coverage, nodesOf } from './edges.js';
import { firmwares } from './surroundings.js';

const coverage = new Coverage();
/** A status that shows each place where a host can come to rest, by what tells such places apart. */
const places = new Map<string, BareMetalHostStatus>();

const wishes: readonly ((host: HostBuilder) => HostBuilder)[] = [
  (host) => host,
  (host) => host.spec({ bmc: undefined }),
  (host) => host.withoutImage(),
  (host) => host.withoutImage().spec({ online: false }),
  (host) => host.spec({ externallyProvisioned: true }),
  (host) => host.spec({ inspectionMode: 'disabled' }),
  (host) => host.annotated({ 'inspect.metal3.io': '' }),
  (host) => host.annotated({ 'inspect.metal3.io': '' }).spec({ inspectionMode: 'disabled' }),
  (host) => host.annotated({ 'reboot.metal3.io': '' }),
  (host) => host.annotated({ 'baremetalhost.metal3.io/detached': '' }),
  (host) => host.deleted(),
];

/** What may stand beside the host: other firmware, wished for by somebody who lets it be changed in use. */
const beside = (name: string): Partial<StepFacts> => ({ firmware: firmwares[name]! });
const changed = beside('everything changed, also while in use');
const failedFirmware = {
  serviceHost: answerOf('serviceHost', 'failed'),
  prepareHost: answerOf('prepareHost', 'failed'),
};

const registered = { registerHost: answerOf('registerHost', 'complete') };
const begunFirmware = { ...registered, prepareHost: answerOf('prepareHost', 'inProgress', { started: true }) };
const lost = { registerHost: answerOf('registerHost', 'complete', { isNew: true }) };
const started = { ...registered, inspectHardware: answerOf('inspectHardware', 'inProgress', { started: true }) };
const scripts: readonly (() => TableScript)[] = [
  () => new TableScript(),
  () => new TableScript(registered, 'inProgress'),
  () => new TableScript({ ...registered, adoptHost: answerOf('adoptHost', 'complete') }, 'failed'),
  () => new TableScript({}, 'failed'),
  () => new TableScript(started),
];

/** What may happen next, whatever the place: a wish that is fulfilled, or the plain one with every other answer. */
interface Turn {
  readonly wish: (host: HostBuilder) => HostBuilder;
  readonly script: () => TableScript;
  readonly isSlotFree: boolean;
  readonly around?: Partial<StepFacts>;
}

const turns: readonly Turn[] = [
  ...wishes.map((wish) => ({ wish, script: scripts[0]!, isSlotFree: true })),
  ...scripts.map((script) => ({ wish: wishes[0]!, script, isSlotFree: true })),
  ...wishes.slice(6, 9).map((wish) => ({ wish, script: scripts[4]!, isSlotFree: true })),
  { wish: wishes[0]!, script: scripts[0]!, isSlotFree: true, around: beside('objects that are missing') },
  { wish: wishes[0]!, script: scripts[0]!, isSlotFree: true, around: changed },
  { wish: wishes[0]!, script: () => new TableScript(failedFirmware), isSlotFree: true, around: changed },
  { wish: wishes[0]!, script: () => new TableScript(begunFirmware, 'inProgress'), isSlotFree: true, around: changed },
  { wish: wishes[0]!, script: () => new TableScript(lost), isSlotFree: true, around: changed },
  {
    wish: wishes[0]!,
    script: () => new TableScript({ observePower: { poweredOn: false } }),
    isSlotFree: true,
    around: changed,
  },
  { wish: wishes[0]!, script: () => new TableScript({ askFormats: ['iso'] }), isSlotFree: true },
  { wish: wishes[0]!, script: scripts[0]!, isSlotFree: false },
  { wish: wishes.at(-1)!, script: scripts[2]!, isSlotFree: true },
];

function placeOf(status: BareMetalHostStatus): string {
  const { provisioning, operationalStatus, errorType = '', errorCount = 0, goodCredentials } = status;
  const isBegun = provisioning.state === 'preparing' && status.lifecycle?.begunUpdates !== undefined;
  const marks = [
    ...[provisioning.image?.url ? 'image' : '', goodCredentials?.credentials ? 'known' : '', isBegun ? 'begun' : ''],
  ];
  return [provisioning.state, operationalStatus, errorType, Math.min(errorCount, 1), ...marks].join('|');
}

beforeAll(async () => {
  const isNew = (status: BareMetalHostStatus) => !places.has(placeOf(status));
  const open: BareMetalHostStatus[] = [stepFacts(aHost()).status];
  for (let status = open.shift(); status !== undefined; status = open.shift()) {
    if (!isNew(status)) continue;
    places.set(placeOf(status), status);
    for (const { wish, script, isSlotFree, around = {} } of turns) {
      const facts = stepFacts(wish(aHost()), { status, isSlotFree, ...around });
      const next = await step(facts, script(), { inspector: coverage.inspector });
      if (!next.isGone && isNew(next.status)) open.push(next.status);
    }
  }
}, 240_000);

/** Passes until the object is gone; undefined when `limit` of them do not get there. */
async function passesUntilGone(from: BareMetalHostStatus, script: () => TableScript, limit: number) {
  let status = from;
  for (let passes = 1; passes <= limit; passes += 1) {
    const next = await step(stepFacts(aHost().deleted(), { status }), script());
    if (next.isGone) return passes;
    ({ status } = next);
  }
  return undefined;
}

async function stuck(script: () => TableScript, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (const [place, status] of places) {
    if ((await passesUntilGone(status, script, limit)) === undefined) found.push(place);
  }
  return found;
}

describe('a host that is new', () => {
  it('can come to every state and every step of the chart but those that only others write', () => {
    const ids = nodesOf(scriptedHostMachine).map(({ id }) => id);
    const unseen = ids.filter((id) => !coverage.nodes.has(id));
    // The legacy state is read and left.
    expect(unseen).toEqual(['host.lifecycle.matchingProfile']);
  });

  it('can come to rest in many places, in error and not', () => {
    expect(places.size).toBeGreaterThan(40);
    expect([...places.keys()].filter((place) => place.includes('|error|')).length).toBeGreaterThan(10);
  });
});

describe('a host that is deleted', () => {
  it('is gone after a few passes, wherever it is', async () => {
    expect(await stuck(() => new TableScript(), 8)).toEqual([]);
  });

  it('is gone in the end although nothing works any more but the removal of its node', async () => {
    const failing = () => new TableScript({ ...registered, deleteHost: answerOf('deleteHost', 'complete') }, 'failed');
    expect(await stuck(failing, 20)).toEqual([]);
  });

  it('is gone in the end although it cannot even be registered', async () => {
    const failing = () => new TableScript({ deleteHost: answerOf('deleteHost', 'complete') }, 'failed');
    expect(await stuck(failing, 20)).toEqual([]);
  });
});
