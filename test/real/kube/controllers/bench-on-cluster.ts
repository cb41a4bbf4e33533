/** Object benches on the control plane of this run, each on what looks like an empty one. */
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds } from '../../../../src/apis/index.js';
import { resourcePath, verbOf } from '../../../../src/embedded/kube/wire/request-path.js';
import { type BenchFault, useBenchPlace } from '../../../support/bench-server.js';
import { chartCrds } from '../../../support/kube-api/chart-crds.js';
import type { Json } from '../../../support/kube-api/client.js';
import { Cluster } from '../cluster.js';

/** To be called before the tests of a controller are imported. */
export function benchesOnCluster(): void {
  const cluster = Cluster.here();
  const defined = cluster.define(chartCrds());
  useBenchPlace({
    epoch: Math.floor(Date.now() / 1000) * 1000,
    async start(_clock, fault) {
      await defined;
      await empty(cluster);
      return breakable(cluster, fault);
    },
  });
}

/** Of the namespaces only those that the server has from the start are left alone. */
async function empty(cluster: Cluster): Promise<void> {
  const ours = Object.values(kinds).map(({ plural }) => ['/apis/metal3.io/v1alpha1', plural] as const);
  for (const [root, plural] of [...ours, ['/api/v1', 'secrets'] as const, ['/api/v1', 'events'] as const]) {
    const { body } = await cluster.client.get(`${root}/${plural}`);
    for (const { metadata } of (body as { items: Json[] }).items) {
      const { namespace, name, finalizers } = metadata;
      if (namespace.startsWith('kube-')) continue;
      const path = `${root}/namespaces/${namespace}/${plural}/${name}`;
      if (finalizers !== undefined) await cluster.client.patch(path, { metadata: { finalizers: null } });
      await cluster.client.delete(path);
    }
  }
}

/** In front of the API server: refuses what the test wants refused, and hands on the rest. */
async function breakable(cluster: Cluster, fault: BenchFault) {
  const upstream = new URL(cluster.read('url'));
  const ca = readFileSync(join(cluster.folder, 'pki/ca.crt'));
  const hand = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const broken = faultOf(incoming, fault);
    if (broken !== undefined) {
      outgoing.writeHead(broken.status, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: broken.status }));
      return;
    }
    const { method, url: path, headers } = incoming;
    const to = { host: upstream.hostname, port: upstream.port, method, path, ca };
    const request = upstream.protocol === 'https:' ? requestHttps : requestHttp;
    const handed = request(
      { ...to, headers: { ...headers, host: upstream.host, authorization: `Bearer ${cluster.read('token')}` } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    handed.on('error', () => outgoing.destroy());
    incoming.pipe(handed);
  };
  const server = createServer(hand);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    kubeconfig: kubeconfigTo(`http://127.0.0.1:${port}`),
    passSecond: () => new Promise<void>((resolve) => setTimeout(resolve, 1_000)),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function faultOf({ method = 'GET', url = '/' }: IncomingMessage, fault: BenchFault) {
  const { pathname, searchParams } = new URL(url, 'http://here');
  const path = resourcePath(pathname);
  const verb = path && verbOf(method, path, searchParams);
  if (path === undefined || verb === undefined) return undefined;
  const { group, plural, namespace, name, subresource } = path;
  return fault({ verb, resource: group === '' ? plural : `${plural}.${group}`, namespace, name, subresource });
}

function kubeconfigTo(server: string): string {
  return JSON.stringify({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'test' },
    clusters: [{ name: 'test', cluster: { server } }],
    users: [{ name: 'test', user: {} }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  });
}
