/** What stands after a backslash for one character. */
import { PatternError } from './syntax.js';
import type { Reader } from './reader.js';

const letters: Readonly<Record<string, number>> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 };
const greatest = 0x10ffff;

/** Reads on after the backslash; answers the code point. @throws PatternError for what RE2 does not know */
export function readEscape(reader: Reader): number {
  const next = reader.next();
  if (next === '') throw new PatternError('it ends with a backslash');
  if (/[0-7]/.test(next)) return octal(reader, next);
  if (next === 'x') return hexadecimal(reader);
  if (Object.hasOwn(letters, next)) return letters[next] ?? 0;
  const code = next.codePointAt(0) ?? 0;
  if (code < 128 && !/[A-Za-z0-9]/.test(next)) return code;
  if (/[0-9]/.test(next)) throw backReference(next);
  throw new PatternError(`\\${next} means nothing`);
}

function octal(reader: Reader, first: string): number {
  if (first !== '0' && !/[0-7]/.test(reader.peek())) throw backReference(first);
  let digits = first;
  while (digits.length < 3 && /^[0-7]$/.test(reader.peek())) digits += reader.next();
  return Number.parseInt(digits, 8);
}

function backReference(digit: string): PatternError {
  return new PatternError(`\\${digit} refers back to a group, which is not possible`);
}

function hexadecimal(reader: Reader): number {
  const [, braced, plain] = reader.match(/^(?:\{([0-9A-Fa-f]{1,8})\}|([0-9A-Fa-f]{2}))/) ?? [];
  const code = Number.parseInt(braced ?? plain ?? '', 16);
  if (!(code <= greatest)) throw new PatternError('\\x needs two hexadecimal digits, or a code point in braces');
  return code;
}
