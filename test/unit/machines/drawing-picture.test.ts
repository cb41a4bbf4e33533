import { describe, expect, it } from '@jest/globals';
import { lifecycleStates, wireName } from '../../../machines/index.js';
import { type Box, type ChartGraph, namedChart, picture, toMermaid, toSmcat } from '../../../machines/drawing/index.js';

const host = namedChart('host');
const power = namedChart('power');
const folded = picture(host, { region: 'lifecycle', isCollapsed: true });
const full = picture(host, { region: 'lifecycle' });

function allBoxes(boxes: readonly Box[]): Box[] {
  return boxes.flatMap((box) => [box, ...allBoxes(box.children)]);
}

const lifecycleEdges = host.edges.filter(({ from }) => from.startsWith('host.lifecycle'));
/** `host.lifecycle.available.rest` is, folded, `host.lifecycle.available`. */
const stateOf = (id: string) => id.split('.').slice(0, 3).join('.');

describe('a picture', () => {
  it.each([
    ['host', host],
    ['power', power],
  ] as const)('of the whole %s chart has one arrow for each transition, between boxes that are there', (_, graph) => {
    const whole = picture(graph);
    const ids = new Set(allBoxes(whole.boxes).map(({ id }) => id));
    expect(whole.arrows).toHaveLength(graph.edges.length);
    expect(whole.arrows.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
  });

  it('of a region holds the states of that region alone', () => {
    const ids = allBoxes(full.boxes).map(({ id }) => id);
    expect(ids.filter((id) => !id.startsWith('host.lifecycle.'))).toEqual([]);
    expect(full.arrows).toHaveLength(lifecycleEdges.length);
  });

  it('names the states as the wire does', () => {
    const labels = new Set(folded.boxes.map(({ label }) => label));
    const wire = lifecycleStates.filter((state) => state !== 'none' && state !== 'deleted').map(wireName);
    expect(wire.filter((name) => !labels.has(name))).toEqual([]);
  });

  it('starts no arrow at a state that is drawn open and holds its end: renderers refuse that', () => {
    const open = new Set(
      allBoxes(picture(host).boxes).flatMap(({ id, children }) => (children.length > 0 ? [id] : [])),
    );
    const inward = picture(host).arrows.filter(({ from, to }) => open.has(from) && `${to}.`.startsWith(`${from}.`));
    expect(inward).toEqual([]);
  });

  it('refuses a region that is not there', () => {
    expect(() => picture(host, { region: 'weather' })).toThrow('the chart host has no region weather');
  });
});

describe('a folded picture', () => {
  it('shows each lifecycle state once and none of its steps', () => {
    const states = folded.boxes.filter(({ id }) => !id.endsWith('.any'));
    expect(states.map(({ id }) => id)).toEqual(lifecycleStates.map((state) => `host.lifecycle.${state}`));
    expect(allBoxes(folded.boxes)).toHaveLength(folded.boxes.length);
  });

  it('draws one arrow for each pair of states that a transition joins', () => {
    const pairs = new Set(
      lifecycleEdges
        .filter(({ from, to }) => to !== null && from !== 'host.lifecycle' && stateOf(from) !== stateOf(to))
        .map(({ from, to }) => `${stateOf(from)} ${stateOf(to ?? '')}`),
    );
    const drawn = folded.arrows.filter(({ from }) => !from.endsWith('.any')).map(({ from, to }) => `${from} ${to}`);
    expect(drawn.sort()).toEqual([...pairs].sort());
    expect(folded.arrows).toContainEqual({
      from: 'host.lifecycle.any',
      to: 'host.lifecycle.deleting',
      labels: ['release'],
    });
  });

  it('puts the reasons of a merged arrow together', () => {
    const arrow = folded.arrows.find(
      ({ from, to }) => from === 'host.lifecycle.deprovisioning' && to === 'host.lifecycle.poweringOffBeforeDelete',
    );
    expect(arrow?.labels).toEqual(['hasGivenUp', 'isDeleting']);
  });
});

describe('Mermaid text', () => {
  const text = toMermaid(full);

  it('nests the steps in their state, and leads in from the first one', () => {
    expect(text).toContain(
      '  state provisioning {\n    [*] --> provisioning_rest\n    state "rest" as provisioning_rest\n',
    );
    expect(text).toContain('\n  provisioning_rest --> deprovisioning: work [isProvisioningInError]\n');
    expect(text).toContain('\n  state "externally provisioned" as externallyProvisioned {\n');
  });

  it('has a line for every arrow, and closes what it opens', () => {
    const arrows = text.split('\n').filter((line) => /^ {2}[a-z]\w* --> [a-z]\w*/i.test(line));
    expect(arrows).toHaveLength(full.arrows.length);
    expect(text.match(/\{$/gm)).toHaveLength(text.match(/^ *\}$/gm)?.length ?? -1);
  });

  it('parts the regions of a parallel chart within a state of their own', () => {
    const lines = toMermaid(picture(host)).split('\n');
    expect(lines.slice(0, 3)).toEqual(['stateDiagram-v2', '  state host {', '    state pass {']);
    expect(lines.filter((line) => line === '    --')).toHaveLength(2);
  });

  it('leads a final state to the end', () => {
    expect(toMermaid(picture(power))).toContain('  state done\n  done --> [*]\n');
  });
});

describe('state-machine-cat text', () => {
  it('declares every state before the transitions, and ends every transition', () => {
    const lines = toSmcat(full).trimEnd().split('\n');
    const first = lines.findIndex((line) => line.includes(' => ') && !line.startsWith(' '));
    expect(lines.slice(first).every((line) => / => .*;$/.test(line))).toBe(true);
    expect(lines.slice(first + 1)).toHaveLength(full.arrows.length);
    expect(lines).toContain('"host.lifecycle.available" [label="available" type=regular] {');
    expect(lines).toContain('  "host.lifecycle.available.initial" => "host.lifecycle.available.rest";');
  });

  it('keeps the regions together in one parallel state', () => {
    expect(toSmcat(picture(host))).toMatch(/^"host" \[label="host" type=parallel\] \{\n {2}"host\.pass"/);
  });
});

it('writes the same text whatever ran before', () => {
  const once = (graph: ChartGraph) => [toMermaid(picture(graph)), toSmcat(picture(graph, { isCollapsed: true }))];
  expect(once(namedChart('host'))).toEqual(once(host));
  expect(once(namedChart('power'))).toEqual(once(power));
});
