/** Fields that a JSON text names twice in one object, as paths; the parser keeps the last one without a word. */
export function duplicateFields(text: string): string[] {
  return new Scanner(text).duplicates();
}

interface Level {
  /** Where the object or list stands, such as `spec.parts[1]`. */
  readonly path: string;
  /** Undefined for a list. */
  readonly keys: Set<string> | undefined;
  index: number;
  key: string;
}

/** Walks over the tokens of a text that is known to be JSON. */
class Scanner {
  readonly #levels: Level[] = [];
  readonly #found: string[] = [];

  constructor(private readonly text: string) {}

  duplicates(): string[] {
    for (const { 0: token } of this.text.matchAll(/"(?:[^"\\]|\\.)*"(?:\s*:)?|[{}[\],]/gs)) this.#take(token);
    return this.#found;
  }

  #take(token: string): void {
    if (token === '{' || token === '[') this.#open(token === '{');
    else if (token === '}' || token === ']') this.#levels.pop();
    else if (token === ',') this.#next();
    else if (token.endsWith(':')) this.#name(JSON.parse(token.slice(0, -1)) as string);
  }

  #open(isObject: boolean): void {
    this.#levels.push({ path: this.#here(), keys: isObject ? new Set() : undefined, index: 0, key: '' });
  }

  #next(): void {
    const level = this.#levels.at(-1);
    if (level) level.index += 1;
  }

  #name(key: string): void {
    const level = this.#levels.at(-1);
    if (!level?.keys) return;
    level.key = key;
    if (level.keys.has(key)) this.#found.push(this.#here());
    level.keys.add(key);
  }

  #here(): string {
    const level = this.#levels.at(-1);
    if (!level) return '';
    if (!level.keys) return `${level.path}[${level.index}]`;
    return level.path === '' ? level.key : `${level.path}.${level.key}`;
  }
}
