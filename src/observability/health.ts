/** Probes and metrics over HTTP, or HTTPS with a login: `/healthz` the process is alive, `/readyz` it can work, `/metrics` for Prometheus. */
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { cannotListen, InputError } from '../errors.js';
import type { Metrics } from './metrics.js';

export interface Listening {
  readonly port: number;
  /** Takes another certificate from now on; nothing where there is none. @throws Error for one that does not fit its key */
  readonly renew: (tls: SecureContextOptions) => void;
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

export interface Security {
  readonly tls: SecureContextOptions;
  /** Status of HTTP; anything but 200 is the answer. */
  readonly admit: (request: http.IncomingMessage) => Promise<number>;
}

const refusals: Readonly<Record<number, string>> = { 401: 'unauthorized', 403: 'forbidden' };

export async function listen(
  address: string,
  field: string,
  routes: Record<string, Route>,
  security?: Security,
): Promise<Listening> {
  const { host, port } = parseListenAddress(address, field);
  const serve = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const status = (await security?.admit(request)) ?? 200;
    const refuse = () => Promise.resolve({ status, body: refusals[status] ?? 'the request could not be judged' });
    const route = request.method === 'GET' ? routes[(request.url ?? '').split('?')[0] ?? ''] : undefined;
    await answer(status === 200 ? route : refuse, response);
  };
  const handle: http.RequestListener = (request, response) => void serve(request, response);
  const server = security === undefined ? http.createServer(handle) : https.createServer(security.tls, handle);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(field, address, error, 'give another address, or 0 for none')));
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    renew: (tls) => {
      if (server instanceof https.Server) server.setSecureContext(tls);
    },
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
