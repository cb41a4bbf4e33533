import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock, Random } from '../../clock.js';
import { messageOf } from '../../errors.js';
import { ApiError, clientError, serverError, unauthorized } from './api-error.js';
import type { ApiRule } from './fault-schema.js';
import type { FaultTable } from './fault-table.js';
import type { Json } from './json.js';
import { requestedVersion, type VersionRange } from './microversion.js';
import type { RequestCounts } from './request-counts.js';
import type { Answer, Router } from './router.js';
import { randomUuid } from './stamps.js';

export interface BasicAuth {
  username: string;
  password: string;
}

export interface ServerParts {
  router: Router;
  versions: VersionRange;
  basicAuth: BasicAuth | undefined;
  faults: FaultTable;
  counts: RequestCounts;
  clock: Clock;
  random: Random;
  /** Milliseconds out of seconds, scaled like all times of the server. */
  scaled(seconds: number): number;
  onWarning(text: string): void;
}

/** Longest body that is read, in bytes. */
const maxBody = 32 * 1024 * 1024;

/** The HTTP side: authentication, versions, faults of the API itself, bodies and error texts. */
export class ApiServer {
  private server: Server | null = null;
  private baseUrl = '';
  private stopping = new AbortController();

  constructor(private readonly parts: ServerParts) {}

  async start(host: string, port: number): Promise<{ baseUrl: string; port: number }> {
    this.stopping = new AbortController();
    const server = createServer((request, response) => void this.serve(request, response));
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    const bound = (server.address() as AddressInfo).port;
    this.baseUrl = `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
    return { baseUrl: this.baseUrl, port: bound };
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    this.stopping.abort();
    if (!server) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const fault = this.parts.faults.takeApi(request.method ?? 'GET', url.pathname);
      if (fault && (await this.disturb(fault, request.socket))) return;
      const answer = await this.answer(request, response, url, fault);
      this.write(response, answer);
    } catch (error) {
      if (this.stopping.signal.aborted) request.socket.destroy();
      else this.write(response, this.errorAnswer(error));
    }
  }

  /** Faults of the connection; whether nothing more is to be answered. */
  private async disturb(fault: ApiRule, socket: Socket): Promise<boolean> {
    if (fault.delaySeconds !== undefined) {
      await this.parts.clock.sleep(this.parts.scaled(fault.delaySeconds), this.stopping.signal);
    }
    if (fault.reset) socket.resetAndDestroy();
    return Boolean(fault.reset ?? fault.hang);
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    fault: ApiRule | null,
  ): Promise<Answer> {
    const { router, counts, versions } = this.parts;
    const method = request.method ?? 'GET';
    const body = await readBody(request);
    const isOpen = /^\/(v1\/?)?$/.test(url.pathname) && method === 'GET';
    if (fault?.status !== undefined) {
      throw clientError(fault.status, fault.text ?? `The request failed with an injected status ${fault.status}.`);
    }
    if (!isOpen) this.authorize(request.headers.authorization);
    const { route, params } = router.match(method, url.pathname);
    counts.add(`${method} ${route.template}`);
    const minor = route.template === '/' ? versions.max : requestedVersion(request.headers, versions);
    response.setHeader('X-OpenStack-Ironic-API-Version', `1.${minor}`);
    return route.handle({
      method,
      params,
      query: url.searchParams,
      body: parseBody(body),
      minor,
      baseUrl: this.baseUrl,
    });
  }

  private authorize(header: string | undefined): void {
    const { basicAuth } = this.parts;
    if (!basicAuth) return;
    const wanted = `Basic ${Buffer.from(`${basicAuth.username}:${basicAuth.password}`).toString('base64')}`;
    const digest = (text: string) => createHash('sha256').update(text).digest();
    if (!timingSafeEqual(digest(header ?? ''), digest(wanted))) throw unauthorized();
  }

  private errorAnswer(error: unknown): Answer {
    if (error instanceof ApiError) return { status: error.status, body: error.body };
    this.parts.onWarning(`The embedded Ironic failed on a request: ${messageOf(error)}`);
    return { status: 500, body: serverError('Internal error').body };
  }

  private write(response: ServerResponse, answer: Answer): void {
    const { versions, random } = this.parts;
    const id = `req-${randomUuid(random)}`;
    response.setHeader('Server', 'ironic_api');
    response.setHeader('Openstack-Request-Id', id);
    response.setHeader('X-Openstack-Request-Id', id);
    response.setHeader('X-OpenStack-Ironic-API-Minimum-Version', `1.${versions.min}`);
    response.setHeader('X-OpenStack-Ironic-API-Maximum-Version', `1.${versions.max}`);
    if (answer.status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="Baremetal API"');
    if (answer.location !== undefined) response.setHeader('Location', answer.location);
    const body = answer.body === undefined ? '' : JSON.stringify(answer.body);
    if (body !== '') response.setHeader('Content-Type', 'application/json');
    if (answer.status !== 204) response.setHeader('Content-Length', Buffer.byteLength(body));
    response.statusCode = answer.status;
    response.end(body);
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBody) throw clientError(413, 'Request body too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What is no JSON is answered with 500 and the words of Python's decoder, as the real server does. */
function parseBody(text: string): Json | undefined {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    const position = /at position (\d+)/.exec(messageOf(error))?.[1] ?? String(text.length);
    const before = text.slice(0, Number(position));
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    throw serverError(`Expecting value: line ${line} column ${column} (char ${position})`);
  }
}
