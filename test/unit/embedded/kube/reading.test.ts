import { describe, expect, it } from '@jest/globals';
import { humanDuration } from '../../../../src/embedded/kube/read/human-age.js';
import { compile } from '../../../../src/embedded/kube/read/json-path.js';
import { labelSelector } from '../../../../src/embedded/kube/read/label-selector.js';
import { representation } from '../../../../src/embedded/kube/wire/negotiation.js';
import { resourcePath, verbOf } from '../../../../src/embedded/kube/wire/request-path.js';

describe('JSON paths of printer columns', () => {
  const object = {
    metadata: { annotations: { 'a.io/b': 'x' } },
    spec: { list: [{ n: 1 }, { n: 2 }, { n: 3 }], online: false },
    status: {
      conditions: [
        { type: 'Up', status: 'False' },
        { type: 'Ready', status: 'True' },
      ],
    },
  };

  it.each<[string, unknown[]]>([
    ['.spec.online', [false]],
    ['spec.online', [false]],
    ['{.spec.online}', [false]],
    ['.spec.list[1].n', [2]],
    ['.spec.list[-1].n', [3]],
    ['.spec.list[*].n', [1, 2, 3]],
    ['.spec.list[?(@.n>1)].n', [2, 3]],
    [".status.conditions[?(@.type=='Ready')].status", ['True']],
    ['.status.conditions[?(@.type=="Ready")].status', ['True']],
    ['.status.conditions[?(@.type!="Ready")].status', ['False']],
    ['.status.conditions[?(@.reason)].status', []],
    ['.metadata.annotations.a\\.io/b', ['x']],
    [".metadata.annotations['a.io/b']", ['x']],
    ['..n', [1, 2, 3]],
    ['.status.none.deeper', []],
  ])('%s', (path, want) => {
    expect(compile(path)(object)).toEqual(want);
  });

  it('refuses what it does not understand', () => {
    expect(() => compile('.a[')).toThrow(SyntaxError);
  });
});

it.each([
  [-5_000, '<invalid>'],
  [0, '0s'],
  [119_999, '119s'],
  [120_000, '2m'],
  [185_000, '3m5s'],
  [600_000, '10m'],
  [10_799_000, '179m'],
  [3 * 3600_000, '3h'],
  [3 * 3600_000 + 120_000, '3h2m'],
  [47 * 3600_000, '47h'],
  [50 * 3600_000, '2d2h'],
  [9 * 86_400_000, '9d'],
  [800 * 86_400_000, '2y70d'],
  [3650 * 86_400_000, '10y'],
])('a duration of %d ms reads %s', (ms, want) => {
  expect(humanDuration(ms)).toBe(want);
});

describe('label selectors', () => {
  it('hold all at once', () => {
    const test = labelSelector('a in (1,2), b!=x, !c, d, e>5')!;
    expect(test({ a: '1', d: '', e: '6' })).toBe(true);
    expect(test({ a: '3', d: '', e: '6' })).toBe(false);
    expect(test({ a: '1', b: 'x', d: '', e: '6' })).toBe(false);
    expect(test({ a: '1', c: '', d: '', e: '6' })).toBe(false);
    expect(test({ a: '1', d: '', e: '5' })).toBe(false);
  });

  it('that are empty select everything', () => {
    expect(labelSelector('')).toBeUndefined();
    expect(labelSelector(null)).toBeUndefined();
  });

  it.each(['a in', 'a b', '=x', 'a in (1', ','])('refuse %s', (text) => {
    expect(() => labelSelector(text)).toThrow(expect.objectContaining({ code: 400 }));
  });
});

describe('paths', () => {
  it.each([
    ['/api/v1/namespaces', { plural: 'namespaces', namespace: undefined, name: undefined }],
    ['/api/v1/namespaces/x', { plural: 'namespaces', name: 'x', namespace: undefined }],
    ['/api/v1/namespaces/x/status', { plural: 'namespaces', name: 'x', subresource: 'status' }],
    ['/api/v1/namespaces/x/finalize', { plural: 'namespaces', name: 'x', subresource: 'finalize' }],
    ['/api/v1/namespaces/x/secrets', { plural: 'secrets', namespace: 'x', name: undefined }],
    [
      '/apis/g/v1/namespaces/x/things/y/status',
      { group: 'g', plural: 'things', namespace: 'x', name: 'y', subresource: 'status' },
    ],
    ['/apis/g/v1/things', { group: 'g', version: 'v1', plural: 'things', namespace: undefined }],
    ['/apis/g/v1/things/a%2Fb', { name: 'a/b' }],
  ])('%s', (path, want) => {
    expect(resourcePath(path)).toMatchObject(want);
  });

  it.each(['/', '/api', '/api/v1', '/apis/g/v1', '/version', '/apis/g/v1/things/y/status/more', '/api/v1/%'])(
    'that name no resource: %s',
    (path) => {
      expect(resourcePath(path)).toBeUndefined();
    },
  );

  it('make a list with watch=true a watch', () => {
    const path = resourcePath('/api/v1/secrets')!;
    expect(verbOf('GET', path, new URLSearchParams('watch=1'))).toBe('watch');
    expect(verbOf('GET', path, new URLSearchParams('watch=false'))).toBe('list');
    expect(verbOf('PUT', path, new URLSearchParams())).toBeUndefined();
  });
});

it.each([
  [undefined, 'object'],
  ['*/*', 'object'],
  ['application/vnd.kubernetes.protobuf', 'object'],
  ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', 'table'],
  ['application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', 'object'],
  ['application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'metadata'],
])('a client that accepts %s gets the form: %s', (accept, form) => {
  expect(representation(accept, new URLSearchParams()).form).toBe(form);
});
