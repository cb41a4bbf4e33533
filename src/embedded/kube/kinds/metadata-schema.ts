import type { Schema } from '../schema/schema.js';

const text = (description: string): Schema => ({ type: 'string', description });
const time = (description: string): Schema => ({ type: 'string', format: 'date-time', description });
const map = (description: string): Schema => ({
  type: 'object',
  additionalProperties: { type: 'string' },
  description,
});

const OWNER_REFERENCE: Schema = {
  type: 'object',
  description: 'Names an object that owns this one; when all owners are gone, this object is deleted.',
  'x-kubernetes-map-type': 'atomic',
  properties: {
    apiVersion: text('API version of the owner.'),
    kind: text('Kind of the owner.'),
    name: text('Name of the owner.'),
    uid: text('UID of the owner.'),
    controller: { type: 'boolean', description: 'Whether the owner is the managing controller.' },
    blockOwnerDeletion: {
      type: 'boolean',
      description: 'Whether a foreground deletion of the owner waits for this object.',
    },
  },
};

const MANAGED_FIELDS: Schema = {
  type: 'object',
  properties: {
    manager: text('Who wrote these fields.'),
    operation: text('Apply or Update.'),
    apiVersion: text('The version in which the fields are named.'),
    time: time('When the manager last changed one of them.'),
    fieldsType: text('FieldsV1.'),
    fieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, description: 'The fields, as a set.' },
    subresource: text('The subresource through which they were written.'),
  },
};

/** Standard object metadata (Kubernetes API conventions, "Metadata"). */
export const OBJECT_META: Schema = {
  type: 'object',
  description: 'Standard object metadata.',
  properties: {
    name: text('Unique in its namespace; cannot be changed.'),
    generateName: text('A prefix from which the server makes a unique name, when there is no name.'),
    namespace: text('The space within which the name must be unique.'),
    selfLink: text('Not used any more.'),
    uid: text('Unique in time and space; set by the server.'),
    resourceVersion: text('Changes with each write; set by the server.'),
    generation: { type: 'integer', format: 'int64', description: 'Counts the changes of the desired state.' },
    creationTimestamp: { ...time('When the object was made; set by the server.'), nullable: true },
    deletionTimestamp: { ...time('When deletion was asked for; set by the server.'), nullable: true },
    deletionGracePeriodSeconds: {
      type: 'integer',
      format: 'int64',
      description: 'Seconds until a graceful deletion ends.',
    },
    labels: map('Keys and values by which objects are selected.'),
    annotations: map('Keys and values for tools; they cannot be selected by.'),
    ownerReferences: {
      type: 'array',
      description: 'The objects that own this one.',
      items: OWNER_REFERENCE,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
    },
    finalizers: {
      type: 'array',
      description: 'Names that must all be removed before a deleted object goes away.',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'set',
    },
    managedFields: {
      type: 'array',
      items: MANAGED_FIELDS,
      description: 'Who manages which fields; kept by the server.',
    },
  },
};

/** A root schema with apiVersion, kind and full metadata, whatever the given one says of them. */
export function withMetadata(schema: Schema): Schema {
  return {
    ...schema,
    type: 'object',
    properties: {
      apiVersion: { type: 'string', description: 'The versioned schema of this representation of an object.' },
      kind: { type: 'string', description: 'The resource that this object represents.' },
      ...schema.properties,
      metadata: OBJECT_META,
    },
  };
}
