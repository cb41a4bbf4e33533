/** A chart as a graph: every state and every transition, read from the machine itself, so that a drawing cannot disagree with it. */
import type { AnyStateMachine, AnyStateNode } from 'xstate';

export type NodeKind = 'atomic' | 'compound' | 'parallel' | 'final';

export interface ChartNode {
  /** The path of keys from the chart's root, with dots: `host.lifecycle.available.rest`. */
  readonly id: string;
  /** Last part of the path. */
  readonly key: string;
  /** Null for the root. */
  readonly parent: string | null;
  readonly kind: NodeKind;
  /** Id of the child that is entered first. */
  readonly initial: string | null;
  readonly tags: readonly string[];
  /** Names of the actors that run while the state is entered. */
  readonly invokes: readonly string[];
  /** The state's name in the object's status; null where it has none. */
  readonly wire: string | null;
}

export interface ChartEdge {
  readonly from: string;
  /** Null where the state reacts and stays. */
  readonly to: string | null;
  /** Name of the event; empty for a transition that is taken at once; `done(actor)` once an actor has answered. */
  readonly event: string;
  readonly guard: string | null;
  readonly actions: readonly string[];
}

export interface ChartGraph {
  readonly id: string;
  /** In the chart's own order, a parent before its children. */
  readonly nodes: readonly ChartNode[];
  /** In the order of their sources; those of one source in the order in which they are tried. */
  readonly edges: readonly ChartEdge[];
}

/** Gives the wire name of the state with this id. */
export type WireNames = (id: string) => string | null;

export function chartGraph(machine: AnyStateMachine, wireNames: WireNames = () => null): ChartGraph {
  const states = [...walk(machine.root)];
  return {
    id: machine.id,
    nodes: states.map((state) => toNode(state, wireNames)),
    edges: states.flatMap(edgesOf),
  };
}

function* walk(state: AnyStateNode): Generator<AnyStateNode> {
  yield state;
  for (const child of Object.values(state.states)) yield* walk(child);
}

function toNode(state: AnyStateNode, wireNames: WireNames): ChartNode {
  return {
    id: state.id,
    key: state.key,
    parent: state.parent?.id ?? null,
    kind: state.type === 'history' ? 'atomic' : state.type,
    initial: state.type === 'compound' ? (state.initial.target[0]?.id ?? null) : null,
    tags: [...state.tags],
    invokes: state.invoke.map(({ src }) => nameOf(src)),
    wire: wireNames(state.id),
  };
}

function edgesOf(state: AnyStateNode): ChartEdge[] {
  const actors = new Map(state.invoke.map(({ id, src }) => [id, nameOf(src)]));
  const onEvents = [...state.transitions.entries()].flatMap(([event, transitions]) =>
    transitions.map((transition) => ({ transition, event: eventName(event, actors) })),
  );
  const atOnce = (state.always ?? []).map((transition) => ({ transition, event: '' }));
  return [...onEvents, ...atOnce].flatMap(({ transition: { target, guard, actions }, event }) => {
    const edge = {
      from: state.id,
      event,
      guard: guard === undefined ? null : nameOf(guard),
      actions: actions.map((action) => nameOf(action)),
    };
    const targets: (string | null)[] =
      target === undefined || target.length === 0 ? [null] : target.map(({ id }) => id);
    return targets.map((to) => ({ ...edge, to }));
  });
}

const answers: readonly (readonly [string, string])[] = [
  ['xstate.done.actor.', 'done'],
  ['xstate.error.actor.', 'error'],
];

/** What XState calls `xstate.done.actor.0.host.pass.detaching` is, to a reader, the answer of the actor `detachHost`. */
function eventName(event: string, actors: ReadonlyMap<string, string>): string {
  const answer = answers.find(([prefix]) => event.startsWith(prefix));
  if (answer === undefined) return event;
  const actor = event.slice(answer[0].length);
  return `${answer[1]}(${actors.get(actor) ?? actor})`;
}

function nameOf(named: unknown): string {
  if (typeof named === 'string') return named;
  if (typeof named === 'object' && named !== null && 'type' in named && typeof named.type === 'string') {
    return named.type;
  }
  return typeof named === 'function' && named.name !== '' ? named.name : '(inline)';
}
