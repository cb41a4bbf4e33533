import type { Schema } from '../schema/schema.js';
import { withMetadata } from './metadata-schema.js';

const text = (description: string, more: Schema = {}): Schema => ({ type: 'string', description, ...more });
const time = (description: string): Schema => text(description, { format: 'date-time', nullable: true });
const count = (description: string, more: Schema = {}): Schema => ({
  type: 'integer',
  format: 'int32',
  description,
  ...more,
});
const object = (description: string, properties: Record<string, Schema>): Schema => ({
  type: 'object',
  description,
  properties,
});
const map = (value: Schema, description: string): Schema => ({
  type: 'object',
  additionalProperties: value,
  description,
});
const bytes: Schema = { type: 'string', format: 'byte' };

const reference = (description: string): Schema => ({
  ...object(description, {
    apiVersion: text('API version of the referent.'),
    kind: text('Kind of the referent.'),
    namespace: text('Namespace of the referent.'),
    name: text('Name of the referent.'),
    uid: text('UID of the referent.'),
    resourceVersion: text('Resource version of the referent.'),
    fieldPath: text('A part of the referent.'),
  }),
  'x-kubernetes-map-type': 'atomic',
});

export const NAMESPACE = withMetadata({
  description: 'Namespace is a scope for names.',
  properties: {
    spec: object('What is wanted of the namespace.', {
      finalizers: {
        type: 'array',
        items: { type: 'string' },
        description: 'Names that must be removed before the namespace goes away.',
      },
    }),
    status: object('What is true of the namespace.', {
      phase: text('Active or Terminating.'),
      conditions: {
        type: 'array',
        description: 'Observations of the current state.',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
        items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    }),
  },
});

export const SECRET = withMetadata({
  description: 'Secret holds secret data of a certain type.',
  properties: {
    data: map(bytes, 'The secret data, base64 encoded.'),
    stringData: map({ type: 'string' }, 'Secret data as plain text; write-only, merged into data.'),
    type: text('What the data is for.', { default: 'Opaque' }),
    immutable: { type: 'boolean', description: 'When true, the data cannot be changed.' },
  },
});

export const CONFIG_MAP = withMetadata({
  description: 'ConfigMap holds configuration data.',
  properties: {
    data: map({ type: 'string' }, 'Configuration data as text.'),
    binaryData: map(bytes, 'Configuration data as bytes, base64 encoded.'),
    immutable: { type: 'boolean', description: 'When true, the data cannot be changed.' },
  },
});

export const EVENT = withMetadata({
  description: 'Event is a report of something that happened to an object.',
  required: ['involvedObject'],
  properties: {
    involvedObject: reference('The object that the event is about.'),
    reason: text('Why the event was made, in one word.'),
    message: text('What happened, for people.'),
    source: object('Who reports the event.', { component: text('The component.'), host: text('The node.') }),
    firstTimestamp: time('When the event was first seen.'),
    lastTimestamp: time('When the event was last seen.'),
    count: count('How often the event was seen.'),
    type: text('Normal or Warning.'),
    eventTime: time('When the event was first observed, in microseconds.'),
    series: object('The run of events that this one stands for.', {
      count: count('How many events, up to the last heartbeat.'),
      lastObservedTime: time('When the last one was seen.'),
    }),
    action: text('What was done or failed.'),
    related: reference('A second object of the event.'),
    reportingComponent: text('The controller that reports, by name.', { default: '' }),
    reportingInstance: text('The instance of that controller.', { default: '' }),
  },
});

export const LEASE = withMetadata({
  description: 'Lease is a lock that must be renewed.',
  properties: {
    spec: object('The lease.', {
      holderIdentity: text('Who holds the lease.'),
      leaseDurationSeconds: count('Seconds after the last renewal that others must wait.'),
      acquireTime: time('When the lease was taken.'),
      renewTime: time('When the holder last renewed it.'),
      leaseTransitions: count('How often the lease changed hands.', { minimum: 0 }),
      strategy: text('How the holder is chosen.'),
      preferredHolder: text('Who should hold the lease.'),
    }),
  },
});

export const CUSTOM_RESOURCE_DEFINITION = withMetadata({
  description: 'CustomResourceDefinition is a resource that is added to the API.',
  required: ['spec'],
  properties: {
    spec: {
      ...object('How the resource looks.', {
        group: text('The API group.'),
        scope: text('Cluster or Namespaced.', { enum: ['Cluster', 'Namespaced'] }),
        names: {
          ...object('What the resource is called.', {
            kind: text('The kind, in CamelCase.'),
            listKind: text('The kind of a list.'),
            plural: text('The name in URLs.'),
            singular: text('The name of one.'),
            shortNames: { type: 'array', items: { type: 'string' }, description: 'Short names.' },
            categories: { type: 'array', items: { type: 'string' }, description: 'Groups such as all.' },
          }),
          required: ['kind', 'plural'],
        },
        versions: {
          type: 'array',
          description: 'The versions.',
          items: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
        conversion: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        preserveUnknownFields: { type: 'boolean' },
      }),
      required: ['group', 'names', 'scope', 'versions'],
    },
    status: {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
      description: 'What is true of the resource.',
    },
  },
});
