/** What may stand in a line of the file that Ironic reads: nothing there is escaped, so that a line break begins a new setting. Pure. */

/** Everything that any reader of lines may take for the end of one, and what no name or password holds. */
const breaking = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Why a value cannot stand in a line; undefined: it can. It never tells the value. */
export function lineProblem(value: string): string | undefined {
  if (value === '') return 'is empty';
  return breaking.test(value) ? 'holds a line break or another control character' : undefined;
}
