/** Regular expressions that strangers may write: in the language of RE2, and never slow. */
import { createRequire } from 'node:module';
import type * as Re2 from 're2js';
import { messageOf } from '../../errors.js';

/** A pattern that is none. The message is that of the engine, as Go's reads. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

let engine: typeof Re2 | undefined;

/** Few policies have patterns, and the engine takes ten mebibytes: it is loaded with the first one. */
function loaded(): typeof Re2 {
  engine ??= createRequire(import.meta.url)('re2js') as typeof Re2;
  return engine;
}

export class Pattern {
  readonly #compiled: Re2.RE2JS;

  /** @throws PatternError for what RE2 refuses, such as looking around and references back */
  constructor(text: string) {
    const { RE2JS } = loaded();
    try {
      this.#compiled = RE2JS.compile(text);
    } catch (error) {
      throw new PatternError(messageOf(error).replace(/^error parsing regexp: /, ''), { cause: error });
    }
  }

  /** Whether the text holds a match anywhere. */
  isIn(text: string): boolean {
    return this.#compiled.matcher(text).find();
  }
}
