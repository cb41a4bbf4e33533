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
      if (error instanceof ApiError && error.early) response.removeHeader('X-OpenStack-Ironic-API-Version');
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
    const { router, counts } = this.parts;
    const method = request.method ?? 'GET';
    const body = await readBody(request);
    const isOpen = /^\/(v1\/?)?$/.test(url.pathname) && method === 'GET';
    if (fault?.status !== undefined) {
      throw clientError(fault.status, fault.text ?? `The request failed with an injected status ${fault.status}.`);
    }
    if (!isOpen) this.authorize(request.headers.authorization);
    const { route, params } = router.match(method, url.pathname);
    counts.add(`${method} ${route.template}`);
    const minor = this.versionFor(request, route.template);
    response.setHeader('X-OpenStack-Ironic-API-Version', `1.${minor}`);
    return route.handle({
      method,
      params,
      query: url.searchParams,
      body: method === 'PUT' ? leniently(body) : parseBody(body),
      minor,
      baseUrl: this.baseUrl,
    });
  }

  /** The root refuses a version in the form of all other errors. */
  private versionFor({ headers }: IncomingMessage, template: string): number {
    try {
      return requestedVersion(headers, this.parts.versions);
    } catch (error) {
      throw template === '/' && error instanceof ApiError ? clientError(error.status, error.message) : error;
    }
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
    const problem = messageOf(error);
    const position = positionOf(problem, text);
    const before = text.slice(0, position);
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    const wanted = /property name/.test(problem) ? 'property name enclosed in double quotes' : 'value';
    throw serverError(`Expecting ${wanted}: line ${line} column ${column} (char ${position})`);
  }
}

/** Where a text stops being JSON. The decoder does not say it of short texts; it shows the token then. */
function positionOf(problem: string, text: string): number {
  const told = /at position (\d+)/.exec(problem)?.[1];
  if (told !== undefined) return Number(told);
  const token = /^Unexpected token '(.)'/su.exec(problem)?.[1];
  return token === undefined ? text.length : text.indexOf(token);
}

/** Where the body only brings arguments, an unreadable one brings none. */
function leniently(text: string): Json | undefined {
  try {
    return parseBody(text);
  } catch {
    return undefined;
  }
}
