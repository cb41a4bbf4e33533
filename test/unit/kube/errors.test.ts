import { describe, expect, it } from '@jest/globals';
import { errorFromAnswer, isKubeError, keyOf, parseKey, pathOf } from '../../../src/kube/index.js';

describe('an answer that is no success', () => {
  it.each<[number, object, string]>([
    [400, {}, 'KUBE_INVALID'],
    [401, {}, 'KUBE_FORBIDDEN'],
    [403, {}, 'KUBE_FORBIDDEN'],
    [404, {}, 'KUBE_NOT_FOUND'],
    [409, { reason: 'Conflict' }, 'KUBE_CONFLICT'],
    [409, { reason: 'AlreadyExists' }, 'KUBE_ALREADY_EXISTS'],
    [410, { reason: 'Expired' }, 'KUBE_GONE'],
    [422, {}, 'KUBE_INVALID'],
    [429, {}, 'KUBE_BUSY'],
    [500, {}, 'KUBE_UNAVAILABLE'],
    [503, {}, 'KUBE_UNAVAILABLE'],
    [302, {}, 'KUBE_UNAVAILABLE'],
  ])('%i %j is %s', (status, body, code) => {
    const error = errorFromAnswer('GET /x', status, body);
    expect([error.code, error.retry]).toEqual([code, 'backoff']);
    expect(isKubeError(error, code as never)).toBe(true);
  });

  it('says what was asked, the number and the reason', () => {
    expect(errorFromAnswer('GET /x', 404, { message: 'no such x' }).message).toBe('GET /x: 404 no such x');
    expect(errorFromAnswer('GET /x', 503, { reason: 'Away' }).message).toBe('GET /x: 503 Away');
    expect(errorFromAnswer('GET /x', 500, null).message).toBe('GET /x: 500 no reason given');
  });

  it.each<[unknown, boolean]>([
    [{ details: { causes: [{ reason: 'Other' }, { reason: 'NamespaceTerminating', field: 'x' }] } }, true],
    [{ details: { causes: [{ reason: 'Other' }, null] } }, false],
    [{ details: { causes: 'NamespaceTerminating' } }, false],
    [{ details: {} }, false],
    [undefined, false],
  ])('of a namespace that is going away is known by its cause: %j', (body, isEnding) => {
    expect(errorFromAnswer('POST /x', 403, body).isNamespaceEnding).toBe(isEnding);
  });

  it.each<[object, string | undefined, number | undefined]>([
    [{ details: { retryAfterSeconds: 7 } }, undefined, 7000],
    [{ details: { retryAfterSeconds: 7 } }, '3', 7000],
    [{}, '3', 3000],
    [{}, 'Wed, 21 Oct 2026 07:28:00 GMT', undefined],
    [{}, '-1', undefined],
    [{}, undefined, undefined],
  ])('with the body %j and the header %s is tried again after %s ms', (body, header, ms) => {
    const error = errorFromAnswer('GET /x', 429, body, header);
    expect([error.retry, error.retryAfterMs]).toEqual([ms === undefined ? 'backoff' : 'after', ms]);
  });
});

describe('the path of an object', () => {
  const host = { group: 'metal3.io', version: 'v1alpha1', kind: 'BareMetalHost', plural: 'baremetalhosts' };
  const core = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets' };

  it.each<[string, string]>([
    [pathOf(core), '/api/v1/secrets'],
    [pathOf(core, ''), '/api/v1/secrets'],
    [pathOf(core, 'ns', 'n'), '/api/v1/namespaces/ns/secrets/n'],
    [pathOf(host, 'ns'), '/apis/metal3.io/v1alpha1/namespaces/ns/baremetalhosts'],
    [pathOf(host, 'ns', 'n', 'status'), '/apis/metal3.io/v1alpha1/namespaces/ns/baremetalhosts/n/status'],
    [pathOf(core, '../x', 'a/b'), '/api/v1/namespaces/..%2Fx/secrets/a%2Fb'],
  ])('is %s', (path, expected) => expect(path).toBe(expected));

  it.each([
    ['ns', ''],
    ['ns', '.'],
    ['ns', '..'],
    ['..', 'n'],
  ])('is never that of something else for a name that no object has (%s/%s)', (namespace, name) => {
    for (const kind of [core, host])
      expect(() => pathOf(kind, namespace, name)).toThrow(expect.objectContaining({ code: 'KUBE_NOT_FOUND' }));
  });

  it('and its key lead to each other', () => {
    expect(parseKey(keyOf({ metadata: { namespace: 'ns', name: 'n' } }))).toEqual({ namespace: 'ns', name: 'n' });
    expect(keyOf({ metadata: { name: 'n' } })).toBe('/n');
  });
});
