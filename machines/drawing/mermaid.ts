/** A picture as a Mermaid state diagram, which GitHub and many editors draw where it stands in a text. */
import type { Box, Picture } from './picture.js';

export function toMermaid({ id, boxes, initial, isParallel, arrows }: Picture): string {
  const name = (path: string) => nameIn(id, path);
  const body = [
    ...(isParallel ? framed(id, contents(boxes, initial, isParallel, name)) : contents(boxes, initial, false, name)),
    ...arrows.map(({ from, to, labels }) => `${name(from)} --> ${name(to)}${labelText(labels)}`),
  ];
  return ['stateDiagram-v2', ...body.map((line) => `  ${line}`)].join('\n') + '\n';
}

type Name = (path: string) => string;

/** The path within the picture; Mermaid takes no dots in a name. */
function nameIn(picture: string, path: string): string {
  return path.slice(picture.length + 1).replaceAll('.', '_');
}

function contents(boxes: readonly Box[], initial: string | null, isParallel: boolean, name: Name): string[] {
  const entry = initial === null ? [] : [`[*] --> ${name(initial)}`];
  const separated = boxes.flatMap((box, index) => [...(isParallel && index > 0 ? ['--'] : []), ...boxLines(box, name)]);
  return [...entry, ...separated];
}

/** Regions can only be parted within a state. */
function framed(name: string, lines: readonly string[]): string[] {
  return [`state ${name} {`, ...lines.map((line) => `  ${line}`), '}'];
}

function boxLines({ id, label, kind, initial, children }: Box, name: Name): string[] {
  const head = label === name(id) ? `state ${label}` : `state "${label}" as ${name(id)}`;
  if (children.length > 0) {
    return framed(head.slice('state '.length), contents(children, initial, kind === 'parallel', name));
  }
  return kind === 'final' ? [head, `${name(id)} --> [*]`] : [head];
}

function labelText(labels: readonly string[]): string {
  const text = labels.filter((label) => label !== '').join('<br/>');
  return text === '' ? '' : `: ${text}`;
}
