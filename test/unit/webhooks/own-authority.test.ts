import { describe, expect, it } from '@jest/globals';
import { KubeError, type KindRef, type KubeObject } from '../../../src/kube/index.js';
import { OwnAuthority, serviceNames } from '../../../src/webhooks/index.js';
import { FakeClock } from '../../support/fake-clock.js';

const secret = { namespace: 'metal', name: 'hooks' };
const options = { secret, dnsNames: serviceNames({ namespace: 'metal', name: 'hook' }), configuration: 'rules' };

/** The two objects, with the conflicts of an API server. */
class Cluster {
  readonly objects = new Map<string, KubeObject>();
  readonly writes: string[] = [];
  #version = 1;

  constructor() {
    this.put('secrets', { metadata: { name: 'hooks', namespace: 'metal' } });
    const webhook = (name: string) => ({
      name,
      clientConfig: { service: { name: 'hook', namespace: 'metal' } },
      sideEffects: 'None',
    });
    this.put('validatingwebhookconfigurations', {
      metadata: { name: 'rules' },
      webhooks: [webhook('a'), webhook('b')],
    });
  }

  put(plural: string, object: KubeObject): void {
    const metadata = { ...object.metadata, resourceVersion: String((this.#version += 1)) };
    this.objects.set(plural, { ...object, metadata });
  }

  get<T extends KubeObject>({ plural }: KindRef): Promise<T | undefined> {
    return Promise.resolve(this.objects.get(plural) as T | undefined);
  }

  patch<T extends KubeObject>({ plural }: KindRef, _key: object, patch: object): Promise<T> {
    const current = this.objects.get(plural)!;
    const { metadata, ...rest } = patch as KubeObject;
    if (metadata.resourceVersion !== current.metadata.resourceVersion) {
      return Promise.reject(new KubeError('KUBE_CONFLICT', 'changed meanwhile', {}));
    }
    this.put(plural, { ...current, ...rest });
    this.writes.push(plural);
    return Promise.resolve(this.objects.get(plural) as T);
  }

  get bundles(): (string | undefined)[] {
    const { webhooks } = this.objects.get('validatingwebhookconfigurations') as unknown as {
      webhooks: { clientConfig: { caBundle?: string } }[];
    };
    return webhooks.map(({ clientConfig }) => clientConfig.caBundle);
  }
}

describe('an authority in a cluster', () => {
  it('is made once, kept in the Secret, and trusted by every webhook', async () => {
    const cluster = new Cluster();
    const authority = new OwnAuthority(cluster, new FakeClock(), options);
    const first = await authority.read();
    expect(cluster.writes).toEqual(['secrets', 'validatingwebhookconfigurations']);
    const data = (cluster.objects.get('secrets') as unknown as { data: Record<string, string> }).data;
    expect(Object.keys(data).sort()).toEqual(['ca.crt', 'ca.key', 'tls.crt', 'tls.key']);
    expect(Buffer.from(data['tls.key']!, 'base64').toString()).toBe(first.key);
    expect(cluster.bundles).toEqual([data['ca.crt'], data['ca.crt']]);
    expect(await authority.read()).toEqual(first);
    expect(cluster.writes).toHaveLength(2);
    expect(cluster.objects.get('validatingwebhookconfigurations')).toMatchObject({
      webhooks: [{ name: 'a', sideEffects: 'None', clientConfig: { service: { name: 'hook' } } }, { name: 'b' }],
    });
  });

  it('is the same for replicas that start at once', async () => {
    const cluster = new Cluster();
    const replicas = [1, 2, 3].map(() => new OwnAuthority(cluster, new FakeClock(), options));
    await Promise.all(replicas.map((one) => one.read()));
    const [first, ...others] = await Promise.all(replicas.map((one) => one.read()));
    for (const other of others) expect(other).toEqual(first);
    expect(cluster.writes.filter((one) => one === 'secrets')).toHaveLength(1);
  });

  it('is trusted anew after somebody has overwritten the configuration', async () => {
    const cluster = new Cluster();
    const authority = new OwnAuthority(cluster, new FakeClock(), options);
    await authority.read();
    const webhooks = [{ name: 'a', clientConfig: { caBundle: 'b2xk' } }];
    cluster.put('validatingwebhookconfigurations', { metadata: { name: 'rules' }, webhooks });
    await authority.read();
    expect(cluster.bundles).toEqual([
      (cluster.objects.get('secrets') as unknown as { data: Record<string, string> }).data['ca.crt'],
    ]);
  });

  it('renews what is due', async () => {
    const cluster = new Cluster();
    const clock = new FakeClock();
    const authority = new OwnAuthority(cluster, clock, options);
    const first = await authority.read();
    clock.advance(61 * 86_400_000);
    expect(await authority.read()).not.toEqual(first);
  });

  it.each([
    ['secrets', /Secret metal\/hooks/],
    ['validatingwebhookconfigurations', /ValidatingWebhookConfiguration rules/],
  ])('says what to do when there are no %s', async (plural, message) => {
    const cluster = new Cluster();
    cluster.objects.delete(plural);
    await expect(new OwnAuthority(cluster, new FakeClock(), options).read()).rejects.toThrow(message);
  });

  it('gives up when it is never the first', async () => {
    const cluster = new Cluster();
    const patch = () => Promise.reject(new KubeError('KUBE_CONFLICT', 'changed meanwhile', {}));
    const authority = new OwnAuthority({ get: cluster.get.bind(cluster), patch }, new FakeClock(), options);
    await expect(authority.read()).rejects.toThrow('changed meanwhile');
  });
});
