import { describe, expect, it } from '@jest/globals';
import type { AnyStateMachine } from 'xstate';
import { dataImageMachine, hostMachine, implementationGaps, powerMachine } from '../../machines/index.js';
import { hostClaimMachine, preprovisioningMachine, servicingMachine } from '../../machines/index.js';
import { providedDataImageMachine, providedHostMachine } from '../../src/controllers/host/index.js';
import { providedPowerMachine, providedPreprovisioningMachine } from '../../src/controllers/host/index.js';
import { providedHostClaimMachine } from '../../src/controllers/host-claim/index.js';
import { providedServicingMachine } from '../../src/controllers/host/index.js';
import { scriptedActors, scriptedHostMachine, scriptedPowerMachine } from '../support/scripted-chart.js';
import { scriptedProcedures } from '../support/scripted-chart.js';
import { edgesOf, nodesOf } from './edges.js';

type Json = Record<string, unknown>;

/** Every value under a key of that name, anywhere in a chart's configuration. */
function valuesOf(config: unknown, names: ReadonlySet<string>): unknown[] {
  if (Array.isArray(config)) return config.flatMap((part) => valuesOf(part, names));
  if (typeof config !== 'object' || config === null) return [];
  return Object.entries(config).flatMap(([key, value]) => [
    ...(names.has(key) ? [value] : []),
    ...valuesOf(value, names),
  ]);
}

function isName(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isName);
  if (typeof value === 'string') return true;
  return typeof value === 'object' && value !== null && typeof (value as Json).type === 'string';
}

const charts: readonly (readonly [string, AnyStateMachine])[] = [
  ['host', hostMachine],
  ['power', powerMachine],
  ['servicing', servicingMachine],
  ['data image', dataImageMachine],
  ['agent image', preprovisioningMachine],
  ['host claim', hostClaimMachine],
];

describe.each(charts)('the chart of the %s', (_name, machine) => {
  it('names what it does: no guard, action or actor is written into it', () => {
    const used = valuesOf(machine.config, new Set(['guard', 'actions', 'src', 'entry', 'exit']));
    expect(used.length).toBeGreaterThan(8);
    expect(used.filter((value) => !isName(value))).toEqual([]);
  });

  it('has no timers and no memory but its state: no delayed edges, no history', () => {
    expect(valuesOf(machine.config, new Set(['after', 'history', 'delay']))).toEqual([]);
    expect(nodesOf(machine).filter(({ type, after }) => type === 'history' || after.length > 0)).toEqual([]);
  });

  it('has no edge for errors: what is thrown ends the pass', () => {
    expect(valuesOf(machine.config, new Set(['onError']))).toEqual([]);
    expect(edgesOf(machine).filter(({ name }) => name.includes('xstate.error'))).toEqual([]);
  });

  it('starts nothing but what a state invokes', () => {
    const actions = Object.values(machine.implementations.actions) as { type?: string }[];
    const kinds = new Set(actions.map(({ type }) => type));
    for (const kind of ['xstate.spawnChild', 'xstate.sendTo', 'xstate.cancel', 'xstate.stopChild']) {
      expect(kinds.has(kind)).toBe(false);
    }
  });

  it('invokes at most one actor in a state', () => {
    for (const { id, invoke } of nodesOf(machine)) expect([id, invoke.length <= 1]).toEqual([id, true]);
  });
});

describe('the chart of the host', () => {
  it('tags every state that invokes an actor as busy, and no other', () => {
    for (const { id, invoke, tags } of nodesOf(hostMachine)) {
      expect([id, tags.includes('busy')]).toEqual([id, invoke.length > 0]);
    }
  });

  it('notes the step by the name of the actor that it invokes', () => {
    for (const { config, invoke } of nodesOf(hostMachine)) {
      if (invoke.length === 0) continue;
      expect(config.entry).toEqual({ type: 'noteStep', params: { step: invoke[0]!.src } });
    }
  });
});

describe('the check of implementations', () => {
  it('finds nothing missing in the charts that the operator runs', () => {
    expect(implementationGaps(providedHostMachine, hostMachine)).toEqual([]);
    expect(implementationGaps(providedPowerMachine, powerMachine)).toEqual([]);
    expect(implementationGaps(providedServicingMachine, servicingMachine)).toEqual([]);
    expect(implementationGaps(providedDataImageMachine, dataImageMachine)).toEqual([]);
    expect(implementationGaps(providedPreprovisioningMachine, preprovisioningMachine)).toEqual([]);
    expect(implementationGaps(providedHostClaimMachine, hostClaimMachine)).toEqual([]);
    expect(implementationGaps(scriptedPowerMachine, powerMachine)).toEqual([]);
  });

  it.each(Object.keys(scriptedActors))('finds that %s was left out', (name) => {
    const { [name as keyof typeof scriptedActors]: _left, ...actors } = scriptedActors;
    const machine = hostMachine.provide({ actors: { ...actors, ...scriptedProcedures } });
    expect(implementationGaps(machine, hostMachine)).toEqual([{ kind: 'actor', name }]);
  });

  it('finds that a procedure was left out, whole or in part', () => {
    const missing = ['managePower', 'readyImage'].map((name) => ({ kind: 'actor', name }));
    const gapsOfHost = implementationGaps(hostMachine.provide({ actors: scriptedActors }), hostMachine);
    expect(gapsOfHost).toEqual(expect.arrayContaining(missing));
    expect(gapsOfHost).toHaveLength(2);
    const gaps = implementationGaps(powerMachine, powerMachine).map(({ name }) => name);
    expect(gaps.sort()).toEqual([
      ...['observePower', 'powerOff', 'powerOn', 'serviceFirmware', 'settleRebootRequests', 'tendDataImage'],
    ]);
  });

  it('finds a guard and an action without a meaning', () => {
    const { guards, actions } = scriptedHostMachine.implementations;
    const bare = scriptedHostMachine.provide({});
    Object.assign(bare.implementations, {
      guards: { ...guards, isDelayed: undefined },
      actions: { ...actions, forgive: undefined },
    });
    expect(implementationGaps(bare, hostMachine)).toEqual(
      expect.arrayContaining([
        { kind: 'guard', name: 'isDelayed' },
        { kind: 'action', name: 'forgive' },
      ]),
    );
  });
});
