import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { busyStates, persist, restore } from '../../machines/index.js';
import type { BareMetalHostStatus } from '../../src/apis/index.js';
import { replay } from '../support/seed.js';
import { scriptedHostMachine } from '../support/scripted-chart.js';
import { make, type Move, moves, starts } from './moves.js';
import { destructive, gone, prospectOf } from './reference.js';
import { marks, type Passed, World } from './world.js';

const seen = { states: new Map<string, number>(), changes: new Set<string>(), passes: 0 };

function must(holds: boolean, what: string, passed: Passed): asserts holds {
  if (holds) return;
  const { status } = passed.facts;
  const facts = { status, spec: passed.facts.host.spec, metadata: passed.facts.host.metadata };
  throw new Error(`${what}; calls: ${passed.calls.join(', ')}; facts: ${JSON.stringify(facts)}`);
}

/** The states and the calls of a pass, against the reference. */
function checkProspect(passed: Passed): void {
  const { facts, step, calls } = passed;
  const { states, calls: allowed } = prospectOf(facts);
  const stray = calls.filter((call) => !allowed.includes(call));
  must(stray.length === 0, `${stray.join()} not allowed`, passed);
  if (step === undefined) return;
  const [from, to] = [facts.status.provisioning.state, step.isGone ? gone : step.status.provisioning.state];
  must(states.includes(to), `went from "${from}" to "${to}", not to ${states.join(' or ')}`, passed);
  const moved = from !== to && busyStates.has(to);
  must(!moved || step.observed.slot.kind === 'granted', `entered ${to} without a slot`, passed);
  seen.states.set(to, (seen.states.get(to) ?? 0) + 1);
  if (from !== to) seen.changes.add(`${from} > ${to}`);
}

/** A host that people took away from the operator is left as it is. */
function checkPeace(passed: Passed): void {
  const { host, status } = passed.facts;
  const commands = passed.calls.filter((call) => destructive.has(call));
  const isDetached =
    status.operationalStatus === 'detached' && 'baremetalhost.metal3.io/detached' in annotationsOf(passed);
  must(!isDetached || commands.length === 0, 'commands for a detached host', passed);
  const { state } = status.provisioning;
  const wiping = commands.filter((call) => /prepare|provisionHost|deprovision|inspect/.test(call));
  const isForeign = state === 'externally provisioned' && host.spec.externallyProvisioned === true;
  must(!isForeign || wiping.length === 0, 'work on the disks of a host that others provisioned', passed);
  must(state !== 'deleting' || commands.length === 0, 'commands for a host that is let go', passed);
}

function annotationsOf({ facts }: Passed): Record<string, string> {
  return facts.host.metadata.annotations ?? {};
}

function checkErrors(passed: Passed): void {
  const { facts, step, answered } = passed;
  if (step === undefined) return;
  const [before, after] = [facts.status.errorCount ?? 0, step.status.errorCount ?? 0];
  const refused = step.status.errorMessage.includes('the limit is');
  must(after <= before || answered.includes('failed') || refused, 'errorCount grew without a failure', passed);
  must(after <= before + 1, 'errorCount grew by more than one', passed);
  const isKept = step.draft.result?.kind === 'failed';
  must(!isKept || step.status.operationalStatus === 'error', 'a failure that the status does not show', passed);
}

function checkSnapshot(passed: Passed): void {
  const { step } = passed;
  if (step === undefined || step.isGone) return;
  const text = JSON.stringify(persist(step.snapshot));
  must(text.length < 1024, `a snapshot of ${text.length} characters`, passed);
  const kept = JSON.stringify(step.status.lifecycle ?? {});
  for (const mark of Object.values(marks)) must(!`${text}${kept}`.includes(mark), `the snapshot holds ${mark}`, passed);
  const { source } = restore(scriptedHostMachine, step.status);
  must(['snapshot', 'absent'].includes(source), `its own snapshot counts as ${source}`, passed);
}

async function walk(start: string, path: readonly Move[]): Promise<void> {
  const world = new World(start);
  for (const move of path) {
    if (move.kind !== 'pass') make(world, move);
    else if (await passes(world, move)) return;
  }
}

/** True once the host is gone. */
async function passes(world: World, { answers, times }: Extract<Move, { kind: 'pass' }>): Promise<boolean> {
  for (let time = 0; time < times; time += 1) {
    const before: BareMetalHostStatus = structuredClone(world.status);
    const passed = await world.pass(answers);
    seen.passes += 1;
    // The status that went in is frozen; this one shows that a pass that threw has saved nothing either.
    if (passed.step === undefined) expect(world.status).toEqual(before);
    for (const check of [checkProspect, checkPeace, checkErrors, checkSnapshot]) check(passed);
    if (passed.step?.isGone) return true;
  }
  return false;
}

/** Every state that a host can come to by itself; the two old names are read and never written. */
const reachable = [
  ...['unmanaged', 'registering', 'inspecting', 'preparing', 'available', 'provisioning', 'provisioned'],
  ...['externally provisioned', 'deprovisioning', 'powering off before delete', 'deleting', gone],
];

describe('random walks of a host', () => {
  it('stay on the edges that the reference allows and keep every promise of a pass', async () => {
    const parameters = replay('walks');
    await fc.assert(fc.asyncProperty(starts, moves, walk), { ...parameters, numRuns: 120 });
    // One walk alone, of a run that is taken again, need not come everywhere.
    if (parameters.path !== undefined) return;
    expect(reachable.filter((state) => !seen.states.has(state))).toEqual([]);
    expect(seen.changes.size).toBeGreaterThan(25);
    expect(seen.passes).toBeGreaterThan(1000);
  }, 240_000);
});
