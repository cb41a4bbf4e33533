/** Probes and metrics over plain HTTP: `/healthz` the process is alive, `/readyz` it can work, `/metrics` for Prometheus. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { InputError } from '../errors.js';
import type { Metrics } from './metrics.js';

export interface Listening {
  readonly port: number;
  stop(): Promise<void>;
}

type Route = () => Promise<{ status: number; type?: string; body: string }>;

/** `:9440`, `127.0.0.1:9440`, `[::1]:9440`. @throws InputError for anything else. */
export function parseListenAddress(text: string, field: string): { host: string | undefined; port: number } {
  const [, host = '', port = ''] = /^(\[[0-9a-fA-F:.]+\]|[^:]*):(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new InputError(
      field,
      `"${text}" is no address to listen on`,
      'write it like :9440 or 127.0.0.1:9440, or 0 for none',
    );
  }
  return { host: host === '' ? undefined : host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

export function probes(isAlive: () => boolean, isReady: () => boolean): Record<string, Route> {
  const answer =
    (isWell: () => boolean): Route =>
    () =>
      Promise.resolve(isWell() ? { status: 200, body: 'ok' } : { status: 500, body: 'not ok' });
  return { '/healthz': answer(isAlive), '/readyz': answer(isReady) };
}

export function metricsRoute({ registry }: Metrics): Record<string, Route> {
  return {
    '/metrics': async () => ({ status: 200, type: registry.contentType, body: await registry.metrics() }),
  };
}

export async function listen(address: string, field: string, routes: Record<string, Route>): Promise<Listening> {
  const { host, port } = parseListenAddress(address, field);
  const server = http.createServer((request, response) => {
    const route = request.method === 'GET' ? routes[(request.url ?? '').split('?')[0] ?? ''] : undefined;
    void answer(route, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new InputError(
          field,
          `${address} cannot be listened on: ${error.message}`,
          'give another address, or 0 for none',
        ),
      );
    });
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(route: Route | undefined, response: http.ServerResponse): Promise<void> {
  const {
    status,
    type = 'text/plain; charset=utf-8',
    body,
  } = route === undefined ? { status: 404, body: 'not found' } : await route();
  response.writeHead(status, { 'content-type': type });
  response.end(body);
}
