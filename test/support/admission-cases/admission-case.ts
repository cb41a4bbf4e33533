/** What is written, and what the rules of admission say of it: data, for whoever has rules to be asked. */
import type { HostView, Operation } from '../../../src/webhooks/rules/index.js';
import { objectOf, type Wish } from '../admission.js';

export type CaseObject = ReturnType<typeof objectOf>;

export interface AdmissionCase {
  readonly title: string;
  readonly operation: Operation;
  /** As it is to be; undefined for DELETE. */
  readonly object: CaseObject | undefined;
  /** As it is; undefined for CREATE. */
  readonly old: CaseObject | undefined;
  /** All hosts there are; `unknown`: nobody knows them. */
  readonly hosts: readonly HostView[] | 'unknown';
  /** One for each refusal, in order, for a text `field: message`. Empty: the write passes. */
  readonly refusals: readonly RegExp[];
  /** One for each warning; undefined: they are not looked at. */
  readonly warnings?: readonly RegExp[];
  /** What a server says by itself, so that no rule is asked there: its schema, or its names, refuse the object first. */
  readonly earlier?: RegExp;
}

/** The namespace of all objects, unless a case is about another one. */
export const caseNamespace = 'ns';

/** What a case may say beside its objects. */
export type Circumstances = Partial<Pick<AdmissionCase, 'hosts' | 'warnings' | 'earlier'>>;

export function creation(
  title: string,
  object: CaseObject,
  refusals: readonly RegExp[] = [],
  more: Circumstances = {},
): AdmissionCase {
  return { title, operation: 'CREATE', object, old: undefined, hosts: [], refusals, ...more };
}

export function change(
  title: string,
  [old, object]: readonly [CaseObject, CaseObject],
  refusals: readonly RegExp[] = [],
  more: Circumstances = {},
): AdmissionCase {
  return { title, operation: 'UPDATE', object, old, hosts: [], refusals, ...more };
}

export function deletion(
  title: string,
  old: CaseObject,
  refusals: readonly RegExp[] = [],
  more: Circumstances = {},
): AdmissionCase {
  return { title, operation: 'DELETE', object: undefined, old, hosts: [], refusals, ...more };
}

/** What is judged alike when it is made, and when a faultless object, of the same name, becomes it. */
export function eitherWay(
  title: string,
  object: CaseObject,
  faultless: object,
  refusals: readonly RegExp[] = [],
  more: Circumstances = {},
): AdmissionCase[] {
  const { name, namespace } = object.metadata;
  const old = objectOf(object.kind, { name, namespace, spec: faultless } satisfies Wish);
  return [creation(title, object, refusals, more), change(title, [old, object], refusals, more)];
}
