import { beforeAll, describe, expect, it } from '@jest/globals';
import { TableScript } from '../support/actor-answers.js';
import { step } from '../support/chart-step.js';
import { scriptedDataImageMachine, scriptedHostMachine, scriptedPowerMachine } from '../support/scripted-chart.js';
import { scriptedPreprovisioningMachine, scriptedServicingMachine } from '../support/scripted-chart.js';
import { Coverage, edgesOf } from './edges.js';
import { gone, prospectOf } from './reference.js';
import { type Situation, situations, wireStates } from './situations.js';

const coverage = new Coverage();
const thrown: string[] = [];
const astray: string[] = [];
const results = new Set<string | undefined>();
const seen = new Set<string>();

function compare({ name, facts, otherwise }: Situation, state: string, called: readonly string[]): void {
  const { states, calls } = prospectOf(facts);
  // Only a host that is being deleted can be unreachable; from others the answer is out of place.
  const isOutOfPlace = otherwise === 'unreachable' && state === 'deleting';
  if (!states.includes(state) && !isOutOfPlace) astray.push(`${name}: to "${state}", not to ${states.join(' or ')}`);
  const stray = called.filter((call) => !calls.includes(call));
  if (stray.length > 0) astray.push(`${name}: called ${stray.join(', ')}; allowed: ${calls.join(', ')}`);
}

beforeAll(async () => {
  for (const situation of situations()) {
    const { name, facts, answers, otherwise } = situation;
    const script = new TableScript(answers, otherwise);
    try {
      const { draft, status, isGone } = await step(facts, script, { inspector: coverage.inspector });
      results.add(draft.result?.kind);
      seen.add(facts.status.provisioning.state);
      // The reference knows one hardware profile.
      if (facts.status.hardwareProfile !== 'no such') {
        compare(situation, isGone ? gone : status.provisioning.state, script.calls);
      }
    } catch (error) {
      thrown.push(`${name}: ${String(error)}`);
    }
  }
}, 240_000);

describe('one pass from every state in every situation', () => {
  it('comes to rest: nothing wedges, nothing is entered without a slot', () => {
    expect(thrown.slice(0, 20)).toEqual([]);
    expect([...seen].sort()).toEqual([...wireStates].sort());
  });

  it('goes where the transition tables say, and asks the back end for nothing else', () => {
    expect(astray.slice(0, 20)).toEqual([]);
  });

  it('ends with a result that the queue knows, and each of them comes about', () => {
    expect([...results].sort()).toEqual([
      ...['complete', 'continue', 'delayed', 'deleteComplete', 'failed', 'retry', 'update'],
    ]);
  });
});

describe('the edges of the charts', () => {
  it('of the host are each taken in some situation', () => {
    const edges = edgesOf(scriptedHostMachine);
    expect(edges.length).toBeGreaterThan(100);
    expect(coverage.missing(edges)).toEqual([]);
  });

  it.each([
    ['power', scriptedPowerMachine],
    ['servicing', scriptedServicingMachine],
    ['the data image', scriptedDataImageMachine],
    ['the agent image', scriptedPreprovisioningMachine],
  ])('of the procedure for %s are each taken in some situation', (_name, machine) => {
    const edges = edgesOf(machine);
    expect(edges.length).toBeGreaterThan(5);
    expect(coverage.missing(edges)).toEqual([]);
  });
});
