import type { ResourceKind } from '../kinds/resource-kind.js';
import type { KubeObject, ObjectMeta } from '../object.js';
import { forbiddenField, invalid, required, type FieldError } from '../schema/field-error.js';

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = String.raw`${LABEL}(\.${LABEL})*`;
const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const IS_LABEL = new RegExp(`^${LABEL}$`);
const IS_SUBDOMAIN = new RegExp(`^${SUBDOMAIN}$`);
const IS_NAME = new RegExp(`^${NAME}$`);
const MAX_ANNOTATION_BYTES = 256 * 1024;

const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with " +
  `an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`;
const LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  `alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
const NAME_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${NAME}')`;
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an " +
  "alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
  "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

function nameErrors(kind: ResourceKind, { name }: ObjectMeta): FieldError[] {
  if (kind.kind === 'Namespace' && kind.group === '') {
    return name.length <= 63 && IS_LABEL.test(name) ? [] : [invalid('metadata.name', name, LABEL_RULE)];
  }
  // Events are named after their reason, capitals and all: any segment of a path will do.
  if (kind.kind === 'Event') return segmentErrors(name);
  if (name.length > 253) return [invalid('metadata.name', name, 'must be no more than 253 characters')];
  return IS_SUBDOMAIN.test(name) ? [] : [invalid('metadata.name', name, SUBDOMAIN_RULE)];
}

function segmentErrors(name: string): FieldError[] {
  if (name === '.' || name === '..') return [invalid('metadata.name', name, `may not be '${name}'`)];
  const found = ['/', '%'].find((character) => name.includes(character));
  return found === undefined ? [] : [invalid('metadata.name', name, `may not contain '${found}'`)];
}

/** What is wrong with a qualified name such as `example.com/name`; undefined when nothing is. */
function keyProblem(key: string): string | undefined {
  const parts = key.split('/');
  if (parts.length > 2) return `a qualified name ${NAME_RULE.replace(/^name part /, '')}`;
  const name = parts.at(-1)!;
  if (parts.length === 2 && !IS_SUBDOMAIN.test(parts[0]!.toLowerCase())) return `prefix part ${SUBDOMAIN_RULE}`;
  if (name.length > 63) return 'name part must be no more than 63 characters';
  return IS_NAME.test(name) ? undefined : NAME_RULE;
}

function keyErrors(field: string, map: Record<string, string> | undefined): FieldError[] {
  return Object.keys(map ?? {}).flatMap((key) => {
    const problem = keyProblem(key);
    return problem ? [invalid(field, key, problem)] : [];
  });
}

function labelErrors({ labels }: ObjectMeta): FieldError[] {
  const errors = keyErrors('metadata.labels', labels);
  for (const value of Object.values(labels ?? {})) {
    if (value.length > 63) errors.push(invalid('metadata.labels', value, 'must be no more than 63 characters'));
    else if (value !== '' && !IS_NAME.test(value)) errors.push(invalid('metadata.labels', value, VALUE_RULE));
  }
  return errors;
}

function annotationErrors({ annotations }: ObjectMeta): FieldError[] {
  const errors = keyErrors('metadata.annotations', annotations);
  let size = 0;
  for (const [key, value] of Object.entries(annotations ?? {}))
    size += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (size > MAX_ANNOTATION_BYTES) {
    const message = `Too long: may not be more than ${MAX_ANNOTATION_BYTES} bytes`;
    errors.push({ field: 'metadata.annotations', reason: 'FieldValueTooLong', message });
  }
  return errors;
}

function ownerErrors({ ownerReferences = [] }: ObjectMeta): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, owner] of ownerReferences.entries()) {
    for (const field of ['apiVersion', 'kind', 'name', 'uid'] as const) {
      if (!owner[field]) errors.push(required(`metadata.ownerReferences[${i}].${field}`, `must not be empty`));
    }
  }
  const [one, two] = ownerReferences.filter((owner) => owner.controller);
  if (one && two) {
    const found = `Found "true" in references for ${one.kind}/${one.name} and ${two.kind}/${two.name}`;
    const detail = `Only one reference can have Controller set to true. ${found}`;
    errors.push(invalid('metadata.ownerReferences', ownerReferences, detail));
  }
  return errors;
}

function finalizerErrors({ finalizers = [] }: ObjectMeta): FieldError[] {
  return finalizers.flatMap((one) => {
    const problem = keyProblem(one);
    return problem ? [invalid('metadata.finalizers', one, problem)] : [];
  });
}

/** An object that is being deleted takes no new finalizer: it could never be sure to be heard. */
function newFinalizers(next: KubeObject, old: KubeObject | undefined): FieldError[] {
  if (!old?.metadata.deletionTimestamp) return [];
  const before = new Set(old.metadata.finalizers);
  const added = (next.metadata.finalizers ?? []).filter((one) => !before.has(one));
  if (added.length === 0) return [];
  const list = added.map((one) => JSON.stringify(one)).join(', ');
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [forbiddenField('metadata.finalizers', detail)];
}

const PARTS: [keyof ObjectMeta, (metadata: ObjectMeta) => FieldError[]][] = [
  ['labels', labelErrors],
  ['annotations', annotationErrors],
  ['ownerReferences', ownerErrors],
  ['finalizers', finalizerErrors],
];

/** Everything wrong with an object's metadata. Costs nothing where `old` has the same parts. */
export function metadataErrors(kind: ResourceKind, object: KubeObject, old: KubeObject | undefined): FieldError[] {
  const { metadata } = object;
  const changed = PARTS.filter(([part]) => old?.metadata[part] !== metadata[part]);
  return [
    ...(old ? [] : nameErrors(kind, metadata)),
    ...changed.flatMap(([, check]) => check(metadata)),
    ...newFinalizers(object, old),
  ];
}
