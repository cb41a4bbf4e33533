import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { createActor } from 'xstate';
import {
  chartVersion,
  hostMachine,
  lifecycleOf,
  lifecycleStates,
  persist,
  restingValue,
  restore,
  stateFromWire,
  UnknownHostState,
  wireName,
} from '../../machines/index.js';
import { type BareMetalHostStatus, bareMetalHostStatusSchema } from '../../src/apis/index.js';
import { TableScript } from '../support/actor-answers.js';
import { step, stepFacts } from '../support/chart-step.js';
import { aHost } from '../support/host-builder.js';

interface Kept {
  readonly state: string;
  readonly operationalStatus: string;
  readonly lifecycle: Record<string, unknown>;
}

const folder = new URL('./snapshots/', import.meta.url);
const standings = ['ok', 'discovered', 'error', 'delayed', 'detached', 'servicing'] as const;
const rests = lifecycleStates.filter((state) => state !== 'deleted');

function keptBy(file: string): Kept[] {
  return JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Kept[];
}

function statusWith(state: string, operationalStatus: string, lifecycle?: unknown): BareMetalHostStatus {
  return bareMetalHostStatusSchema.parse({
    ...{ operationalStatus, errorMessage: '', errorCount: 0, poweredOn: true, provisioningFailCount: 0 },
    ...{ provisioning: { state, ID: 'node-1' }, lifecycle },
  }) as BareMetalHostStatus;
}

const ours = (state = 'provisioned', standing: (typeof standings)[number] = 'ok') => ({
  chart: chartVersion,
  state,
  snapshot: { value: restingValue(stateFromWire(state)!, standing), context: { step: 'managePower' } },
});

describe('snapshots that a released chart has left in a status', () => {
  it.each(readdirSync(folder))('of %s are all restored as they are', (file) => {
    for (const { state, operationalStatus, lifecycle } of keptBy(file)) {
      const { source, snapshot } = restore(hostMachine, statusWith(state, operationalStatus, lifecycle));
      const { value, context } = lifecycle.snapshot as { value: unknown; context: { step?: string } };
      expect([state, operationalStatus, source]).toEqual([state, operationalStatus, 'snapshot']);
      expect(snapshot.value).toEqual(value);
      expect(snapshot.context.step).toBe(context.step ?? null);
    }
  });

  it('of this version hold every value in which the chart rests', () => {
    const kept = keptBy(`${chartVersion.replace('/', '-')}.json`).map(({ lifecycle }) => {
      return JSON.stringify((lifecycle.snapshot as { value: unknown }).value);
    });
    const all = rests.flatMap((state) => standings.map((standing) => JSON.stringify(restingValue(state, standing))));
    expect(all.filter((value) => !kept.includes(value))).toEqual([]);
  });
});

