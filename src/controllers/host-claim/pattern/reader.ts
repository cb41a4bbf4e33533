/** Goes through a text, character by character. */
export class Reader {
  #at = 0;

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  get position(): number {
    return this.#at;
  }

  /** The next character, "" at the end; it stays. */
  peek(): string {
    const code = this.text.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  next(): string {
    const character = this.peek();
    this.#at += character.length;
    return character;
  }

  /** Passes over the given text, if it is what comes next. */
  take(expected: string): boolean {
    if (!this.text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  /** Passes over what an expression with `^` matches here. */
  match(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.text.slice(this.#at));
    this.#at += found?.[0].length ?? 0;
    return found ?? undefined;
  }
}
