/** Reads regular expressions as RE2 writes them, and refuses what RE2 refuses. */
import { not, perlClass, posixClass, unicodeClass } from './classes.js';
import { readEscape } from './escapes.js';
import { Reader } from './reader.js';
import { type Assertion, type CharacterTest, type Expression, type Flags } from './syntax.js';
import { inEitherCase, noFlags, PatternError } from './syntax.js';

/** The most that `{n,m}` may ask for. */
const mostRepeats = 1000;
const deepest = 250;

const signs: Readonly<Record<string, { readonly least: number; readonly most: number }>> = {
  '*': { least: 0, most: Infinity },
  '+': { least: 1, most: Infinity },
  '?': { least: 0, most: 1 },
};

/** @throws PatternError saying what is wrong */
export function parsePattern(pattern: string): Expression {
  return new Parser(new Reader(pattern)).parse();
}

class Parser {
  #flags: Flags = noFlags;
  #depth = 0;
  readonly #names = new Set<string>();

  constructor(private readonly reader: Reader) {}

  parse(): Expression {
    const expression = this.#choice();
    if (!this.reader.isAtEnd) throw new PatternError('a ) closes no group');
    return expression;
  }

  #choice(): Expression {
    const parts = [this.#sequence()];
    while (this.reader.take('|')) parts.push(this.#sequence());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'choice', parts };
  }

  #sequence(): Expression {
    const parts: Expression[] = [];
    while (!this.reader.isAtEnd && !['|', ')'].includes(this.reader.peek())) {
      if (this.reader.take('\\Q')) parts.push(...this.#quoted());
      else if (!this.#changesFlags()) parts.push(this.#repeated(this.#atom()));
    }
    return { kind: 'sequence', parts };
  }

  /** Up to `\E`, or the end; a repetition after it is of the last character. */
  #quoted(): Expression[] {
    const parts: Expression[] = [];
    while (!this.reader.isAtEnd && !this.reader.take('\\E')) {
      parts.push(this.#character(is(this.reader.next().codePointAt(0) ?? 0)));
    }
    const last = parts.pop();
    return last === undefined ? [] : [...parts, this.#repeated(last)];
  }

  #repeated(part: Expression): Expression {
    const range = this.#repetition();
    if (range === undefined) return part;
    // With or without it the same texts match.
    this.reader.take('?');
    const again = this.reader.position;
    if (this.#repetition() !== undefined) {
      throw new PatternError(`a repetition is repeated, at character ${again + 1}`);
    }
    return { kind: 'repeat', part, ...range };
  }

  #repetition(): { least: number; most: number } | undefined {
    const [sign] = this.reader.match(/^[*+?]/) ?? [];
    if (sign !== undefined) return signs[sign];
    const counted = this.reader.match(/^\{(\d+)(?:,(\d*))?\}/);
    return counted === undefined ? undefined : rangeOf(counted);
  }

  #atom(): Expression {
    const next = this.reader.next();
    if (next === '(') return this.#group();
    if (next === '[') return this.#character(this.#class());
    if (next === '\\') return this.#escaped();
    if (next in signs) throw new PatternError(`${next} repeats nothing`);
    return signed(next, this.#flags) ?? this.#character(is(next.codePointAt(0) ?? 0));
  }

  #escaped(): Expression {
    const assertions: readonly (readonly [string, Assertion])[] = [
      ['A', 'textStart'],
      ['z', 'textEnd'],
      ['b', 'wordEdge'],
      ['B', 'noWordEdge'],
    ];
    for (const [letter, kind] of assertions) if (this.reader.take(letter)) return assertion(kind);
    return this.#character(this.#namedClass() ?? is(readEscape(this.reader)));
  }

