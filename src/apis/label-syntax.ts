/** Names and values of labels. */

const word = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const domain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const wordRule = 'at most 63 letters, digits, dashes, underscores and dots, with a letter or digit at both ends';

/** What is wrong with the name of a label: `[domain/]name`. */
export function labelNameProblems(name: string): string[] {
  const parts = name.split('/');
  if (parts.length > 2) return ['the name of a label has at most one slash'];
  const [prefix, own = ''] = parts.length === 2 ? parts : [undefined, parts[0]];
  const problems: string[] = [];
  if (prefix !== undefined && (!domain.test(prefix) || prefix.length > 253)) {
    problems.push('what stands before the slash must be a DNS name in lower case');
  }
  if (own.length > 63 || !word.test(own)) problems.push(`the name of a label has ${wordRule}`);
  return problems;
}

export function labelValueProblems(value: string): string[] {
  if (value === '' || (value.length <= 63 && word.test(value))) return [];
  return [`the value of a label is empty, or has ${wordRule}`];
}
