/** A scripted Ironic on loopback: says what it is told to say, and remembers what it was asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  readonly method: string;
  /** With its query, as on the wire. */
  readonly path: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test looks into it as it likes
  readonly body: any;
  readonly headers: IncomingMessage['headers'];
}

export interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

export type Responder = Answer | ((request: RecordedRequest) => Answer | Promise<Answer>);

export const nodeUUID = '33ce8659-7400-4c68-9535-d10766f07a58';

export class MockIronic {
  readonly requests: RecordedRequest[] = [];
  readonly #routes = new Map<string, Responder[]>();
  readonly #server: Server;

  private constructor(readonly version: string) {
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.on('GET', '/v1/', { body: versionDocument(version) });
    this.on('GET', '/v1/drivers', { body: { drivers: [{ name: 'fake-hardware', hosts: ['conductor'] }] } });
  }

  static async start(version = '1.95'): Promise<MockIronic> {
    const mock = new MockIronic(version);
    await new Promise<void>((resolve) => mock.#server.listen(0, '127.0.0.1', resolve));
    return mock;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get endpoint(): string {
    return `${this.origin}/v1/`;
  }

  /** Answers of one route come in turn; the last one stays. A path without query matches any query. */
  on(method: string, path: string, ...answers: Responder[]): this {
    this.#routes.set(`${method} ${path}`, answers);
    return this;
  }

  /** A node that can be read by uuid and name, patched, and commanded. */
  node(fields: Record<string, unknown> & { uuid?: string; name?: string } = {}): this {
    const node = { uuid: nodeUUID, name: 'myns~myhost', ...fields };
    const path = `/v1/nodes/${node.uuid}`;
    if (node.name) this.on('GET', `/v1/nodes/${node.name}`, { body: node });
    return this.on('GET', path, { body: node })
      .on('PATCH', path, ({ body }) => ({ body: patched(node, body as PatchOperation[]) }))
      .on('DELETE', path, { status: 204 })
      .on('PUT', `${path}/states/provision`, { status: 202, body: {} })
      .on('PUT', `${path}/states/power`, { status: 202, body: {} })
      .on('PUT', `${path}/maintenance`, { status: 202, body: {} })
      .on('DELETE', `${path}/maintenance`, { status: 202, body: {} })
      .on('GET', `${path}/validate`, { body: { boot: { result: true }, deploy: { result: true } } });
  }

  absent(...names: string[]): this {
    for (const name of names) this.on('GET', `/v1/nodes/${name}`, { status: 404 });
    return this;
  }

  ports(...ports: object[]): this {
    return this.on('GET', '/v1/ports', { body: { ports } }).on('POST', '/v1/ports', ({ body }) => ({
      status: 201,
      body: { uuid: 'port', ...body },
    }));
  }

  /** What was asked, without the two requests of readiness. Paths are relative to /v1/. */
  sequence(): string[] {
    return this.requests.map(({ method, path }) => `${method} ${path.slice('/v1/'.length)}`).filter(isNoReadiness);
  }

  last(method: string, path: string): RecordedRequest {
    const found = this.requests.findLast((r) => r.method === method && r.path === `/v1/${path}`);
    if (!found) throw new Error(`no ${method} ${path} among ${this.sequence().join(', ')}`);
    return found;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of message) text += String(chunk);
    const [method, path] = [message.method ?? '', message.url ?? ''];
    const request = { method, path, headers: message.headers, body: text === '' ? undefined : JSON.parse(text) };
    this.requests.push(request);
    const { status = 200, body, headers } = await this.#answer(request);
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  }

  async #answer(request: RecordedRequest): Promise<Answer> {
    const path = request.path.split('?')[0]!;
    const responders =
      this.#routes.get(`${request.method} ${request.path}`) ?? this.#routes.get(`${request.method} ${path}`);
    // An unexpected request must show in the test, not look like an answer of Ironic.
    if (!responders) return { status: 501, body: { error_message: `no answer for ${request.method} ${request.path}` } };
    const next = responders.length > 1 ? responders.shift()! : responders[0]!;
    return typeof next === 'function' ? next(request) : next;
  }
}

function versionDocument(version: string) {
  return { id: 'v1', version: { id: 'v1', status: 'CURRENT', min_version: '1.1', version } };
}

const isNoReadiness = (line: string) => line !== 'GET ' && line !== 'GET drivers';

interface PatchOperation {
  op: string;
  path: string;
  value?: unknown;
}

function patched(node: Record<string, unknown>, operations: PatchOperation[]): Record<string, unknown> {
  const copy = structuredClone(node);
  for (const { op, path, value } of operations) {
    const names = path.slice(1).split('/');
    const last = names.pop()!;
    let target = copy;
    for (const name of names) target = (target[name] ??= {}) as Record<string, unknown>;
    if (op === 'remove') delete target[last];
    else target[last] = value;
  }
  return copy;
}
