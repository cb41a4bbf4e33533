/**
 * One scripted conversation with a Kubernetes API. Two servers that are asked the same have to answer the same: status, type,
 * warnings and the whole body, but for identities, versions and times.
 */
import {
  APPLY,
  JSON_PATCH,
  MERGE,
  STRATEGIC,
  TABLE,
  type Answer,
  type Json,
  type KubeClient,
} from '../../support/kube-api/client.js';
import { WIDGET_CRD, widget } from '../../support/kube-api/widget-crd.js';
import { comparable } from './masking.js';

export interface Said {
  readonly status: number;
  readonly type: string;
  readonly warning: string | null;
  readonly body: Json;
}

export type Step = readonly [title: string, ask: (client: KubeClient) => Promise<Answer>];

const namespace = 'conversation';
const widgets = `/apis/suite.example.com/v1/namespaces/${namespace}/widgets`;
const core = `/api/v1/namespaces/${namespace}`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

const post = (title: string, path: string, body: unknown, type?: string): Step => [
  title,
  (client) => client.post(path, body, { type }),
];
const put = (title: string, path: string, body: unknown): Step => [title, (client) => client.put(path, body)];
const get = (title: string, path: string, accept?: string): Step => [title, (client) => client.get(path, { accept })];
const patch = (title: string, path: string, body: unknown, type = MERGE): Step => [
  title,
  (client) => client.patch(path, body, type),
];
const remove = (title: string, path: string, body?: unknown): Step => [title, (client) => client.delete(path, body)];
/** Writes back what is there, changed. */
const edit = (title: string, path: string, change: (object: Json) => unknown, to = path): Step => [
  title,
  async (client) => client.put(to, change((await client.get(path)).body)),
];

const gadgets = (change: Json = {}, version: Json = {}): Json => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.talk.example.com' },
  spec: {
    group: 'talk.example.com',
    scope: 'Namespaced',
    names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget', listKind: 'GadgetList' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } }, ...version },
    ],
    ...change,
  },
});

