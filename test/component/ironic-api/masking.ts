import type { Parsed } from '../../support/ironic-api/client.js';

/** The same in every run: what is another from run to run has a word in its place, which conversations use as well. */
export class Masking {
  private readonly words = new Map<string, string>();

  /** From now on the text stands as the word, which begins with `@`. */
  name(word: string, text: string): void {
    this.words.set(word, text);
  }

  /** The text behind a word. */
  text(word: string): string {
    const text = this.words.get(word);
    if (text === undefined) throw new Error(`${word} is nobody's name`);
    return text;
  }

  /** Puts texts for the words in it. */
  expand<T>(value: T): T {
    return mapped(value, (text) => text.replace(/@[a-z]+[0-9]*/g, (word) => this.words.get(word) ?? word)) as T;
  }

  /** Puts words for what differs from run to run. */
  mask(value: unknown): Parsed {
    const known = [...this.words].sort(([, a], [, b]) => b.length - a.length);
    return mapped(value, (text) => {
      let masked = text;
      for (const [word, original] of known) masked = occurrences(masked, original, word);
      return (
        masked
          .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '@uuid')
          .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(\+00:00|Z)?/g, '@time')
          .replace(/\n\nFailed validating[^]*$/, '')
          // What is another object in each process, of which any is looked at first.
          .replace(/\w+ interface implementation '[^']*'/, '@kind interface implementation')
          .replace(/record for node \d+/, 'record for node @number')
      );
    });
  }
}

/** A name of few letters may be part of any text; it is only taken for the name where names stand. */
function occurrences(text: string, original: string, word: string): string {
  if (text === original) return word;
  if (word !== '@conductor') return text.replaceAll(original, word);
  return text
    .replaceAll(`by host ${original},`, `by host ${word},`)
    .replaceAll(`conductors/${original}`, `conductors/${word}`);
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapped(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapped(member, change)]));
}

/** Types in place of values: of lists, what any of the members has. */
export function shapeOf(value: unknown): Parsed {
  if (Array.isArray(value)) return value.length === 0 ? [] : [value.map(shapeOf).reduce(merged)];
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, shapeOf((value as Parsed)[key])]));
}

/** The names of the members that hold no further objects. */
export function namesIn(value: Parsed): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const objects = Object.values(value).filter(
    (each) => typeof each === 'object' && each !== null && !Array.isArray(each),
  );
  const lists = Object.values(value).filter(
    (each) => Array.isArray(each) && each.some((one) => typeof one === 'object'),
  );
  const inner = [...objects, ...lists].flatMap((each) => namesIn(each));
  const own = Array.isArray(value) ? [] : Object.keys(value);
  return [...new Set(objects.length > 0 && own.length === objects.length ? inner : [...own, ...inner])].sort();
}

function merged(a: Parsed, b: Parsed): Parsed {
  if (typeof a === 'object' && typeof b === 'object' && !Array.isArray(a)) return { ...a, ...b };
  return a === b || Array.isArray(a) ? a : [...new Set([...a.split(' or '), ...b.split(' or ')])].sort().join(' or ');
}
