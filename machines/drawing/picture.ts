/** What is to be seen of a chart: a part of it, all or folded, with labels; the renderers only write it down. */
import type { ChartEdge, ChartGraph, ChartNode } from './graph.js';

export interface Box {
  readonly id: string;
  readonly label: string;
  readonly kind: ChartNode['kind'];
  readonly initial: string | null;
  readonly children: readonly Box[];
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** One for each transition that the arrow stands for. */
  readonly labels: readonly string[];
}

/** A chart, or one region of it. */
export interface Picture {
  /** Id of what is drawn; the ids of all boxes begin with it. */
  readonly id: string;
  readonly boxes: readonly Box[];
  /** Whether the boxes hold all at once, as the regions of a parallel chart do. */
  readonly isParallel: boolean;
  readonly initial: string | null;
  readonly arrows: readonly Arrow[];
}

export interface View {
  /** Key of a region of a parallel chart; undefined shows the whole chart. */
  readonly region?: string | undefined;
  /** Folds the steps of a state into it, and draws one arrow from state to state. */
  readonly isCollapsed?: boolean;
}

export function regionsOf(graph: ChartGraph): ChartNode[] {
  const [root] = graph.nodes;
  return root?.kind === 'parallel' ? childrenOf(graph, root.id) : [];
}

/** The name on the wire, which is what people see in the object, or the chart's own. */
export function labelOf({ key, wire }: ChartNode): string {
  return wire === null || wire === '' ? key : wire;
}

/** @throws RangeError when the chart has no such region. */
export function picture(graph: ChartGraph, { region, isCollapsed = false }: View = {}): Picture {
  const top = topOf(graph, region);
  const frames = new Set([graph.nodes[0]?.id ?? '', ...regionsOf(graph).map(({ id }) => id)]);
  const isOpen = (id: string) => childrenOf(graph, id).length > 0 && (!isCollapsed || frames.has(id));
  const shownAs = (id: string) => (isCollapsed ? folded(graph, id, frames) : id);
  const arrows = graph.edges
    .filter(({ from }) => isWithin(from, top.id))
    .map((edge) => arrowOf(edge, shownAs, isOpen, isCollapsed ? shortLabel : fullLabel));
  const stays = (arrow: Arrow) => isCollapsed && arrow.from === arrow.to;
  const shown = isCollapsed ? merged(arrows.filter((arrow) => !stays(arrow))) : arrows;
  return {
    id: top.id,
    boxes: boxesUnder(graph, top, isOpen, new Set(shown.map(({ from }) => from))),
    isParallel: top.kind === 'parallel',
    initial: top.initial,
    arrows: shown,
  };
}

function topOf(graph: ChartGraph, region: string | undefined): ChartNode {
  const [root] = graph.nodes;
  const top = region === undefined ? root : regionsOf(graph).find(({ key }) => key === region);
  if (top === undefined) throw new RangeError(`the chart ${graph.id} has no region ${region ?? ''}`);
  return top;
}

function childrenOf(graph: ChartGraph, id: string): ChartNode[] {
  return graph.nodes.filter(({ parent }) => parent === id);
}

function isWithin(id: string, ancestor: string): boolean {
  return id === ancestor || id.startsWith(`${ancestor}.`);
}

/** The state directly below a frame that holds this one. */
function folded(graph: ChartGraph, id: string, frames: ReadonlySet<string>): string {
  const node = graph.nodes.find((each) => each.id === id);
  if (node === undefined || node.parent === null || frames.has(id) || frames.has(node.parent)) return id;
  return folded(graph, node.parent, frames);
}

/** What a state answers whichever of its children it is in: drawn as a child of its own, since no arrow can start at a frame. */
function anyOf(id: string): string {
  return `${id}.any`;
}

function arrowOf(
  edge: ChartEdge,
  shownAs: (id: string) => string,
  isOpen: (id: string) => boolean,
  label: (edge: ChartEdge) => string,
): Arrow {
  const from = shownAs(edge.from);
  const to = edge.to === null ? undefined : shownAs(edge.to);
  const isInward = isOpen(from) && (to === undefined || isWithin(to, from));
  const start = isInward ? anyOf(from) : from;
  return { from: start, to: to ?? start, labels: [label(edge)] };
}

/** `event [guard]`, and what is done where the state stays. */
function fullLabel({ event, guard, to, actions }: ChartEdge): string {
  const parts = [event, guard === null ? '' : `[${guard}]`, to === null ? `/ ${actions.join(', ')}` : ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** One word where one will do: the guard, else the answer that was waited for, else the event. */
function shortLabel({ event, guard }: ChartEdge): string {
  return guard ?? event;
}

function merged(arrows: readonly Arrow[]): Arrow[] {
  const byEnds = new Map<string, Arrow>();
  for (const arrow of arrows) {
    const ends = `${arrow.from} ${arrow.to}`;
    const labels = [...(byEnds.get(ends)?.labels ?? []), ...arrow.labels];
    byEnds.set(ends, { ...arrow, labels: [...new Set(labels)].filter((label) => label !== '') });
  }
  return [...byEnds.values()];
}

function boxesUnder(
  graph: ChartGraph,
  node: ChartNode,
  isOpen: (id: string) => boolean,
  starts: ReadonlySet<string>,
): Box[] {
  const any: Box = { id: anyOf(node.id), label: '(any)', kind: 'atomic', initial: null, children: [] };
  const children = childrenOf(graph, node.id).map((child): Box => {
    const open = isOpen(child.id);
    return {
      id: child.id,
      label: labelOf(child),
      kind: child.kind === 'final' || open ? child.kind : 'atomic',
      initial: open ? child.initial : null,
      children: open ? boxesUnder(graph, child, isOpen, starts) : [],
    };
  });
  return starts.has(any.id) ? [...children, any] : children;
}