  /** After a backslash. */
  #namedClass(): CharacterTest | undefined {
    const [, letter = '', braced, plain = ''] = this.reader.match(/^([pP])(?:\{([^}]*)\}|(\w))/) ?? [];
    if (letter !== '') {
      const test = unicodeClass(braced ?? plain);
      return letter === 'p' ? test : not(test);
    }
    const test = perlClass(this.reader.peek());
    if (test !== undefined) this.reader.next();
    return test;
  }

  #group(): Expression {
    const outer = this.#flags;
    this.#depth += 1;
    if (this.#depth > deepest) throw new PatternError('its groups are too deep');
    if (this.reader.take('?')) this.#groupKind();
    const expression = this.#choice();
    if (!this.reader.take(')')) throw new PatternError('a group is not closed: a ) is missing');
    this.#flags = outer;
    this.#depth -= 1;
    return expression;
  }

  /** After `(?`: a name, or flags for what is in the group. */
  #groupKind(): void {
    const [, name] = this.reader.match(/^P?<(\w+)>/) ?? [];
    if (name !== undefined) {
      if (this.#names.has(name)) throw new PatternError(`two groups are called ${name}`);
      this.#names.add(name);
      return;
    }
    const [, flags] = this.reader.match(/^([imsU]*(?:-[imsU]+)?):/) ?? [];
    if (flags === undefined) throw new PatternError(`(?${this.reader.peek()} is no group; there is no looking around`);
    this.#set(flags);
  }

  /** `(?i)` and the like hold to the end of the group that they are in. */
  #changesFlags(): boolean {
    const [, flags] = this.reader.match(/^\(\?([imsU]+(?:-[imsU]+)?|-[imsU]+)\)/) ?? [];
    if (flags === undefined) return false;
    this.#set(flags);
    return true;
  }

  #set(text: string): void {
    const [on = '', off = ''] = text.split('-');
    const flag = (letter: string, known: boolean) => (known || on.includes(letter)) && !off.includes(letter);
    const { ignoresCase, hasLines, dotIsAll } = this.#flags;
    this.#flags = {
      ignoresCase: flag('i', ignoresCase),
      hasLines: flag('m', hasLines),
      dotIsAll: flag('s', dotIsAll),
    };
  }

  /** After `[`. */
  #class(): CharacterTest {
    const isNegated = this.reader.take('^');
    const tests: CharacterTest[] = [];
    for (let isFirst = true; isFirst || !this.reader.take(']'); isFirst = false) tests.push(this.#classMember());
    const test: CharacterTest = (code) => tests.some((each) => each(code));
    const folded = this.#flags.ignoresCase ? inEitherCase(test) : test;
    return isNegated ? not(folded) : folded;
  }

  #classMember(): CharacterTest {
    const [, name] = this.reader.match(/^\[:(\^?\w*):\]/) ?? [];
    if (name !== undefined) return posixClass(name);
    const named = this.reader.take('\\') ? (this.#namedClass() ?? readEscape(this.reader)) : this.#classCharacter();
    if (typeof named !== 'number') return named;
    const [, isRange] = this.reader.match(/^(-)(?=[^\]])/) ?? [];
    if (isRange === undefined) return is(named);
    const end = this.reader.take('\\') ? readEscape(this.reader) : this.#classCharacter();
    if (end < named) throw new PatternError('a range of characters goes backwards');
    return (code) => code >= named && code <= end;
  }

  #classCharacter(): number {
    const next = this.reader.next();
    if (next === '') throw new PatternError('a class of characters is not closed: a ] is missing');
    return next.codePointAt(0) ?? 0;
  }

  /** A class has been folded already, and folding it again changes nothing unless it is negated. */
  #character(test: CharacterTest): Expression {
    return { kind: 'character', test: this.#flags.ignoresCase && isSingle(test) ? inEitherCase(test) : test };
  }
}

function rangeOf([all, from = '', to = from]: RegExpExecArray): { least: number; most: number } {
  const range = { least: Number(from), most: to === '' ? Infinity : Number(to) };
  const largest = to === '' ? range.least : range.most;
  if (range.least > range.most || largest > mostRepeats)
    throw new PatternError(`${all} is no range up to ${mostRepeats}`);
  return range;
}

/** Signs that stand for any character, or for a place. */
function signed(sign: string, { dotIsAll, hasLines }: Flags): Expression | undefined {
  if (sign === '.') return { kind: 'character', test: dotIsAll ? () => true : (code) => code !== 10 };
  if (sign === '^') return assertion(hasLines ? 'lineStart' : 'textStart');
  if (sign === '$') return assertion(hasLines ? 'lineEnd' : 'textEnd');
  return undefined;
}

const single = new WeakSet<CharacterTest>();

function is(wanted: number): CharacterTest {
  const test: CharacterTest = (code) => code === wanted;
  single.add(test);
  return test;
}

function isSingle(test: CharacterTest): boolean {
  return single.has(test);
}

function assertion(kind: Assertion): Expression {
  return { kind: 'assertion', assertion: kind };
}
