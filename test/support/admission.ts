/** Objects for the rules of admission, and what they say of them. */
import { judge, type Neighbours, nobody, type Operation, sentence } from '../../src/webhooks/rules/index.js';

export interface Wish {
  readonly name?: string;
  readonly namespace?: string;
  readonly annotations?: Record<string, string>;
  readonly labels?: Record<string, string>;
  readonly finalizers?: string[];
  readonly spec?: object;
  readonly status?: object;
}

export function objectOf(kind: string, { name = 'a', namespace = 'ns', spec, status, ...metadata }: Wish) {
  return {
    apiVersion: 'metal3.io/v1alpha1',
    kind,
    metadata: { name, namespace, ...metadata },
    ...(spec && { spec }),
    ...(status && { status }),
  };
}

export const host = ({ spec, ...wish }: Wish = {}) =>
  objectOf('BareMetalHost', { ...wish, spec: { online: true, ...spec } });

export interface Judgement {
  readonly refusals: string[];
  readonly warnings: string[];
}

export function ask(
  operation: Operation,
  object: { kind: string } | undefined,
  oldObject?: { kind: string },
  neighbours: Neighbours = nobody,
): Judgement {
  const kind = (object ?? oldObject)!.kind;
  const { refusals, warnings } = judge({ kind, operation, object, oldObject }, neighbours);
  return { refusals: refusals.map(sentence), warnings: warnings.map(sentence) };
}

export const onCreate = (object: { kind: string }, neighbours?: Neighbours) =>
  ask('CREATE', object, undefined, neighbours).refusals;

export const onUpdate = (object: { kind: string }, old: { kind: string }, neighbours?: Neighbours) =>
  ask('UPDATE', object, old, neighbours).refusals;
