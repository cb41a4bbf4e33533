/** What a rule has to say of an object. */

/** A field, as a path from the root of the object, and what is the matter with it. */
export interface Finding {
  readonly field: string;
  readonly message: string;
}

export interface Verdict {
  /** Empty: the object may be written. */
  readonly refusals: readonly Finding[];
  readonly warnings: readonly Finding[];
}

export const sentence = ({ field, message }: Finding): string => `${field}: ${message}`;

/** Gathers findings; the same one twice is told once. All checks run, so that a person sees everything at once. */
export class Findings implements Verdict {
  readonly refusals: Finding[] = [];
  readonly warnings: Finding[] = [];

  // Not looked for in the lists: of a fleet, each host may be worth a warning.
  readonly #refused = new Set<string>();
  readonly #warned = new Set<string>();

  refuse(field: string, message: string): void {
    add({ field, message }, this.refusals, this.#refused);
  }

  warn(field: string, message: string): void {
    add({ field, message }, this.warnings, this.#warned);
  }
}

function add(finding: Finding, list: Finding[], told: Set<string>): void {
  const text = sentence(finding);
  if (told.has(text)) return;
  told.add(text);
  list.push(finding);
}

/** A text as it is shown in a message: quoted, and cut where it is too long to be read. */
export function shown(text: string): string {
  const limit = 100;
  return JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text);
}
