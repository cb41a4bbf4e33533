/** The classes of characters that have names. */
import { type CharacterTest, isDigit, isWordCharacter, PatternError } from './syntax.js';

const isBlank: CharacterTest = (code) => code === 9 || code === 32;
const isSpace: CharacterTest = (code) => [9, 10, 12, 13, 32].includes(code);
const isLower: CharacterTest = (code) => code >= 97 && code <= 122;
const isUpper: CharacterTest = (code) => code >= 65 && code <= 90;
const isLetter: CharacterTest = (code) => isLower(code) || isUpper(code);
const isGraph: CharacterTest = (code) => code > 32 && code < 127;

/** After a backslash; its capital is whatever does not belong. */
const perl: Readonly<Record<string, CharacterTest>> = { d: isDigit, s: isSpace, w: isWordCharacter };

/** Between `[:` and `:]`. */
const posix: Readonly<Record<string, CharacterTest>> = {
  alnum: (code) => isLetter(code) || isDigit(code),
  alpha: isLetter,
  ascii: (code) => code < 128,
  blank: isBlank,
  cntrl: (code) => code < 32 || code === 127,
  digit: isDigit,
  graph: isGraph,
  lower: isLower,
  print: (code) => isGraph(code) || code === 32,
  punct: (code) => isGraph(code) && !isLetter(code) && !isDigit(code),
  space: (code) => isSpace(code) || code === 11,
  upper: isUpper,
  word: isWordCharacter,
  xdigit: (code) => isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102),
};

export function not(test: CharacterTest): CharacterTest {
  return (code) => !test(code);
}

/** `\d`, `\S` and the like, by the letter. */
export function perlClass(letter: string): CharacterTest | undefined {
  const test = perl[letter.toLowerCase()];
  if (test === undefined) return undefined;
  return letter === letter.toLowerCase() ? test : not(test);
}

/** `alpha`, or `^alpha` for whatever does not belong. */
export function posixClass(name: string): CharacterTest {
  const plain = name.replace(/^\^/, '');
  const test = Object.hasOwn(posix, plain) ? posix[plain] : undefined;
  if (test === undefined) throw new PatternError(`[:${name}:] is no class of characters`);
  return plain === name ? test : not(test);
}

/** A category, such as `L` or `Lu`, or a script, such as `Greek`; `Any`: all. */
export function unicodeClass(name: string): CharacterTest {
  const plain = name.replace(/^\^/, '');
  const test = plain === 'Any' ? () => true : ofUnicode(plain);
  return plain === name ? test : not(test);
}

function ofUnicode(name: string): CharacterTest {
  for (const property of [name, `Script=${name}`]) {
    // Other properties than categories and scripts have longer names, with small letters after the second.
    if (!/^[A-Z][A-Za-z_]*$/.test(name) || (property === name && name.length > 2)) continue;
    try {
      const expression = new RegExp(`^\\p{${property}}$`, 'u');
      return (code) => expression.test(String.fromCodePoint(code));
    } catch {
      // It is the other one.
    }
  }
  throw new PatternError(`\\p{${name}} is no class of characters`);
}
