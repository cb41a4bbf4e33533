import { describe, expect, it } from '@jest/globals';
import { hostMachine, lifecycleStates, powerMachine, wireName } from '../../../machines/index.js';
import { chartGraph, namedChart, regionsOf } from '../../../machines/drawing/index.js';

/** The chart as it is written, read without the walker and without XState's own tree. */
interface Written {
  readonly states?: Record<string, Written>;
  readonly on?: Record<string, unknown>;
  readonly always?: unknown;
  readonly invoke?: { readonly src: string; readonly onDone?: unknown };
}

interface WrittenTransition {
  readonly guard?: string | { readonly type: string };
  readonly actions?: unknown;
}

function transitionsOf(state: Written): WrittenTransition[] {
  const lists = [...Object.values(state.on ?? {}), state.always, state.invoke?.onDone].filter((each) => each);
  const own = lists
    .flat()
    .map((each) => (typeof each === 'string' ? {} : each))
    .map((each) => each as WrittenTransition);
  return [...own, ...Object.values(state.states ?? {}).flatMap(transitionsOf)];
}

function pathsOf(state: Written, path: string): string[] {
  return [path, ...Object.entries(state.states ?? {}).flatMap(([key, child]) => pathsOf(child, `${path}.${key}`))];
}

const guardName = ({ guard }: WrittenTransition) => (typeof guard === 'object' ? guard.type : (guard ?? null));
const sorted = (names: readonly (string | null)[]) => names.map(String).sort();

describe.each([
  ['host', hostMachine],
  ['power', powerMachine],
] as const)('the graph of the %s chart', (name, machine) => {
  const graph = namedChart(name);
  const written = machine.config as unknown as Written;

  it('has every state that the chart is written with, and no other', () => {
    expect(sorted(graph.nodes.map(({ id }) => id))).toEqual(sorted(pathsOf(written, name)));
  });

  it('has every transition, with its guard', () => {
    const transitions = transitionsOf(written);
    expect(transitions.length).toBeGreaterThan(10);
    expect(sorted(graph.edges.map(({ guard }) => guard))).toEqual(sorted(transitions.map(guardName)));
  });

  it('leads every edge from a state to a state', () => {
    const ids = new Set(graph.nodes.map(({ id }) => id));
    const loose = graph.edges.filter(({ from, to }) => !ids.has(from) || (to !== null && !ids.has(to)));
    expect(loose).toEqual([]);
  });

  it('names everything: nothing in it is inline', () => {
    const names = graph.edges.flatMap(({ guard, actions }) => [guard ?? '', ...actions]);
    expect(names).not.toContain('(inline)');
    expect(graph.edges.filter(({ event }) => event.startsWith('xstate.'))).toEqual([]);
  });

  it('is plain JSON, the same at every call', () => {
    expect(JSON.parse(JSON.stringify(graph))).toEqual(graph);
    expect(JSON.stringify(namedChart(name))).toBe(JSON.stringify(graph));
  });
});

describe('the graph of the host chart', () => {
  const graph = namedChart('host');
  const node = (id: string) => graph.nodes.find((each) => each.id === id);

  it('gives every lifecycle state its name on the wire, and none to any other', () => {
    const named = new Map(graph.nodes.filter(({ wire }) => wire !== null).map(({ id, wire }) => [id, wire]));
    const living = lifecycleStates.filter((state) => state !== 'deleted');
    expect(named).toEqual(new Map(living.map((state) => [`host.lifecycle.${state}`, wireName(state)])));
  });

  it('tells a step from a state of rest by its tag, and which actor it waits for', () => {
    expect(node('host.lifecycle.provisioning.deploying')).toMatchObject({
      parent: 'host.lifecycle.provisioning',
      kind: 'atomic',
      tags: ['busy'],
      invokes: ['provisionHost'],
    });
    expect(node('host.lifecycle.provisioning.rest')).toMatchObject({ tags: [], invokes: [] });
    expect(graph.nodes.filter(({ tags }) => tags.includes('busy')).every(({ invokes }) => invokes.length === 1)).toBe(
      true,
    );
  });

  it('calls the end of an actor by the name of the actor', () => {
    const edge = graph.edges.find(
      ({ from, to }) => from === 'host.lifecycle.provisioning.deploying' && to === 'host.lifecycle.provisioned',
    );
    expect(edge).toEqual({
      from: 'host.lifecycle.provisioning.deploying',
      to: 'host.lifecycle.provisioned',
      event: 'done(provisionHost)',
      guard: null,
      actions: ['rememberDeployment', 'recordDeployment', 'completeProvisioning'],
    });
  });

  it('keeps a reaction without a target as an edge that leads nowhere', () => {
    expect(graph.edges).toContainEqual({
      from: 'host.lifecycle.unmanaged',
      to: null,
      event: 'work',
      guard: null,
      actions: ['waitForDetails'],
    });
  });

  it('has the three regions', () => {
    expect(regionsOf(graph).map(({ key }) => key)).toEqual(['pass', 'lifecycle', 'standing']);
    expect(regionsOf(chartGraph(powerMachine))).toEqual([]);
  });
});
