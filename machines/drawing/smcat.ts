/** A picture in the language of state-machine-cat, which makes SVG, dot and SCXML of it without a browser. */
import type { Arrow, Box, Picture } from './picture.js';

export function toSmcat(picture: Picture): string {
  const boxes = picture.isParallel
    ? [{ id: picture.id, label: picture.id, kind: 'parallel', initial: null, children: picture.boxes } as const]
    : picture.boxes;
  const text = [...states(boxes, picture.id, picture.initial), ...picture.arrows.map(arrowLine)];
  return `${text.join('\n')}\n`;
}

/** Declarations are parted by commas and ended by a semicolon; only then transitions follow. */
function states(boxes: readonly Box[], owner: string, initial: string | null): string[] {
  const start = `${owner}.initial`;
  const blocks = boxes.map(stateLines);
  const all = initial === null ? blocks : [[`${quoted(start)} [label="" type=initial]`], ...blocks];
  const declared = all.flatMap((lines, index) => ended(lines, index === all.length - 1 ? ';' : ','));
  return initial === null ? declared : [...declared, `${quoted(start)} => ${quoted(initial)};`];
}

function stateLines({ id, label, kind, initial, children }: Box): string[] {
  const type = kind === 'final' || kind === 'parallel' ? kind : 'regular';
  const head = `${quoted(id)} [label=${quoted(label)} type=${type}]`;
  if (children.length === 0) return [head];
  return [`${head} {`, ...states(children, id, initial).map((line) => `  ${line}`), '}'];
}

function ended(lines: readonly string[], end: string): string[] {
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${end}`];
}

function arrowLine({ from, to, labels }: Arrow): string {
  const text = labels.filter((label) => label !== '').join(', ');
  return `${quoted(from)} => ${quoted(to)}${text === '' ? '' : `: ${quoted(text)}`};`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
