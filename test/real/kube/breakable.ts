/** In front of the API server of this run: refuses what a test wants refused, and hands on the rest. */
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourcePath, verbOf } from '../../../src/embedded/kube/wire/request-path.js';
import type { FaultHook } from '../../../src/embedded/kube/index.js';
import type { Cluster } from './cluster.js';

export interface Breakable {
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** @param token of whoever asks by it */
export async function breakable(cluster: Cluster, fault: FaultHook, token: string): Promise<Breakable> {
  const upstream = new URL(cluster.read('url'));
  const ca = readFileSync(join(cluster.folder, 'pki/ca.crt'));
  const hand = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const broken = faultOf(incoming, fault);
    if (broken === 'drop') return void incoming.socket.destroy();
    if (typeof broken === 'object') {
      outgoing.writeHead(broken.status, { 'content-type': 'application/json' });
      outgoing.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code: broken.status }));
      return;
    }
    const { method, url: path, headers } = incoming;
    const to = { host: upstream.hostname, port: upstream.port, method, path, ca };
    const request = upstream.protocol === 'https:' ? requestHttps : requestHttp;
    const handed = request(
      { ...to, headers: { ...headers, host: upstream.host, authorization: `Bearer ${token}` } },
      (answer) => {
        if (broken === 'dropAfter') return void answer.resume().on('end', () => incoming.socket.destroy());
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    handed.on('error', () => outgoing.destroy());
    // A watch that nobody follows any more.
    outgoing.on('close', () => handed.destroy());
    incoming.pipe(handed);
  };
  const server = createServer(hand);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    kubeconfig: kubeconfigTo(`http://127.0.0.1:${port}`),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function faultOf({ method = 'GET', url = '/' }: IncomingMessage, fault: FaultHook) {
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