export const steps: readonly Step[] = [
  post('a namespace', '/api/v1/namespaces', { metadata: { name: namespace } }),
  post('a namespace of a bad name', '/api/v1/namespaces', { metadata: { name: 'No_Good' } }),
  post('a namespace twice', '/api/v1/namespaces', { metadata: { name: namespace } }),
  get('a namespace that is not there', '/api/v1/namespaces/nowhere'),

  post('a widget', widgets, widget('a', { size: 3 })),
  post('a widget twice', widgets, widget('a')),
  post('a widget with everything', widgets, {
    ...widget('full', {
      size: 2,
      mode: 'fast',
      code: 'abc',
      online: true,
      since: '2026-01-01T00:00:00Z',
      port: 'http',
      open: { any: [1, { thing: true }] },
      settings: { a: 1, b: 'x' },
      parts: [{ name: 'x' }, { name: 'y', weight: 3 }],
      tags: ['t', 'u'],
      lines: ['l', 'l'],
    }),
    status: { phase: 'dropped' },
  }),
  get('it', `${widgets}/full`),
  get('its status', `${widgets}/full/status`),
  get('a widget that is not there', `${widgets}/none`),
  get('the status of one that is not there', `${widgets}/none/status`),
  get('a subresource that there is not', `${widgets}/a/scale`),
  get('a resource that there is not', '/apis/suite.example.com/v1/namespaces/conversation/gizmos'),
  get('a version that there is not', '/apis/suite.example.com/v7/namespaces/conversation/widgets'),
  get('a group that there is not', '/apis/none.example.com/v1'),
  get('a path that there is not', '/nothing/here'),

  post('a widget without a name', widgets, { ...widget(''), metadata: {} }),
  post('a widget of a bad name', widgets, widget('Not_A_Name')),
  post('a widget of a long name', widgets, widget('n'.repeat(254))),
  post('a widget of another kind', widgets, { ...widget('b'), kind: 'Gadget' }),
  post('a widget of another version', widgets, {
    apiVersion: 'suite.example.com/v2',
    kind: 'Widget',
    metadata: { name: 'b' },
  }),
  post('a widget without a kind', widgets, { apiVersion: 'suite.example.com/v1', metadata: { name: 'b' } }),
  post('a widget without a version', widgets, { kind: 'Widget', metadata: { name: 'b' } }),
  post('a widget for another namespace', widgets, widget('b', { size: 1 }, { namespace: 'other' })),
  post('a widget with a version', widgets, widget('b', { size: 1 }, { resourceVersion: '7' })),
  post('a widget in no namespace', '/apis/suite.example.com/v1/namespaces/nowhere/widgets', widget('b')),
  post('a list', widgets, []),
  post('a text', widgets, '"text"'),
  post('nothing', widgets, ''),
  post('half a body', widgets, '{"kind":'),
  post('plain text', widgets, 'hello', 'text/plain'),
  post(
    'YAML, in which y is yes',
    widgets,
    'apiVersion: suite.example.com/v1\nkind: Widget\nmetadata: {name: yam}\nspec: {size: 1, online: y}\n',
    'application/yaml',
  ),
  post(
    'YAML, in which a name is yes',
    widgets,
    'apiVersion: suite.example.com/v1\nkind: Widget\nmetadata: {name: y}\n',
    'application/yaml',
  ),
  post('YAML that is none', widgets, 'a: b: c', 'application/yaml'),
  post('an unknown field', widgets, widget('odd', { size: 1, odd: 1, parts: [{ name: 'a', strange: 1 }] })),
  post('an unknown field, strictly', `${widgets}?fieldValidation=Strict`, widget('odd2', { size: 1, odd: 1 })),
  post(
    'a field twice',
    widgets,
    '{"apiVersion":"suite.example.com/v1","kind":"Widget","metadata":{"name":"twice"},"spec":{"size":1,"size":2}}',
  ),
  post(
    'a field twice, strictly',
    `${widgets}?fieldValidation=Strict`,
    '{"apiVersion":"suite.example.com/v1","kind":"Widget","metadata":{"name":"twice2"},"spec":{"size":1,"size":2}}',
  ),
  post('unknown metadata', `${widgets}?fieldValidation=Strict`, widget('meta', { size: 1 }, { odd: 1 })),
  post('an odd way to validate', `${widgets}?fieldValidation=Maybe`, widget('b')),
  post('an odd dry run', `${widgets}?dryRun=Some`, widget('b')),
  post('a dry run', `${widgets}?dryRun=All`, widget('b')),
  post('bad labels', widgets, widget('b', { size: 1 }, { labels: { ok: 'not ok!' } })),
  post('a bad name of a label', widgets, widget('b', { size: 1 }, { labels: { 'not ok!': 'ok' } })),
  post('a number as a label', widgets, widget('b', { size: 1 }, { labels: { n: 5 } })),
  post('bad annotations', widgets, widget('b', { size: 1 }, { annotations: { 'a b': 'x' } })),
  post('annotations that are too big', widgets, widget('b', { size: 1 }, { annotations: { a: 'x'.repeat(300_000) } })),
  post('bad finalizers', widgets, widget('b', { size: 1 }, { finalizers: ['no slash'] })),
  post('half an owner', widgets, widget('b', { size: 1 }, { ownerReferences: [{ kind: 'Widget' }] })),
  post(
    'two controllers',
    widgets,
    widget(
      'b',
      { size: 1 },
      {
        ownerReferences: ['x', 'y'].map((name) => ({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name,
          uid: name,
          controller: true,
        })),
      },
    ),
  ),
  post('no spec', widgets, { apiVersion: 'suite.example.com/v1', kind: 'Widget', metadata: { name: 'bare' } }),
  post('a spec that is null', widgets, { ...widget('null'), spec: null }),
  post('nulls', widgets, widget('nulls', { size: 1, online: null, mode: null, since: null, open: null, tags: null })),
  ...[
    {},
    { size: 'x' },
    { size: 0 },
    { size: 11 },
    { size: 1.5 },
    { size: 99_999_999_999 },
    { size: 1, mode: 'odd' },
    { size: 1, mode: 5 },
    { size: 1, code: 'AB' },
    { size: 1, code: 'a' },
    { size: 1, code: 'abcdef' },
    { size: 1, online: 'yes' },
    { size: 1, since: 'today' },
    { size: 1, settings: { a: true } },
    { size: 1, settings: [] },
    { size: 1, port: [1] },
    { size: 1, open: 'text' },
    { size: 1, parts: {} },
    { size: 1, parts: ['a', 'b', 'c', 'd'].map((name) => ({ name })) },
    { size: 1, parts: [{ name: 'a' }, {}] },
    { size: 1, parts: [{ name: 'a' }, { name: 'a' }] },
    { size: 1, parts: ['a'] },
    { size: 1, tags: ['a', 'a'] },
    { size: 1, lines: [1] },
    { size: 99, mode: 'odd', code: 'AB' },
  ].map((spec) => post(`a spec of ${JSON.stringify(spec)}`, widgets, widget('bad', spec))),

  put('an update without a version', `${widgets}/a`, widget('a', { size: 2 })),
  edit('an update', `${widgets}/a`, (object) => ({ ...object, spec: { ...object.spec, size: 4 } })),
  edit('an update of nothing', `${widgets}/a`, (object) => object),
  edit('an update of an older version', `${widgets}/a`, (object) => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion: '1' },
  })),
  edit('an update with a version that is none', `${widgets}/a`, (object) => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion: 'x' },
  })),
  edit('an update of another life', `${widgets}/a`, (object) => ({
    ...object,
    metadata: { ...object.metadata, uid: '00000000-0000-4000-8000-000000000000' },
  })),
  edit('an update under another name', `${widgets}/a`, (object) => ({
    ...object,
    metadata: { ...object.metadata, name: 'b' },
  })),
  edit('an update of another kind', `${widgets}/a`, (object) => ({ ...object, kind: 'Gadget' })),
  edit(
    'an update of one that is not there',
    `${widgets}/a`,
    (object) => ({
      ...object,
      metadata: { ...object.metadata, name: 'none' },
    }),
    `${widgets}/none`,
  ),
  edit('an update to what is invalid', `${widgets}/a`, (object) => ({ ...object, spec: { size: 0 } })),
  edit(
    'an update of the status',
    `${widgets}/a`,
    (object) => ({ ...object, spec: {}, status: { phase: 'up' } }),
    `${widgets}/a/status`,
  ),
  edit(
    'a bad status',
    `${widgets}/a`,
    (object) => ({ ...object, status: { conditions: [{ type: 'Ready' }] } }),
    `${widgets}/a/status`,
  ),

  patch('a merge patch', `${widgets}/a`, { spec: { size: 5, online: true, lines: ['x'] } }),
  patch('a merge patch that removes', `${widgets}/a`, { spec: { online: null, lines: null } }),
  patch('a merge patch of nothing', `${widgets}/a`, {}),
  patch('a merge patch of the status', `${widgets}/a/status`, { status: { phase: 'down' } }),
  patch('a merge patch of an old version', `${widgets}/a`, { metadata: { resourceVersion: '1' }, spec: { size: 6 } }),
  patch('a merge patch of another life', `${widgets}/a`, { metadata: { uid: 'x' } }),
  patch('a merge patch of the name', `${widgets}/a`, { metadata: { name: 'b' } }),
  patch('a merge patch of the kind', `${widgets}/a`, { kind: 'Gadget' }),
  patch('a merge patch that makes it invalid', `${widgets}/a`, { spec: { size: 0 } }),
  patch('a merge patch with an unknown field', `${widgets}/a`, { spec: { odd: 1 } }),
  patch('a merge patch with an unknown field, strictly', `${widgets}/a?fieldValidation=Strict`, { spec: { odd: 1 } }),
  patch('a merge patch that is a list', `${widgets}/a`, []),
  patch('half a merge patch', `${widgets}/a`, '{"spec":'),
  patch('a merge patch of one that is not there', `${widgets}/none`, { spec: {} }),
  patch('a merge patch by force', `${widgets}/a?force=true`, { spec: {} }),
  patch('a patch of no known type', `${widgets}/a`, {}, 'application/odd'),
  patch('a JSON patch', `${widgets}/a`, [{ op: 'replace', path: '/spec/size', value: 7 }], JSON_PATCH),
  patch('a JSON patch of nothing', `${widgets}/a`, [], JSON_PATCH),
  patch('a JSON patch whose test fails', `${widgets}/a`, [{ op: 'test', path: '/spec/size', value: 1 }], JSON_PATCH),
  patch('a JSON patch of what is not there', `${widgets}/a`, [{ op: 'remove', path: '/spec/none' }], JSON_PATCH),
  patch(
    'a JSON patch below what is not there',
    `${widgets}/a`,
    [{ op: 'add', path: '/spec/none/x', value: 1 }],
    JSON_PATCH,
  ),
  patch('a JSON patch with an odd operation', `${widgets}/a`, [{ op: 'odd', path: '/spec/size' }], JSON_PATCH),
  patch('a JSON patch that is no list', `${widgets}/a`, { spec: {} }, JSON_PATCH),
  patch(
    'a JSON patch that makes it invalid',
    `${widgets}/a`,
    [{ op: 'replace', path: '/spec/size', value: 0 }],
    JSON_PATCH,
  ),
  patch('a strategic patch of a custom resource', `${widgets}/a`, {}, STRATEGIC),
  patch(
    'an apply that creates',
    `${widgets}/applied?fieldManager=one`,
    widget('applied', { size: 1, parts: [{ name: 'x' }] }),
    APPLY,
  ),
  patch(
    'an apply of the same',
    `${widgets}/applied?fieldManager=one`,
    widget('applied', { size: 1, parts: [{ name: 'x' }] }),
    APPLY,
  ),
  patch('an apply in conflict', `${widgets}/applied?fieldManager=two`, widget('applied', { size: 2 }), APPLY),
  patch(
    'an apply in two conflicts',
    `${widgets}/applied?fieldManager=two`,
    widget('applied', { size: 2, parts: [{ name: 'x', weight: 9 }] }),
    APPLY,
  ),
  patch('an apply by force', `${widgets}/applied?fieldManager=two&force=true`, widget('applied', { size: 2 }), APPLY),
  patch(
    'an apply of the status',
    `${widgets}/applied/status?fieldManager=three`,
    { ...widget('applied'), status: { phase: 'up', conditions: [{ type: 'Ready', status: 'True' }] } },
    APPLY,
  ),
  patch('an apply without a manager', `${widgets}/applied`, widget('applied'), APPLY),
  patch(
    'an apply of an unknown field',
    `${widgets}/applied?fieldManager=one`,
    widget('applied', { size: 1, odd: 1 }),
    APPLY,
  ),
  patch(
    'an apply under another name',
    `${widgets}/applied?fieldManager=two&force=true`,
    widget('b', { size: 2 }),
    APPLY,
  ),
  patch('an apply of what is invalid', `${widgets}/applied?fieldManager=two`, widget('applied', { size: 0 }), APPLY),
  patch(
    'an apply with managed fields',
    `${widgets}/applied?fieldManager=one`,
    widget('applied', { size: 1 }, { managedFields: [{}] }),
    APPLY,
  ),
  patch('an apply without a kind', `${widgets}/applied?fieldManager=one`, { spec: { size: 1 } }, APPLY),
  patch('an apply after an update in conflict', `${widgets}/a?fieldManager=one`, widget('a', { size: 9 }), APPLY),

  get('a list of widgets', widgets),
  get('a list of widgets as a table', widgets, TABLE),
  get('one widget as a table', `${widgets}/a`, TABLE),
  get('a table of whole objects', `${widgets}?includeObject=Object&fieldSelector=metadata.name=a`, TABLE),
  get('a table without objects', `${widgets}?includeObject=None&fieldSelector=metadata.name=a`, TABLE),
  get('metadata alone', `${widgets}/a`, 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'),
  get(
    'a list of metadata',
    `${widgets}?fieldSelector=metadata.name=a`,
    'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
  ),
  get('a type that there is not', widgets, 'text/html'),
  get('a bad selector of labels', `${widgets}?labelSelector=a%20b`),
  get('a bad selector of fields', `${widgets}?fieldSelector=spec.size=1`),
  get('a bad limit', `${widgets}?limit=x`),
  get('a negative limit', `${widgets}?limit=-1`),
  get('a bad token', `${widgets}?continue=junk`),
  get('a bad version', `${widgets}?resourceVersion=x`),
  get('a match without a version', `${widgets}?resourceVersionMatch=Exact`),
  get('a match that there is not', `${widgets}?resourceVersion=1&resourceVersionMatch=Odd`),
  get('an exact match of zero', `${widgets}?resourceVersion=0&resourceVersionMatch=Exact`),
  get('a match with a token', `${widgets}?resourceVersion=1&continue=x&resourceVersionMatch=Exact`),
  get('initial events without a match', `${widgets}?watch=true&sendInitialEvents=true`),
  get('a watch with a bad version', `${widgets}?watch=true&resourceVersion=x`),
  get('a watch with a bad selector', `${widgets}?watch=true&labelSelector=a%20b`),

  post('a config map', `${core}/configmaps`, { metadata: { name: 'm', labels: { x: 'y' } }, data: { a: '1', b: '2' } }),
  post('a config map with a bad key', `${core}/configmaps`, { metadata: { name: 'n' }, data: { 'a/b': '1' } }),
  post('a config map with a number', `${core}/configmaps`, { metadata: { name: 'n' }, data: { a: 1 } }),
  post('a config map of another kind', `${core}/configmaps`, {
    kind: 'Secret',
    apiVersion: 'v1',
    metadata: { name: 'n' },
  }),
  post('a config map of no known kind', `${core}/configmaps`, {
    kind: 'Gadget',
    apiVersion: 'v1',
    metadata: { name: 'n' },
  }),
  post('a config map of another version', `${core}/configmaps`, {
    kind: 'ConfigMap',
    apiVersion: 'v2',
    metadata: { name: 'n' },
  }),
  post('a config map with an unknown field', `${core}/configmaps?fieldValidation=Strict`, {
    metadata: { name: 'n' },
    odd: 1,
  }),
  put('a config map replaced without a version', `${core}/configmaps/m`, { metadata: { name: 'm' }, data: { a: '9' } }),
  patch('a strategic patch', `${core}/configmaps/m`, { data: { a: null, c: '3' } }, STRATEGIC),
  patch(
    'an apply to a config map',
    `${core}/configmaps/m?fieldManager=one`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { d: '4' } },
    APPLY,
  ),
  get('config maps as a table', `${core}/configmaps?labelSelector=x`, TABLE),
  post('a secret', `${core}/secrets`, { metadata: { name: 's' }, data: { a: 'b2xk' }, stringData: { b: 'new' } }),
  post('a secret that is not base64', `${core}/secrets`, { metadata: { name: 't' }, data: { a: 'not base64!' } }),
  patch('a secret of another type', `${core}/secrets/s`, { type: 'other' }),
  patch('a secret made immutable', `${core}/secrets/s`, { immutable: true }),
  patch('an immutable secret changed', `${core}/secrets/s`, { stringData: { b: 'newer' } }),
  get('secrets as a table', `${core}/secrets`, TABLE),
  post('an event', `${core}/events`, {
    metadata: { name: 'e' },
    involvedObject: { kind: 'Widget', name: 'a', namespace },
    reason: 'Up',
    message: 'it is up',
    type: 'Normal',
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    count: 1,
    source: { component: 'talk' },
  }),
  post('an event about another namespace', `${core}/events`, {
    metadata: { name: 'f' },
    involvedObject: { kind: 'Widget', name: 'a', namespace: 'other' },
  }),
  get('events as a table', `${core}/events?includeObject=None`, TABLE),
  put('a lease made by PUT', `${leases}/l`, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'l' },
    spec: { holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.123456Z' },
  }),
  post('a bad lease', leases, { metadata: { name: 'k' }, spec: { leaseDurationSeconds: 0 } }),
  post('a lease with a bad time', leases, { metadata: { name: 'k' }, spec: { renewTime: 'now' } }),
  get('leases as a table', leases, TABLE),
  get('namespaces as a table', `/api/v1/namespaces?fieldSelector=metadata.name=${namespace}&includeObject=None`, TABLE),

  remove('a deletion with the wrong uid', `${widgets}/a`, { preconditions: { uid: 'other' } }),
  remove('a deletion with the wrong version', `${widgets}/a`, { preconditions: { resourceVersion: '1' } }),
  remove('a deletion of a config map with the wrong uid', `${core}/configmaps/m`, { preconditions: { uid: 'other' } }),
  remove('an odd propagation', `${widgets}/a`, { propagationPolicy: 'Sideways' }),
  remove('a propagation and orphans', `${widgets}/a`, { propagationPolicy: 'Orphan', orphanDependents: true }),
  remove('a negative grace period', `${widgets}/a`, { gracePeriodSeconds: -5 }),
  remove('half a body of a deletion', `${widgets}/a`, '{'),
  remove('a deletion without effect', `${widgets}/a?dryRun=All`),
  patch('a finalizer', `${widgets}/a`, { metadata: { finalizers: ['suite.example.com/hold'] } }),
  remove('a deletion that waits', `${widgets}/a`),
  patch('another finalizer now', `${widgets}/a`, {
    metadata: { finalizers: ['suite.example.com/hold', 'suite.example.com/more'] },
  }),
  patch('a change of the spec now', `${widgets}/a`, { spec: { size: 8 } }),
  patch('no finalizer any more', `${widgets}/a`, { metadata: { finalizers: null } }),
  get('it, after that', `${widgets}/a`),
  remove('a deletion', `${widgets}/applied`),
  remove('a deletion of one that is not there', `${widgets}/applied`),
  remove('a deletion of a config map', `${core}/configmaps/m`),
  remove('a deletion of the secret', `${core}/secrets/s`),
  remove('a deletion of a selection', `${widgets}?labelSelector=nothing`),
  remove('a deletion of the default namespace', '/api/v1/namespaces/default'),
  ['methods that there are not', async (client) => client.send('PUT', widgets, widget('z'))],
  post('a create by name', `${core}/configmaps/z`, { metadata: { name: 'z' } }),
  ['a patch of all', (client) => client.patch(`${core}/configmaps`, {})],
  post('a create without a namespace', '/apis/suite.example.com/v1/widgets', widget('z')),

  post('a definition twice', definitions, WIDGET_CRD),
  post('a definition of a bad name', definitions, { ...gadgets(), metadata: { name: 'other.talk.example.com' } }),
  post('a definition without versions', definitions, gadgets({ versions: [] })),
  post('a definition without a schema', definitions, gadgets({}, { schema: undefined })),
  post('a definition without storage', definitions, gadgets({}, { storage: false })),
  post('a definition of an odd scope', definitions, gadgets({ scope: 'Odd' })),
  post(
    'a definition that is not structural',
    definitions,
    gadgets({}, { schema: { openAPIV3Schema: { type: 'object', properties: { spec: {} } } } }),
  ),
  [
    'a definition',
    async (client) => {
      const answer = await client.get(`${definitions}/widgets.suite.example.com`);
      return { ...answer, body: { ...answer.body, metadata: {} } };
    },
  ],
  get(
    'definitions as a table',
    `${definitions}?fieldSelector=metadata.name=widgets.suite.example.com&includeObject=None`,
    TABLE,
  ),

  get('versions of the core', '/api'),
  get('a group', '/apis/suite.example.com'),
  get('resources of a group', '/apis/suite.example.com/v1'),
  [
    'a review of oneself',
    async (client) => {
      const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
      const answer = await client.post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { spec });
      return { ...answer, body: { ...answer.body, metadata: {} } };
    },
  ],
];

/** What the server says, one answer a step, with what no two servers have in common put out of sight. */
export async function hold(client: KubeClient): Promise<Said[]> {
  const said: Said[] = [];
  for (const [, ask] of steps) {
    const { status, body, headers } = await ask(client);
    const type = (headers.get('content-type') ?? '').split(';')[0] ?? '';
    said.push({ status, type, warning: headers.get('warning'), body: comparable(body) });
  }
  return said;
}
