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

  refuse(field: string, message: string): void {
    add(this.refusals, { field, message });
  }

  warn(field: string, message: string): void {
    add(this.warnings, { field, message });
  }
}

function add(list: Finding[], finding: Finding): void {
  if (!list.some((one) => sentence(one) === sentence(finding))) list.push(finding);
}

/** A text as it is shown in a message: quoted, and cut where it is too long to be read. */
export function shown(text: string): string {
  const limit = 100;
  return JSON.stringify(text.length > limit ? `${text.slice(0, limit)}…` : text);
}
