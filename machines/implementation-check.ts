/**
 * XState does nothing, silently and for ever, where a chart names an actor that was never given. So every name of a chart is
 * looked up once, at start-up, and a chart with a gap is refused.
 */
import type { AnyStateMachine, AnyStateNode } from 'xstate';

export interface Gap {
  readonly kind: 'actor' | 'guard' | 'action';
  readonly name: string;
}

type Named = string | { readonly type: string } | undefined;

/** Names used by the chart without an implementation; for actors, a placeholder from `placeholders` counts as none. */
export function implementationGaps(machine: AnyStateMachine, placeholders: AnyStateMachine): Gap[] {
  const used = new Map<string, Gap>();
  const note = (kind: Gap['kind'], name: Named): void => {
    const text = typeof name === 'object' ? name.type : name;
    if (text !== undefined && !text.startsWith('xstate.')) used.set(`${kind} ${text}`, { kind, name: text });
  };
  visit(machine.root, note);
  return [...used.values()].filter((gap) => !isGiven(gap, machine, placeholders));
}

function isGiven(gap: Gap, machine: AnyStateMachine, placeholders: AnyStateMachine): boolean {
  if (gap.kind === 'guard') return machine.implementations.guards[gap.name] !== undefined;
  if (gap.kind === 'action') return machine.implementations.actions[gap.name] !== undefined;
  const given = machine.implementations.actors[gap.name];
  return given !== undefined && given !== placeholders.implementations.actors[gap.name];
}

function visit(node: AnyStateNode, note: (kind: Gap['kind'], name: Named) => void): void {
  for (const { src } of node.invoke) note('actor', typeof src === 'string' ? src : '(inline)');
  for (const action of [...node.entry, ...node.exit]) note('action', action as Named);
  const transitions = [...node.transitions.values()].flat();
  for (const { guard, actions } of [...transitions, ...(node.always ?? [])]) {
    note('guard', guard as Named);
    for (const action of actions) note('action', action as Named);
  }
  for (const child of Object.values(node.states)) visit(child, note);
}
