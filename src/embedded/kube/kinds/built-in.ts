import { deepEqual, dictOf, isDict, omit, type Dict, type KubeObject } from '../object.js';
import { forbiddenField, invalid, tooLong, type FieldError } from '../schema/field-error.js';
import { isBase64 } from '../schema/formats.js';
import { badRequest } from '../wire/status-error.js';
import {
  CONFIG_MAP_COLUMNS,
  CRD_COLUMNS,
  EVENT_COLUMNS,
  LEASE_COLUMNS,
  NAMESPACE_COLUMNS,
  SECRET_COLUMNS,
} from './built-in-columns.js';
import { CONFIG_MAP, CUSTOM_RESOURCE_DEFINITION, EVENT, LEASE, NAMESPACE, SECRET } from './built-in-schemas.js';
import { checkDefinition } from './definition-rules.js';
import type { ResourceKind } from './resource-kind.js';

type Given = Pick<ResourceKind, 'kind' | 'plural' | 'schema' | 'columns'> & Partial<ResourceKind>;

function builtIn(given: Given): ResourceKind {
  return {
    group: '',
    version: 'v1',
    listKind: `${given.kind}List`,
    singular: given.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    subresources: [],
    tracksGeneration: false,
    unconditionalUpdate: true,
    createOnUpdate: false,
    builtIn: true,
    selectable: {},
    ...given,
  };
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** A new namespace is active, is selectable by its name, and waits for its content when it is deleted. */
function prepareNamespace(namespace: KubeObject, old: KubeObject | undefined): KubeObject {
  const { metadata } = namespace;
  const labels = { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name };
  const named: KubeObject = { ...namespace, metadata: { ...metadata, labels } };
  if (old) return named['spec'] === undefined ? { ...named, spec: old['spec'] } : named;
  return { ...named, spec: { finalizers: ['kubernetes'] }, status: { phase: 'Active' } };
}

function checkBase64(kind: string, data: Dict): void {
  for (const value of Object.values(data)) {
    // Anything but a text is for the schema to refuse.
    if (typeof value !== 'string' || isBase64(value)) continue;
    throw badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: illegal base64 data at input byte 0`);
  }
}

function prepareSecret(secret: KubeObject): KubeObject {
  const data = dictOf(secret['data']);
  checkBase64('Secret', data);
  const plain = secret['stringData'];
  if (!isDict(plain) || Object.values(plain).some((value) => typeof value !== 'string')) return secret;
  const merged = { ...data };
  for (const [key, value] of Object.entries(plain)) merged[key] = Buffer.from(value as string).toString('base64');
  return { ...omit(secret, 'stringData'), data: merged };
}

const DATA_KEY = /^[-._a-zA-Z0-9]{1,253}$/;

function badKeys(field: string, data: unknown): FieldError[] {
  const bad = Object.keys(dictOf(data)).filter((key) => !DATA_KEY.test(key));
  const rule =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or " +
    "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
  return bad.map((key) => invalid(`${field}[${key}]`, key, rule));
}

/** Bytes of all values of a Secret or a ConfigMap together. */
const DATA_LIMIT = 2 ** 20;

function oversize(field: string, texts: unknown, coded: unknown): FieldError[] {
  const sizeOf = (data: unknown, encoding: BufferEncoding) =>
    Object.values(dictOf(data)).reduce<number>((sum, value) => sum + Buffer.byteLength(text(value), encoding), 0);
  return sizeOf(texts, 'utf8') + sizeOf(coded, 'base64') > DATA_LIMIT ? [tooLong(field, DATA_LIMIT)] : [];
}

function frozenErrors(object: KubeObject, old: KubeObject | undefined, fields: string[]): FieldError[] {
  if (old?.['immutable'] !== true) return [];
  const changed = ['immutable', ...fields].filter((field) => !deepEqual(object[field], old[field]));
  return changed.map((field) => forbiddenField(field, 'field is immutable when `immutable` is set'));
}

function checkSecret(secret: KubeObject, old: KubeObject | undefined): FieldError[] {
  const errors = [...badKeys('data', secret['data']), ...oversize('data', undefined, secret['data'])];
  if (old && old['type'] !== secret['type']) errors.push(invalid('type', secret['type'], 'field is immutable'));
  return [...errors, ...frozenErrors(secret, old, ['data'])];
}

function checkConfigMap(map: KubeObject, old: KubeObject | undefined): FieldError[] {
  const { data, binaryData } = map as Dict;
  // The real server has no name for the place either.
  const errors = [...badKeys('data', data), ...badKeys('binaryData', binaryData), ...oversize('[]', data, binaryData)];
  return [...errors, ...frozenErrors(map, old, ['data', 'binaryData'])];
}

function prepareDefinition(crd: KubeObject): KubeObject {
  const spec = dictOf(crd['spec']);
  return spec['conversion'] === undefined ? { ...crd, spec: { ...spec, conversion: { strategy: 'None' } } } : crd;
}

/** An event of the older form tells that it has no time of the newer one. */
function prepareEvent(event: KubeObject): KubeObject {
  return event['eventTime'] === undefined ? { ...event, eventTime: null } : event;
}

function checkEvent(event: KubeObject): FieldError[] {
  const namespace = text(dictOf(event['involvedObject'])['namespace']);
  const own = event.metadata.namespace;
  const fits = namespace === own || (namespace === '' && (own === 'default' || own === 'kube-system'));
  return fits ? [] : [invalid('involvedObject.namespace', namespace, 'does not match event.namespace')];
}

function checkLease(lease: KubeObject): FieldError[] {
  const { leaseDurationSeconds: seconds } = dictOf(lease['spec']);
  if (typeof seconds !== 'number' || seconds > 0) return [];
  return [invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0')];
}

const involved = (field: string) => (event: KubeObject) => text(dictOf(event['involvedObject'])[field]);
const INVOLVED = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const EVENT_FIELDS: ResourceKind['selectable'] = {
  ...Object.fromEntries(INVOLVED.map((field) => [`involvedObject.${field}`, involved(field)])),
  reason: (event) => text(event['reason']),
  type: (event) => text(event['type']),
  reportingComponent: (event) => text(event['reportingComponent']),
  source: (event) => text(dictOf(event['source'])['component']) || text(event['reportingComponent']),
};

export const NAMESPACES = builtIn({
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  subresources: ['status', 'finalize'],
  schema: NAMESPACE,
  columns: NAMESPACE_COLUMNS,
  selectable: { 'status.phase': (namespace) => text(dictOf(namespace['status'])['phase']) },
  prepare: prepareNamespace,
});

export const EVENTS = builtIn({
  kind: 'Event',
  plural: 'events',
  shortNames: ['ev'],
  schema: EVENT,
  columns: EVENT_COLUMNS,
  createOnUpdate: true,
  selectable: EVENT_FIELDS,
  prepare: prepareEvent,
  check: checkEvent,
});

export const CRDS = builtIn({
  group: 'apiextensions.k8s.io',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  shortNames: ['crd', 'crds'],
  categories: ['api-extensions'],
  namespaced: false,
  subresources: ['status'],
  tracksGeneration: true,
  unconditionalUpdate: false,
  schema: CUSTOM_RESOURCE_DEFINITION,
  columns: CRD_COLUMNS,
  prepare: prepareDefinition,
  check: checkDefinition,
});

/** What the server serves of itself; everything else comes from custom resource definitions. */
export const BUILT_IN: readonly ResourceKind[] = [
  builtIn({
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    schema: CONFIG_MAP,
    columns: CONFIG_MAP_COLUMNS,
    check: checkConfigMap,
  }),
  EVENTS,
  NAMESPACES,
  builtIn({
    kind: 'Secret',
    plural: 'secrets',
    schema: SECRET,
    columns: SECRET_COLUMNS,
    selectable: { type: (secret) => text(secret['type']) },
    prepare: prepareSecret,
    check: checkSecret,
  }),
  CRDS,
  builtIn({
    group: 'coordination.k8s.io',
    kind: 'Lease',
    plural: 'leases',
    schema: LEASE,
    columns: LEASE_COLUMNS,
    unconditionalUpdate: false,
    createOnUpdate: true,
    check: checkLease,
  }),
];
