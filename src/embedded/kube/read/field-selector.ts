import type { ResourceKind } from '../kinds/resource-kind.js';
import type { KubeObject } from '../object.js';
import { badRequest } from '../wire/status-error.js';

export type ObjectTest = (object: KubeObject) => boolean;

const TERM = /^([^=!]+)(==|=|!=)(.*)$/;

const COMMON: ResourceKind['selectable'] = {
  'metadata.name': (object) => object.metadata.name,
  'metadata.namespace': (object) => object.metadata.namespace ?? '',
};

function term(text: string, kind: ResourceKind): ObjectTest {
  const match = TERM.exec(text);
  if (!match) throw badRequest(`invalid field selector: ${text}`);
  const [, label, operator, raw] = match as unknown as [string, string, string, string];
  const read = COMMON[label] ?? kind.selectable[label];
  if (!read) throw badRequest(`field label not supported: ${label}`);
  const value = raw.replace(/\\([\\,=])/g, '$1');
  return (object) => (read(object) === value) === (operator !== '!=');
}

/** Compiles a field selector for a kind; undefined for an empty one. Throws StatusError 400. */
export function fieldSelector(selector: string | null | undefined, kind: ResourceKind): ObjectTest | undefined {
  if (!selector?.trim()) return undefined;
  const tests = selector.split(/(?<!\\),/).map((text) => term(text, kind));
  return (object) => tests.every((test) => test(object));
}
