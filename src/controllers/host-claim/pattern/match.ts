/**
 * Matches in time that grows with the length of the text and with that of the expression, and no faster: all ways through the
 * expression are followed side by side, and none is taken twice at the same place.
 */
import { parsePattern } from './parse.js';
import { type Assertion, type CharacterTest, type Expression, isWordCharacter, PatternError } from './syntax.js';

type Step =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  /** Both ways are gone. */
  | { readonly kind: 'fork'; ways: [number, number] }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'end' };

/** Of one expression, with its repetitions written out. */
const mostSteps = 10_000;

export class Pattern {
  readonly #steps: Step[] = [];

  /** @throws PatternError for what RE2 refuses too, and for what is too large */
  constructor(text: string) {
    const expression = parsePattern(text);
    if (sizeOf(expression) > mostSteps) throw new PatternError('it is too large');
    this.#compile(expression);
    this.#steps.push({ kind: 'end' });
  }

  /** Whether it matches somewhere in the text. */
  isIn(text: string): boolean {
    const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    let now = new Set<number>();
    for (let at = 0; at <= codes.length; at += 1) {
      const reached = this.#closure([...now, 0], codes, at);
      if (reached === 'end') return true;
      now = new Set();
      for (const index of reached) {
        const step = this.#steps[index];
        const code = codes[at];
        if (step?.kind === 'character' && code !== undefined && step.test(code)) now.add(index + 1);
      }
    }
    return false;
  }

  /** What is reached without a character. */
  #closure(from: readonly number[], codes: readonly number[], at: number): ReadonlySet<number> | 'end' {
    const seen = new Set<number>();
    const open = [...from];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      const step = this.#steps[index];
      if (step === undefined || step.kind === 'end') return 'end';
      if (step.kind === 'fork') open.push(...step.ways);
      else if (step.kind === 'jump') open.push(step.to);
      else if (step.kind === 'assertion' && holds(step.assertion, codes, at)) open.push(index + 1);
    }
    return seen;
  }

  #compile(expression: Expression): void {
    switch (expression.kind) {
      case 'character':
      case 'assertion':
        this.#steps.push(expression);
        return;
      case 'sequence':
        for (const part of expression.parts) this.#compile(part);
        return;
      case 'choice':
        return this.#compileChoice(expression.parts);
      case 'repeat':
        return this.#compileRepeat(expression);
    }
  }

  #compileChoice(parts: readonly Expression[]): void {
    const jumps = parts.map((part, index) => {
      const fork = index < parts.length - 1 ? this.#fork() : undefined;
      this.#compile(part);
      const jump = { kind: 'jump' as const, to: 0 };
      this.#steps.push(jump);
      if (fork !== undefined) fork.ways[1] = this.#steps.length;
      return jump;
    });
    for (const jump of jumps) jump.to = this.#steps.length;
  }

  #compileRepeat({ part, least, most }: Expression & { kind: 'repeat' }): void {
    for (let count = 0; count < least; count += 1) this.#compile(part);
    if (most === Infinity) {
      const start = this.#steps.length;
      const fork = this.#fork();
      this.#compile(part);
      this.#steps.push({ kind: 'jump', to: start });
      fork.ways[1] = this.#steps.length;
      return;
    }
    const forks = Array.from({ length: most - least }, () => {
      const fork = this.#fork();
      this.#compile(part);
      return fork;
    });
    for (const fork of forks) fork.ways[1] = this.#steps.length;
  }

  /** One way goes on here; the other is given later. */
  #fork(): { ways: [number, number] } {
    const here = this.#steps.length + 1;
    const fork: Step & { kind: 'fork' } = { kind: 'fork', ways: [here, here] };
    this.#steps.push(fork);
    return fork;
  }
}

/** Steps at most. Told before they are made: a short text may ask for a great many. */
function sizeOf(expression: Expression): number {
  switch (expression.kind) {
    case 'character':
    case 'assertion':
      return 1;
    case 'sequence':
      return expression.parts.reduce((sum, part) => sum + sizeOf(part), 0);
    case 'choice':
      return expression.parts.reduce((sum, part) => sum + sizeOf(part) + 2, 0);
    case 'repeat': {
      const { least, most } = expression;
      return (sizeOf(expression.part) + 2) * (most === Infinity ? least + 1 : Math.max(1, most));
    }
  }
}

function holds(assertion: Assertion, codes: readonly number[], at: number): boolean {
  const [before, after] = [codes[at - 1], codes[at]];
  const isEdge = isWord(before) !== isWord(after);
  switch (assertion) {
    case 'textStart':
      return before === undefined;
    case 'textEnd':
      return after === undefined;
    case 'lineStart':
      return before === undefined || before === 10;
    case 'lineEnd':
      return after === undefined || after === 10;
    case 'wordEdge':
      return isEdge;
    case 'noWordEdge':
      return !isEdge;
  }
}

function isWord(code: number | undefined): boolean {
  return code !== undefined && isWordCharacter(code);
}
