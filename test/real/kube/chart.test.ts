/** What the Helm chart renders, on a real API server: it is all taken, and its account can do what the webhooks need. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { SystemClock } from '../../../src/clock.js';
import { HttpTransport, KubeApi, parseKubeConfig, RateLimiter, secretKind } from '../../../src/kube/index.js';
import { configurationKind, OwnAuthority, serviceNames } from '../../../src/webhooks/index.js';
import { chartCrds } from '../../support/kube-api/chart-crds.js';
import type { Json } from '../../support/kube-api/client.js';
import { Cluster } from './cluster.js';

const root = resolve(import.meta.dirname, '../../..');
const namespace = 'ironchart-system';
const watched = ['metal-a', 'metal-b'];
const service = { namespace, name: 'ironchart-webhook' };
const configuration = `ironchart-${namespace}`;
const cluster = Cluster.here();
const clock = new SystemClock();

function render(): string {
  const helm = join(root, '.cache/helm/helm3');
  if (!existsSync(helm)) throw new Error('there is no Helm: `npm run helm` fetches it');
  const chart = join(root, 'charts/ironchart');
  const args = [
    'template',
    'ironchart',
    chart,
    '--namespace',
    namespace,
    '--values',
    join(chart, 'ci/namespaced.yaml'),
  ];
  return execFileSync(helm, args, { encoding: 'utf8' });
}

function kubectl(input: string, ...args: string[]): string {
  const config = ['--kubeconfig', cluster.kubeconfigFile('admin')];
  return execFileSync('kubectl', [...config, ...args], { input, encoding: 'utf8' });
}

describe('the chart on a real API server', () => {
  let manifests: string;
  let applied: string;
  let transport: HttpTransport;
  let api: KubeApi;
  const bundles = async () => {
    const { webhooks } = (await api.get(configurationKind, { namespace: '', name: configuration })) as Json;
    return (webhooks as Json[]).map(({ clientConfig }) => clientConfig.caBundle as string | undefined);
  };
  const authority = () =>
    new OwnAuthority(api, clock, { secret: service, dnsNames: serviceNames(service), configuration });

  beforeAll(async () => {
    await cluster.define(chartCrds());
    for (const name of [namespace, ...watched]) await cluster.client.post('/api/v1/namespaces', { metadata: { name } });
    manifests = render();
    applied = kubectl(manifests, 'apply', '--server-side', '-f', '-');
    const account = `/api/v1/namespaces/${namespace}/serviceaccounts/ironchart/token`;
    const { body } = await cluster.client.post(account, { spec: { expirationSeconds: 3600 } });
    const access = parseKubeConfig(cluster.kubeconfigFor('ironchart', body.status.token as string), clock);
    transport = new HttpTransport(access, { clock, timeoutMs: 10_000, userAgent: 'test' });
    api = new KubeApi(transport, new RateLimiter(clock, 0, 0), 'test');
  });
  afterAll(async () => {
    transport.close();
    kubectl(manifests, 'delete', '--wait=false', '-f', '-');
    for (const name of [namespace, ...watched]) await cluster.client.delete(`/api/v1/namespaces/${name}`);
  });

  it('is taken as a whole', () => {
    const objects = parseAllDocuments(manifests).filter((document) => document.toJS() !== null);
    expect(applied.trim().split('\n')).toHaveLength(objects.length);
    expect(applied).toContain(`validatingwebhookconfiguration.admissionregistration.k8s.io/${configuration}`);
  });

  it('lets its account make a certificate, keep it, and have it trusted', async () => {
    expect(await bundles()).toEqual(Array.from({ length: 6 }, () => undefined));
    const made = await authority().read();
    const { data } = (await api.get(secretKind, service)) as Json;
    expect(Buffer.from(data['tls.crt'] as string, 'base64').toString()).toBe(made.certificate);
    expect(new Set(await bundles())).toEqual(new Set([data['ca.crt']]));
  });

  it('leaves the certificate alone when it is applied again', async () => {
    const before = [(await api.get(secretKind, service))!.data, await bundles()];
    kubectl(manifests, 'apply', '--server-side', '-f', '-');
    expect([(await api.get(secretKind, service))!.data, await bundles()]).toEqual(before);
  });

  it('lets its account touch no other Secret beside it, and no other configuration', async () => {
    await cluster.client.post(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: 'other' } });
    const denied = { code: 'KUBE_FORBIDDEN' };
    await expect(api.get(secretKind, { namespace, name: 'other' })).rejects.toMatchObject(denied);
    await expect(api.patch(secretKind, { namespace, name: 'other' }, {})).rejects.toMatchObject(denied);
    await expect(api.get(configurationKind, { namespace: '', name: 'other' })).rejects.toMatchObject(denied);
    await expect(api.list(configurationKind, {})).rejects.toMatchObject(denied);
  });
});
