/**
 * The part of kubectl's JSONPath that printer columns use: `.a.b`, `['a']`, `[0]`, `[-1]`, `[*]`, `.*`, `..name` and filters
 * such as `[?(@.type=='Ready')]`, with `==`, `!=`, `<`, `<=`, `>`, `>=` or bare existence.
 */
import { isDict } from '../object.js';

type Step = (value: unknown) => unknown[];

const TOKEN =
  /\.\.([\w-]+)|\.(\*)|\.((?:[^.[\]\\]|\\.)+)|\[\s*(-?\d+)\s*\]|\[\s*\*\s*\]|\[\s*'([^']*)'\s*\]|\[\s*"([^"]*)"\s*\]|\[\?\((.*?)\)\]/y;
const CONDITION = /^\s*@([^=!<>]*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.*?)\s*)?$/;

function member(key: string): Step {
  return (value) => (isDict(value) && Object.hasOwn(value, key) ? [value[key]] : []);
}

function element(index: number): Step {
  return (value) => {
    const item: unknown = Array.isArray(value) ? value.at(index) : undefined;
    return item === undefined ? [] : [item];
  };
}

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isDict(value) ? Object.values(value) : [];
}

function descendants(key: string): Step {
  const step: Step = (value) => [...member(key)(value), ...children(value).flatMap(step)];
  return step;
}

function literal(text: string): unknown {
  const quoted = /^(['"])(.*)\1$/.exec(text);
  if (quoted) return quoted[2];
  if (text === 'true' || text === 'false') return text === 'true';
  return Number(text);
}

const COMPARE: Record<string, (a: never, b: never) => boolean> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

function filter(condition: string): Step {
  const match = CONDITION.exec(condition);
  if (!match) throw new SyntaxError(`filter not understood: ${condition}`);
  const find = compile(match[1]!);
  const [operator, wanted] = [match[2], literal(match[3] ?? '')];
  const holds = (item: unknown) => {
    const found = find(item);
    if (operator === undefined) return found.length > 0;
    return found.length > 0 && COMPARE[operator]!(found[0] as never, wanted as never);
  };
  return (value) => children(value).filter(holds);
}

function stepOf(match: RegExpExecArray): Step {
  const [, deep, star, name, index, single, double, condition] = match;
  if (deep !== undefined) return descendants(deep);
  if (name !== undefined) return member(name.replace(/\\(.)/g, '$1'));
  if (index !== undefined) return element(Number(index));
  if (condition !== undefined) return filter(condition);
  const key = single ?? double;
  return key === undefined || star !== undefined ? children : member(key);
}

function stepsOf(path: string): Step[] {
  const steps: Step[] = [];
  const source = path.replace(/^\{(.*)\}$/, '$1').replace(/^\$/, '');
  const text = source === '' || source.startsWith('.') || source.startsWith('[') ? source : `.${source}`;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) throw new SyntaxError(`JSON path not understood at ${at}: ${path}`);
    const resume = TOKEN.lastIndex;
    steps.push(stepOf(match));
    TOKEN.lastIndex = resume;
  }
  return steps;
}

/** Compiles a path to a function that lists what it finds. Throws SyntaxError. */
export function compile(path: string): (value: unknown) => unknown[] {
  const steps = stepsOf(path);
  return (value) => steps.reduce<unknown[]>((found, step) => found.flatMap(step), [value]);
}
