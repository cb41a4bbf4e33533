/** A text of somebody else's, as long as may well be shown. A cut can be seen. `longest`: characters. Pure. */
export function shortened(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
