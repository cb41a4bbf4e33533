/** Every edge of a chart, each guarded alternative for itself, and which of them a run has taken. */
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition, InspectionEvent } from 'xstate';

export interface Edge {
  readonly name: string;
  readonly definition: AnyTransitionDefinition;
}

function nameOf(node: AnyStateNode, definition: AnyTransitionDefinition): string {
  const { guard, eventType, target } = definition as AnyTransitionDefinition & { guard?: string | { type: string } };
  const verdict = guard === undefined ? '' : ` [${typeof guard === 'string' ? guard : guard.type}]`;
  const event = eventType === '' ? 'always' : eventType.replace(/^xstate\.done\.actor\..*/, 'done');
  const targets = (target ?? []).map(({ id }) => id).join(' + ') || '(stays)';
  return `${node.id} --${event}${verdict}--> ${targets}`;
}

export function edgesOf(machine: AnyStateMachine): Edge[] {
  const visit = (node: AnyStateNode): Edge[] => {
    const definitions = [...[...node.transitions.values()].flat(), ...(node.always ?? [])];
    const own = definitions.map((definition) => ({ name: nameOf(node, definition), definition }));
    return [...own, ...Object.values(node.states).flatMap(visit)];
  };
  return visit(machine.root);
}

/** Every node of a chart, by its id. */
export function nodesOf(machine: AnyStateMachine): AnyStateNode[] {
  const visit = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(visit)];
  return visit(machine.root);
}

/** An inspector of passes that notes each edge taken and each node entered, also those that are left within the pass. */
export class Coverage {
  readonly #taken = new Set<AnyTransitionDefinition>();
  readonly nodes = new Set<string>();

  readonly inspector = () => (event: InspectionEvent) => {
    if (event.type !== '@xstate.microstep') return;
    for (const transition of event._transitions) this.#taken.add(transition);
    const { _nodes = [] } = event.snapshot as { _nodes?: AnyStateNode[] };
    for (const { id } of _nodes) this.nodes.add(id);
  };

  get count(): number {
    return this.#taken.size;
  }

  missing(edges: readonly Edge[]): string[] {
    return edges.filter(({ definition }) => !this.#taken.has(definition)).map(({ name }) => name);
  }
}
