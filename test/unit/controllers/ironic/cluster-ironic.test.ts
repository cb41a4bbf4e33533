import { describe, expect, it } from '@jest/globals';
import { ClusterIronic, ironicKind } from '../../../../src/controllers/ironic/index.js';
import { pathOf, type KindRef, type KubeObject, type ObjectKey } from '../../../../src/kube/index.js';

const ready = { type: 'Ready', status: 'True', observedGeneration: 3 };
const ironic = (spec: object = {}, conditions: object[] = [ready]) => ({
  metadata: { name: 'ironic', namespace: 'metal', generation: 3 },
  spec: { apiCredentialsName: 'login', ...spec },
  status: { conditions },
});
const secret = (values: Record<string, string>) => ({
  metadata: { name: 's' },
  data: Object.fromEntries(Object.entries(values).map(([key, text]) => [key, Buffer.from(text).toString('base64')])),
});

const login = { '/api/v1/namespaces/metal/secrets/login': secret({ username: 'u', password: ' p\n' }) };
const object = '/apis/ironic.metal3.io/v1alpha1/namespaces/metal/ironics/ironic';

function read(objects: Record<string, object>) {
  const get = <T extends KubeObject>(kind: KindRef, { namespace, name }: ObjectKey): Promise<T | undefined> =>
    Promise.resolve(objects[pathOf(kind, namespace, name)] as T | undefined);
  return new ClusterIronic({ get }, { namespace: 'metal', name: 'ironic' }).read();
}

describe('the Ironic of a cluster', () => {
  it('is met at its Service, with its credentials as they are', async () => {
    expect(await read({ [object]: ironic(), ...login })).toEqual({
      endpoint: 'http://ironic.metal.svc',
      auth: { username: 'u', password: ' p\n' },
      ca: undefined,
    });
    expect(ironicKind.plural).toBe('ironics');
  });

  it('is met by https where it has a certificate, which is trusted if it is shown', async () => {
    const secure = ironic({ tls: { certificateName: 'cert' } });
    const cert = (values: Record<string, string>) => ({ '/api/v1/namespaces/metal/secrets/cert': secret(values) });
    expect(await read({ [object]: secure, ...login, ...cert({ 'tls.crt': 'PEM' }) })).toMatchObject({
      endpoint: 'https://ironic.metal.svc',
      ca: 'PEM',
    });
    expect(await read({ [object]: secure, ...login, ...cert({}) })).toMatchObject({
      endpoint: 'https://ironic.metal.svc',
      ca: undefined,
    });
    await expect(read({ [object]: secure, ...login })).rejects.toThrow(
      'the Secret cert of the Ironic object metal/ironic',
    );
  });

  it.each([
    ['does not exist', undefined],
    ['is not reconciled yet', ironic({}, [])],
    ['is not reconciled yet', ironic({}, [{ ...ready, observedGeneration: 2 }])],
    ['is not reconciled yet', { ...ironic(), status: undefined }],
    ['is not ready: database is down', ironic({}, [{ ...ready, status: 'False', message: 'database is down' }])],
    ['names no apiCredentialsName', ironic({ apiCredentialsName: '' })],
    ['login of the Ironic object metal/ironic does not exist', ironic()],
  ])('cannot be used when it %s', async (problem, found) => {
    await expect(read(found === undefined ? {} : { [object]: found })).rejects.toMatchObject({
      message: expect.stringContaining(problem),
      retry: 'backoff',
    });
  });

  it.each(['username', 'password'])('needs the %s of its Secret', async (key) => {
    const values = { username: 'u', password: 'p', [key]: '' };
    const half = { '/api/v1/namespaces/metal/secrets/login': secret(values) };
    await expect(read({ [object]: ironic(), ...half })).rejects.toThrow(`has no ${key}`);
  });
});
