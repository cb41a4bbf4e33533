/** HTTP to one Ironic. The only user of got. */
import { Agent as HTTPAgent } from 'node:http';
import { Agent as HTTPSAgent } from 'node:https';
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent';
import { got, RequestError, TimeoutError, type Got, type OptionsOfTextResponseBody, type PlainResponse } from 'got';
import type { Clock } from '../../../clock.js';
import { faultText, secretsOf } from './fault-text.js';
import { codeOfStatus, IronicError } from './ironic-error.js';
import { proxyFor, type ProxySettings } from './proxy.js';
import type { ConnectionMaterial } from './settings.js';

/** One request, as it went: for metrics. */
export interface RequestRecord {
  readonly method: Method;
  /** The path with identifiers replaced, such as `nodes/{id}/states/power`. */
  readonly route: string;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly durationMs: number;
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface Call {
  readonly method: Method;
  /** Relative to the endpoint, without a leading slash; "" is the endpoint itself. */
  readonly path: string;
  readonly route: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly ok: readonly number[];
  /** undefined: a request before versions are known, sent without credentials too. */
  readonly microversion: string | undefined;
  readonly signal?: AbortSignal;
}

export interface TransportOptions {
  readonly endpoint: string;
  readonly timeoutMs: number;
  readonly insecure: boolean;
  /** Absent: requests go straight to Ironic. */
  readonly proxy?: ProxySettings | undefined;
  readonly settings: ConnectionMaterial;
  readonly clock: Clock;
  readonly onRequest?: (record: RequestRecord) => void;
}

export class Transport {
  readonly endpoint: URL;
  readonly #got: Got;
  readonly #agents: { readonly http: HTTPAgent; readonly https: HTTPSAgent };

  constructor(private readonly options: TransportOptions) {
    this.endpoint = new URL(options.endpoint.endsWith('/') ? options.endpoint : `${options.endpoint}/`);
    this.#agents = agentsFor(this.endpoint, options.proxy);
    this.#got = got.extend({
      agent: this.#agents,
      retry: { limit: 0 },
      throwHttpErrors: false,
      timeout: { request: options.timeoutMs, connect: Math.min(options.timeoutMs, 30_000) },
      followRedirect: (response: PlainResponse) => this.#isOwnHost(response),
      maxRedirects: 3,
    });
  }

  /** @returns the answer's JSON; undefined when it has no body. @throws IronicError, InputError. */
  async send(call: Call): Promise<unknown> {
    const url = this.#url(call);
    const options = await this.#requestOptions(call);
    const started = this.options.clock.monotonic();
    let status = 0;
    try {
      const response = await this.#got(url, options.request);
      status = response.statusCode;
      return readAnswer(call, url, status, response.body, options.secrets);
    } catch (error) {
      throw error instanceof IronicError ? error : withoutAnswer(call, url, error);
    } finally {
      this.options.onRequest?.({
        method: call.method,
        route: call.route,
        status,
        durationMs: this.options.clock.monotonic() - started,
      });
    }
  }

  close(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }

  #url(call: Call): URL {
    const url = new URL(call.path, this.endpoint);
    for (const [key, value] of Object.entries(call.query ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
      url.searchParams.set(key, value);
    }
    return url;
  }

  async #requestOptions(call: Call): Promise<{ request: OptionsOfTextResponseBody; secrets: string[] }> {
    const { settings, insecure } = this.options;
    const tls = await settings.tls();
    const auth = call.microversion === undefined ? undefined : await settings.auth();
    const headers: Record<string, string> = { accept: 'application/json' };
    if (call.microversion !== undefined) {
      headers['x-openstack-ironic-api-version'] = call.microversion;
      headers['openstack-api-version'] = `baremetal ${call.microversion}`;
    }
    if (auth) {
      headers.authorization = `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`;
    }
    return {
      secrets: [...secretsOf(call.body), ...(auth ? [auth.password] : [])],
      request: {
        method: call.method,
        headers,
        ...(call.body !== undefined && { json: call.body }),
        ...(call.signal && { signal: call.signal }),
        https: {
          rejectUnauthorized: !insecure,
          minVersion: 'TLSv1.2',
          ...(tls.ca && { certificateAuthority: tls.ca }),
          ...(tls.certificate && { certificate: tls.certificate }),
          ...(tls.key && { key: tls.key }),
        },
      },
    };
  }

  #isOwnHost(response: PlainResponse): boolean {
    const { location } = response.headers;
    if (location === undefined || response.request.options.method !== 'GET') return false;
    return (
      URL.canParse(location, this.endpoint.href) && new URL(location, this.endpoint).origin === this.endpoint.origin
    );
  }
}

/** Every request goes to the same host, and so through the same proxy. */
function agentsFor(endpoint: URL, settings: ProxySettings | undefined) {
  const proxy = proxyFor(endpoint, settings);
  const keepAlive = true;
  if (!proxy) return { http: new HTTPAgent({ keepAlive }), https: new HTTPSAgent({ keepAlive }) };
  return { http: new HttpProxyAgent({ keepAlive, proxy }), https: new HttpsProxyAgent({ keepAlive, proxy }) };
}

/** Never shows credentials that were written into the endpoint. */
function shown(call: Call, url: URL): string {
  return `${call.method} ${url.origin}${url.pathname}${url.search}`;
}

function readAnswer(call: Call, url: URL, status: number, body: string, secrets: string[]): unknown {
  if (!call.ok.includes(status)) {
    const text = faultText(body, secrets);
    throw new IronicError(
      codeOfStatus(status),
      `expected HTTP response code [${call.ok.join(' ')}] when accessing [${shown(call, url)}], but got ${status} instead${text && `: ${text}`}`,
      { status, words: text },
    );
  }
  if (body.trim() === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new IronicError('IRONIC_BAD_ANSWER', `${shown(call, url)} was answered with something that is not JSON`, {
      status,
    });
  }
}

/** The cause is not kept: it holds the request with its headers. */
function withoutAnswer(call: Call, url: URL, error: unknown): unknown {
  const what = shown(call, url);
  if (call.signal?.aborted) return new IronicError('IRONIC_ABORTED', `${what} was given up`);
  if (error instanceof TimeoutError) return new IronicError('IRONIC_TIMEOUT', `${what}: ${error.message}`);
  if (error instanceof RequestError) {
    return new IronicError('IRONIC_UNREACHABLE', `${what} cannot be reached: ${error.code}: ${error.message}`);
  }
  return error;
}
