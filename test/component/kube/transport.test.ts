import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  HttpTransport,
  KubeApi,
  KubeError,
  parseKubeConfig,
  RateLimiter,
  secretKind,
} from '../../../src/kube/index.js';
import { FakeClock, settle } from '../../support/fake-clock.js';

const token = 'a-token-that-nobody-may-see';
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let answer: Answer;
let requests: IncomingMessage[];
let clock: FakeClock;
let transport: HttpTransport;

beforeEach(async () => {
  requests = [];
  clock = new FakeClock();
  server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  transport = transportTo((server.address() as AddressInfo).port);
});
afterEach(async () => {
  transport.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function transportTo(port: number): HttpTransport {
  const config = parseKubeConfig(
    `
apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "http://127.0.0.1:${port}/base/", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {token: "${token}"}}]
`,
    clock,
  );
  return new HttpTransport(config, { clock, timeoutMs: 30_000, userAgent: 'ironchart-test' });
}

function says(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}

const spec = { method: 'GET', path: '/api/v1/secrets' } as const;

async function failure(promise: Promise<unknown>): Promise<KubeError> {
  const error = await promise.then(
    () => new Error('it went through'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(KubeError);
  // With its cause, its stack and all that hangs on it.
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(token);
  return error as KubeError;
}

async function lines(options: { signal?: AbortSignal; silenceMs?: number } = {}): Promise<string[]> {
  const seen: string[] = [];
  const { signal, silenceMs = 5000 } = options;
  for await (const line of transport.lines({ ...spec, signal }, silenceMs)) seen.push(line);
  return seen;
}

describe('a request', () => {
  it('carries the token, the path below the address of the server, the query and the body', async () => {
    answer = says(200, '{"ok":true}');
    const query = { a: 'x y', b: undefined };
    expect(
      await transport.request({
        method: 'PATCH',
        path: '/p',
        query,
        body: { a: 1 },
        contentType: 'application/merge-patch+json',
      }),
    ).toEqual({ ok: true });
    expect([requests[0]?.method, requests[0]?.url]).toEqual(['PATCH', '/base/p?a=x+y']);
    expect(requests[0]?.headers).toMatchObject({
      ...{ authorization: `Bearer ${token}`, accept: 'application/json', 'user-agent': 'ironchart-test' },
      ...{ 'content-type': 'application/merge-patch+json', 'content-length': '7' },
    });
  });

  it.each<[string, Answer, string, RegExp]>([
    ['409 of a conflict', says(409, '{"reason":"Conflict","message":"changed"}'), 'KUBE_CONFLICT', /409 changed$/],
    ['409 of a name taken', says(409, '{"reason":"AlreadyExists"}'), 'KUBE_ALREADY_EXISTS', /409 AlreadyExists$/],
    ['410', says(410, '{"reason":"Expired","message":"too old"}'), 'KUBE_GONE', /too old$/],
    ['401', says(401, '{"message":"Unauthorized"}'), 'KUBE_FORBIDDEN', /Unauthorized$/],
    [
      'an error page',
      says(502, '<html>\n<h1>Bad Gateway</h1>', { 'content-type': 'text/html' }),
      'KUBE_UNAVAILABLE',
      /502 <html> <h1>Bad Gateway/,
    ],
    ['a redirect', says(302, '', { location: '/login' }), 'KUBE_UNAVAILABLE', /302/],
    [
      "a proxy's page with 200",
      says(200, '<html>Log in</html>', { 'content-type': 'text/html' }),
      'KUBE_UNAVAILABLE',
      /200 with an answer that is no JSON$/,
    ],
    [
      'broken JSON',
      says(200, '{"data":{"password":"c2VjcmV0"}'),
      'KUBE_UNAVAILABLE',
      /200 with an answer that is no JSON$/,
    ],
    [
      'a connection that breaks',
      (request) => request.socket.destroy(),
      'KUBE_UNAVAILABLE',
      /socket hang up|ECONNRESET/,
    ],
  ])('that meets %s fails with a class of its own', async (_what, given, code, message) => {
    answer = given;
    const error = await failure(transport.request(spec));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    expect(error.message).toMatch(/^GET \/api\/v1\/secrets: /);
    expect(inspect(error, { depth: 20 })).not.toContain('c2VjcmV0');
  });

  it.each<[string, string, Record<string, string>, number | undefined]>([
    ['in the body', '{"details":{"retryAfterSeconds":3}}', {}, 3000],
    ['in the header alone', 'Too many requests', { 'content-type': 'text/plain', 'retry-after': '2' }, 2000],
    ['nowhere', '{}', {}, undefined],
  ])('that is one too many is tried again when the server says so %s', async (_where, body, headers, ms) => {
    answer = says(429, body, headers);
    const error = await failure(transport.request(spec));
    expect([error.code, error.retry, error.retryAfterMs]).toEqual([
      'KUBE_BUSY',
      ms === undefined ? 'backoff' : 'after',
      ms,
    ]);
  });

  it('that nobody answers is given up in time', async () => {
    answer = () => undefined;
    const failed = failure(transport.request(spec));
    await settle(20);
    await clock.advanceAsync(30_000);
    expect(await failed).toMatchObject({ code: 'KUBE_UNAVAILABLE', message: 'GET /api/v1/secrets: no answer in time' });
    expect(clock.waiting).toBe(0);
  });

  it('whose answer stops half-way is given up in time', async () => {
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"half":');
    };
    const failed = failure(transport.request(spec));
    await settle(20);
    await clock.advanceAsync(30_000);
    expect((await failed).message).toMatch(/no answer in time$/);
  });

  it('to a port where nobody listens is refused', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    expect(await failure(transportTo(port).request(spec))).toMatchObject({
      code: 'KUBE_UNAVAILABLE',
      retry: 'backoff',
    });
  });

  it('that its caller gives up fails with the reason of the caller', async () => {
    answer = () => undefined;
    const controller = new AbortController();
    const asked = transport.request({ ...spec, signal: controller.signal });
    await settle(20);
    controller.abort(new Error('the pass is over'));
    await expect(asked).rejects.toThrow('the pass is over');
  });

  it('answered by an empty body is no error', async () => {
    answer = says(200, '');
    expect(await transport.request(spec)).toEqual({});
  });
});

describe('an endless answer', () => {
  const stream = (write: (response: ServerResponse) => void): Answer => {
    return (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      write(response);
    };
  };

  it('comes line by line, also where lines are cut across packets, and ends when the server ends it', async () => {
    answer = stream((response) => {
      response.write('{"a":1}\n{"b":');
      setImmediate(() => response.end('2}\r\n{"c":"ä"}\n'));
    });
    expect(await lines()).toEqual(['{"a":1}', '{"b":2}', '{"c":"ä"}']);
    expect(clock.waiting).toBe(0);
  });

  it('that breaks off is an error, not an end', async () => {
    answer = stream((response) => {
      response.write('{"a":1}\n');
      setImmediate(() => response.destroy());
    });
    expect((await failure(lines())).message).toMatch(/the connection broke|aborted|ECONNRESET/);
  });

  it.each<[number, string, string]>([
    [410, '{"reason":"Expired"}', 'KUBE_GONE'],
    [403, 'forbidden, says a proxy', 'KUBE_FORBIDDEN'],
    [500, '', 'KUBE_UNAVAILABLE'],
  ])('refused with %i is an error of its class', async (status, body, code) => {
    answer = says(status, body);
    expect((await failure(lines())).code).toBe(code);
  });

  it('that falls silent counts as dead; every byte puts that off', async () => {
    let out: ServerResponse | undefined;
    answer = stream((response) => {
      out = response;
      response.write('\n');
    });
    const failed = failure(lines({ silenceMs: 1000 }));
    await settle(20);
    for (let times = 0; times < 3; times += 1) {
      await clock.advanceAsync(900);
      out?.write('{"still":"here"}\n');
      await settle(20);
    }
    await clock.advanceAsync(999);
    expect(clock.waiting).toBe(1);
    await clock.advanceAsync(1);
    expect((await failed).message).toMatch(/no answer in time$/);
    expect(clock.waiting).toBe(0);
  });

  it('ends at once when its caller has had enough', async () => {
    answer = stream((response) => response.write('{"a":1}\n'));
    const controller = new AbortController();
    const reading = lines({ signal: controller.signal });
    await settle(20);
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(clock.waiting).toBe(0);
  });

  it('is closed when nobody reads on', async () => {
    let isClosed = false;
    answer = stream((response) => {
      response.on('close', () => (isClosed = true));
      response.write('{"a":1}\n{"a":2}\n');
    });
    for await (const line of transport.lines(spec, 1000)) {
      expect(line).toBe('{"a":1}');
      break;
    }
    await settle(20);
    expect([isClosed, clock.waiting]).toEqual([true, 0]);
  });
});

describe('the calls', () => {
  const call = (mayWrite = true) => new KubeApi(transport, new RateLimiter(clock, 0, 0), 'ironchart', () => mayWrite);
  const key = { namespace: 'ns', name: 'n' };

  it('take an object that is gone for undefined, and its deletion for done', async () => {
    answer = says(404, '{"reason":"NotFound"}');
    expect(await call().get(secretKind, key)).toBeUndefined();
    await call().delete(secretKind, key);
    expect((await failure(call().patch(secretKind, key, {}))).code).toBe('KUBE_NOT_FOUND');
  });

  it('take a list without items for an empty one', async () => {
    answer = says(200, '{"metadata":{"resourceVersion":"7"},"items":null}');
    expect(await call().list(secretKind, {})).toEqual({ items: [], resourceVersion: '7', continueToken: '' });
  });

  it('write nothing without the lease, and still read', async () => {
    answer = says(200, '{"metadata":{"name":"n"}}');
    const fenced = call(false);
    for (const write of [
      () => fenced.create(secretKind, { metadata: key }),
      () => fenced.patch(secretKind, key, {}),
      () => fenced.delete(secretKind, key),
    ]) {
      expect(await failure(write())).toMatchObject({ code: 'KUBE_NOT_LEADER', retry: 'never' });
    }
    expect(requests).toEqual([]);
    expect(await fenced.get(secretKind, key)).toBeDefined();
  });
});
