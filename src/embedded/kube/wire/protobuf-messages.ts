/** The protobuf field numbers of the messages that clients send in protobuf, from the published API definitions. */

export type FieldType = 'string' | 'bytes' | 'bool' | 'int' | 'time' | 'microTime' | 'stringMap' | 'bytesMap' | Message;

export interface Field {
  name: string;
  type: FieldType;
  repeated?: boolean;
}

export type Message = { readonly [number: number]: Field };

const strings = (names: Record<number, string>): Message =>
  Object.fromEntries(Object.entries(names).map(([number, name]) => [number, { name, type: 'string' }]));

const OWNER_REFERENCE: Message = {
  ...strings({ 1: 'kind', 3: 'name', 4: 'uid', 5: 'apiVersion' }),
  6: { name: 'controller', type: 'bool' },
  7: { name: 'blockOwnerDeletion', type: 'bool' },
};

const METADATA: Field = {
  name: 'metadata',
  type: {
    ...strings({ 1: 'name', 2: 'generateName', 3: 'namespace', 5: 'uid', 6: 'resourceVersion' }),
    7: { name: 'generation', type: 'int' },
    8: { name: 'creationTimestamp', type: 'time' },
    9: { name: 'deletionTimestamp', type: 'time' },
    10: { name: 'deletionGracePeriodSeconds', type: 'int' },
    11: { name: 'labels', type: 'stringMap' },
    12: { name: 'annotations', type: 'stringMap' },
    13: { name: 'ownerReferences', type: OWNER_REFERENCE, repeated: true },
    14: { name: 'finalizers', type: 'string', repeated: true },
  },
};

const REFERENCE = strings({
  1: 'kind',
  2: 'namespace',
  3: 'name',
  4: 'uid',
  5: 'apiVersion',
  6: 'resourceVersion',
  7: 'fieldPath',
});

/** The envelope: what follows the four magic bytes. */
export const UNKNOWN: Message = {
  1: { name: 'typeMeta', type: strings({ 1: 'apiVersion', 2: 'kind' }) },
  2: { name: 'raw', type: 'bytes' },
};

const EVENT: Message = {
  1: METADATA,
  2: { name: 'involvedObject', type: REFERENCE },
  ...strings({ 3: 'reason', 4: 'message', 9: 'type', 12: 'action', 14: 'reportingComponent', 15: 'reportingInstance' }),
  5: { name: 'source', type: strings({ 1: 'component', 2: 'host' }) },
  6: { name: 'firstTimestamp', type: 'time' },
  7: { name: 'lastTimestamp', type: 'time' },
  8: { name: 'count', type: 'int' },
  10: { name: 'eventTime', type: 'microTime' },
  11: {
    name: 'series',
    type: { 1: { name: 'count', type: 'int' }, 2: { name: 'lastObservedTime', type: 'microTime' } },
  },
  13: { name: 'related', type: REFERENCE },
};

const LEASE: Message = {
  1: METADATA,
  2: {
    name: 'spec',
    type: {
      ...strings({ 1: 'holderIdentity', 6: 'strategy', 7: 'preferredHolder' }),
      2: { name: 'leaseDurationSeconds', type: 'int' },
      3: { name: 'acquireTime', type: 'microTime' },
      4: { name: 'renewTime', type: 'microTime' },
      5: { name: 'leaseTransitions', type: 'int' },
    },
  },
};

/** By kind; custom resources never come in protobuf. */
export const MESSAGES: Readonly<Record<string, Message>> = {
  ConfigMap: {
    1: METADATA,
    2: { name: 'data', type: 'stringMap' },
    3: { name: 'binaryData', type: 'bytesMap' },
    4: { name: 'immutable', type: 'bool' },
  },
  DeleteOptions: {
    1: { name: 'gracePeriodSeconds', type: 'int' },
    2: { name: 'preconditions', type: strings({ 1: 'uid', 2: 'resourceVersion' }) },
    3: { name: 'orphanDependents', type: 'bool' },
    4: { name: 'propagationPolicy', type: 'string' },
    5: { name: 'dryRun', type: 'string', repeated: true },
  },
  Event: EVENT,
  Lease: LEASE,
  Namespace: {
    1: METADATA,
    2: { name: 'spec', type: { 1: { name: 'finalizers', type: 'string', repeated: true } } },
    3: { name: 'status', type: strings({ 1: 'phase' }) },
  },
  Secret: {
    1: METADATA,
    2: { name: 'data', type: 'bytesMap' },
    3: { name: 'type', type: 'string' },
    4: { name: 'stringData', type: 'stringMap' },
    5: { name: 'immutable', type: 'bool' },
  },
  SelfSubjectAccessReview: { 1: METADATA },
  SelfSubjectReview: { 1: METADATA },
};