describe('a snapshot', () => {
  it('leads to the same pass as the wire fields alone do', async () => {
    for (const state of rests.map(wireName)) {
      const facts = stepFacts(aHost().in(state));
      const bare = await step(facts, new TableScript());
      const kept = { ...facts, status: { ...facts.status, lifecycle: ours(state) as never } };
      const refined = await step(kept, new TableScript());
      expect([state, bare.restoredFrom, refined.restoredFrom]).toEqual([state, 'absent', 'snapshot']);
      expect(persist(refined.snapshot)).toEqual(persist(bare.snapshot));
      expect(refined.draft.result).toEqual(bare.draft.result);
    }
  });

  it('comes back whole, small, and without the facts of the pass', async () => {
    const { snapshot } = await step(stepFacts(aHost().in('provisioned')), new TableScript());
    expect(snapshot.context.observed).toBeDefined();
    const kept = JSON.parse(JSON.stringify(persist(snapshot))) as Record<string, unknown>;
    expect(Object.keys(kept)).toEqual(['chart', 'state', 'snapshot']);
    expect(kept.snapshot).toEqual({ value: snapshot.value, context: { step: 'managePower' } });
    expect(restore(hostMachine, statusWith('provisioned', 'OK', kept)).source).toBe('snapshot');
  });

  it('is believed when a merge patch has dropped its null step', () => {
    const { snapshot, ...rest } = ours();
    const patched = { ...rest, snapshot: { value: snapshot.value, context: {} } };
    const restored = restore(hostMachine, statusWith('provisioned', 'OK', patched));
    expect([restored.source, restored.snapshot.context.step]).toEqual(['snapshot', null]);
  });

  const good = ours();
  it.each<[string, unknown, string]>([
    ['that is not there', undefined, 'absent'],
    ['of another version', { ...good, chart: 'host/2' }, 'other chart version'],
    ['of another chart', { ...good, chart: 'power/1' }, 'other chart version'],
    ['without a version', { ...good, chart: undefined }, 'garbled'],
    ['that is too large', { ...good, waitsFor: 'x'.repeat(1100) }, 'too large'],
    ['without a value', { ...good, snapshot: undefined }, 'garbled'],
    ['whose value is a list', { ...good, snapshot: { value: [], context: {} } }, 'contradicts the wire'],
    ['without a context', { ...good, snapshot: { value: good.snapshot.value } }, 'garbled'],
    ['whose context is a list', { ...good, snapshot: { ...good.snapshot, context: [] } }, 'garbled'],
    ['whose step is a number', { ...good, snapshot: { ...good.snapshot, context: { step: 7 } } }, 'garbled'],
    ['of another state', ours('available'), 'contradicts the wire'],
    ['that says one state and holds another', { ...ours('available'), state: 'provisioned' }, 'contradicts the wire'],
    ['of another standing', ours('provisioned', 'error'), 'contradicts the wire'],
    [
      'in the middle of a pass',
      { ...good, snapshot: { ...good.snapshot, value: { ...good.snapshot.value, pass: 'registering' } } },
      'contradicts the wire',
    ],
    [
      'in a step that works',
      {
        ...good,
        snapshot: { ...good.snapshot, value: { ...good.snapshot.value, lifecycle: { provisioned: 'power' } } },
      },
      'contradicts the wire',
    ],
    [
      'of a state that never was',
      { ...good, snapshot: { ...good.snapshot, value: { ...good.snapshot.value, lifecycle: 'nowhere' } } },
      'contradicts the wire',
    ],
    ['that is a text', 'host/1', 'absent'],
    ['with a forged prototype', JSON.parse('{"__proto__":{"chart":"host/1"},"state":"provisioned"}'), 'garbled'],
  ])('%s gives way to the wire', (_what, lifecycle, source) => {
    const restored = restore(hostMachine, statusWith('provisioned', 'OK', lifecycle));
    expect(restored.source).toBe(source);
    expect(restored.snapshot.value).toEqual(restingValue('provisioned', 'ok'));
    expect(restored.snapshot.context.step).toBeNull();
  });

  it('of an unknown state is no reason to begin again: such a host is refused', () => {
    expect(() => restore(hostMachine, statusWith('exploding', 'OK', ours()))).toThrow(UnknownHostState);
    expect(() => restore(hostMachine, statusWith('deleted', 'OK'))).toThrow(UnknownHostState);
  });

  it('of a standing that is not known counts as of a host that stands well', () => {
    const { snapshot } = restore(hostMachine, statusWith('available', 'confused'));
    expect(snapshot.value).toEqual(restingValue('available', 'ok'));
  });

  it('runs again: a restored chart rests and takes the next pass', () => {
    for (const state of rests) {
      const { snapshot } = restore(hostMachine, statusWith(wireName(state), 'OK'));
      const actor = createActor(hostMachine, { input: {}, snapshot }).start();
      expect(lifecycleOf(actor.getSnapshot())).toBe(state);
      expect(actor.getSnapshot().can({ type: 'reconcile' } as never)).toBe(true);
      expect(actor.getSnapshot().hasTag('busy')).toBe(false);
      actor.stop();
    }
  });
});
