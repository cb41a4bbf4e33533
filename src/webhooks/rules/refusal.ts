/** A refusal as the API server hands it on: one sentence for people, the fields for programs. */
import type { KindReference } from '../../apis/index.js';
import { type Finding, sentence } from './verdict.js';

export interface Refusal {
  readonly message: string;
  readonly details: {
    readonly name: string;
    readonly group: string;
    /** The plural, as everywhere in a Status. */
    readonly kind: string;
    readonly causes: { readonly reason: string; readonly field: string; readonly message: string }[];
  };
}

export function refusalOf({ group, plural }: KindReference, name: string, refusals: readonly Finding[]): Refusal {
  const [first = '', ...more] = refusals.map(sentence);
  const message = more.length === 0 ? first : `[${[first, ...more].join(', ')}]`;
  const causes = refusals.map(({ field, message: text }) => ({ reason: 'FieldValueInvalid', field, message: text }));
  return { message, details: { name, group, kind: plural, causes } };
}
