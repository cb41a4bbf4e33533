/**
 * HTTP to the API server. Address, certificates and tokens come with the access to the cluster; the requests are Node's own,
 * since a watch needs to see every byte: the library's informer stops at its first error and its watch drops what it
 * cannot parse.
 */
import http from 'node:http';
import https from 'node:https';
import { createInterface } from 'node:readline';
import type { Clock } from '../clock.js';
import { messageOf } from '../errors.js';
import type { ClusterAccess } from './cluster-access.js';
import { errorFromAnswer, KubeError } from './errors.js';

export interface RequestSpec {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

export interface Transport {
  /** The parsed body of a 2xx answer. @throws KubeError for everything else. */
  request<T>(spec: RequestSpec): Promise<T>;
  /** Lines of an endless answer; ends when the server closes it, throws when it breaks or stays silent too long. */
  lines(spec: RequestSpec, silenceMs: number): AsyncGenerator<string>;
  close(): void;
}

export interface TransportOptions {
  readonly clock: Clock;
  /** Milliseconds until a request without an answer is given up. */
  readonly timeoutMs: number;
  readonly userAgent: string;
}

export class HttpTransport implements Transport {
  #agent: http.Agent | undefined;

  constructor(
    private readonly access: ClusterAccess,
    private readonly options: TransportOptions,
  ) {}

  async request<T>(spec: RequestSpec): Promise<T> {
    const label = `${spec.method} ${spec.path}`;
    const timeout = new AbortController();
    const timer = this.options.clock.after(this.options.timeoutMs, () => timeout.abort());
    try {
      const response = await this.#open(spec, timeout.signal);
      const text = await collect(response);
      const body = parse(text, response.headers['content-type']);
      const status = response.statusCode ?? 0;
      if (status < 200 || status > 299) {
        throw errorFromAnswer(label, status, body ?? excerpt(text), response.headers['retry-after']);
      }
      // A proxy's own page with 200 must not pass for an empty list.
      if (body === undefined && text !== '') throw new Error(`${status} with an answer that is no JSON`);
      return (body ?? {}) as T;
    } catch (error) {
      throw this.#classed(error, label, spec.signal, timeout.signal);
    } finally {
      timer.cancel();
    }
  }

  async *lines(spec: RequestSpec, silenceMs: number): AsyncGenerator<string> {
    const silence = new AbortController();
    let timer = this.options.clock.after(silenceMs, () => silence.abort());
    const label = `${spec.method} ${spec.path}`;
    try {
      const response = await this.#open(spec, silence.signal);
      const status = response.statusCode ?? 0;
      if (status !== 200) {
        const text = await collect(response);
        const { 'content-type': contentType, 'retry-after': retryAfter } = response.headers;
        throw errorFromAnswer(label, status, parse(text, contentType) ?? excerpt(text), retryAfter);
      }
      response.on('data', () => {
        timer.cancel();
        timer = this.options.clock.after(silenceMs, () => silence.abort());
      });
      const reader = createInterface({ input: response, crlfDelay: Infinity });
      // While it is read its errors come out below; once nobody reads on, closing it must not be an uncaught one.
      reader.on('error', () => undefined);
      yield* reader;
      if (!response.complete) throw new Error('the connection broke');
    } catch (error) {
      throw this.#classed(error, label, spec.signal, silence.signal);
    } finally {
      timer.cancel();
      silence.abort();
    }
  }

  close(): void {
    this.#agent?.destroy();
  }

  #classed(error: unknown, label: string, caller: AbortSignal | undefined, timeout: AbortSignal): unknown {
    if (error instanceof KubeError) return error;
    if (caller?.aborted) return caller.reason;
    const why = timeout.aborted ? 'no answer in time' : messageOf(error);
    return new KubeError('KUBE_UNAVAILABLE', `${label}: ${why}`, { cause: error });
  }

  async #open(spec: RequestSpec, timeout: AbortSignal): Promise<http.IncomingMessage> {
    const secure = this.access.server.protocol === 'https:';
    const base = await this.access.requestOptions();
    const body = spec.body === undefined ? undefined : JSON.stringify(spec.body);
    const options: https.RequestOptions = {
      ...base,
      agent: this.#agentFor(base, secure),
      method: spec.method,
      signal: spec.signal === undefined ? timeout : AbortSignal.any([spec.signal, timeout]),
      headers: {
        ...(base.headers as http.OutgoingHttpHeaders),
        accept: 'application/json',
        'user-agent': this.options.userAgent,
        ...(body === undefined
          ? {}
          : { 'content-type': spec.contentType ?? 'application/json', 'content-length': Buffer.byteLength(body) }),
      },
    };
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http).request(this.#url(spec), options, resolve);
      request.on('error', reject);
      request.end(body);
    });
  }

  #url({ path, query = {} }: RequestSpec): URL {
    const { server } = this.access;
    const url = new URL(server.pathname.replace(/\/$/, '') + path, server);
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    return url;
  }

  /** A proxy has an agent of its own; any other is ours, so that connections are kept. */
  #agentFor(base: https.RequestOptions, secure: boolean): http.Agent | undefined {
    const proxy = this.access.agent?.(base);
    if (proxy !== undefined) return proxy;
    const { ca, cert, key, passphrase, pfx, rejectUnauthorized, servername } = base;
    const kept = { keepAlive: true, maxSockets: 64 };
    this.#agent ??= secure
      ? new https.Agent({ ...kept, ca, cert, key, passphrase, pfx, rejectUnauthorized, servername })
      : new http.Agent(kept);
    return this.#agent;
  }
}

async function collect(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Undefined for what is no JSON. The parser's own message would quote the text, which may hold a Secret. */
function parse(text: string, contentType: string | undefined): unknown {
  if (!(contentType ?? '').includes('json')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function excerpt(text: string): { message: string } {
  return { message: text.replace(/\s+/g, ' ').slice(0, 200) };
}
