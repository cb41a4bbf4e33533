/** What a regular expression is made of, once it has been read. */

/** Whether a character, given by its code point, belongs. */
export type CharacterTest = (code: number) => boolean;

/** A place between two characters, or at an end of the text. */
export type Assertion = 'textStart' | 'textEnd' | 'lineStart' | 'lineEnd' | 'wordEdge' | 'noWordEdge';

export type Expression =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'assertion'; readonly assertion: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly kind: 'choice'; readonly parts: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly part: Expression; readonly least: number; readonly most: number };

export interface Flags {
  /** `i`: capitals and small letters are the same. */
  readonly ignoresCase: boolean;
  /** `m`: `^` and `$` are the ends of lines. */
  readonly hasLines: boolean;
  /** `s`: `.` is a line's end too. */
  readonly dotIsAll: boolean;
}

export const noFlags: Flags = { ignoresCase: false, hasLines: false, dotIsAll: false };

/** What is no regular expression, or one of a dialect that RE2 does not speak. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

export function isWordCharacter(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** With capitals and small letters taken for the same. */
export function inEitherCase(test: CharacterTest): CharacterTest {
  return (code) => {
    const text = String.fromCodePoint(code);
    const [small, capital] = [text.toLowerCase(), text.toUpperCase()];
    return test(code) || isOne(small, test) || isOne(capital, test);
  };
}

function isOne(text: string, test: CharacterTest): boolean {
  const code = text.codePointAt(0) ?? 0;
  return text.length === String.fromCodePoint(code).length && test(code);
}
