import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SystemRandom, type Clock, type Random } from '../../clock.js';
import { InputError, messageOf } from '../../errors.js';
import { Backend, type BackendOptions } from './endpoints/backend.js';
import { MetaEndpoint } from './endpoints/meta-endpoint.js';
import { checkCall, ResourceEndpoint, type ResourceCall } from './endpoints/resource-endpoint.js';
import type { Fault, FaultHook } from './fault.js';
import { storeId } from './kinds/resource-kind.js';
import { kubeconfigFor } from './kubeconfig.js';
import type { Dict } from './object.js';
import { readBody } from './wire/body.js';
import { Exchange } from './wire/exchange.js';
import { resourcePath, verbOf } from './wire/request-path.js';
import { StatusError } from './wire/status-error.js';
import type { Admit } from './write/admission.js';

export interface EmbeddedKubeOptions {
  /** CustomResourceDefinitions (apiextensions.k8s.io/v1) to serve from the start. */
  crds: readonly Dict[];
  clock: Clock;
  random?: Random;
  /** Where objects are kept between runs; without it they live in memory alone. */
  dataDir?: string;
  /** 0, the default: any free port. */
  port?: number;
  /** A loopback address; 127.0.0.1 by default. Nothing is encrypted and everybody may do anything, so no other is taken. */
  host?: string;
  /** Changes kept for each resource, for watches that resume. Default 4,096. */
  historySize?: number;
  /** Seconds between bookmarks of a watch. Default 60. */
  bookmarkSeconds?: number;
  /** Seconds after which an event nobody wrote again is removed. Default 3,600. */
  eventTtlSeconds?: number;
  /** Bytes of a request's body. Default 3 MiB. */
  maxBodyBytes?: number;
  onWarning?: (text: string) => void;
  /** Breaks requests on resources, for tests. */
  fault?: FaultHook;
  admit?: Admit;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '::1'];

function backendOptions(options: EmbeddedKubeOptions): BackendOptions {
  const { random, historySize = 4096, bookmarkSeconds = 60, eventTtlSeconds = 3600, onWarning } = options;
  return {
    crds: options.crds,
    clock: options.clock,
    random: random ?? new SystemRandom(),
    historySize,
    bookmarkMs: bookmarkSeconds * 1000,
    eventTtlMs: eventTtlSeconds * 1000,
    onWarning: onWarning ?? (() => undefined),
    dataDir: options.dataDir,
    admit: options.admit,
  };
}

/**
 * A Kubernetes API server in this process, over plain HTTP on loopback: discovery, OpenAPI, CRUD, patches, server-side apply,
 * tables, watches, finalizers, namespaces and owner garbage collection, for a few built-in kinds and any custom resource.
 */
export class EmbeddedKubeServer {
  readonly #backend: Backend;
  readonly #meta: MetaEndpoint;
  readonly #resources: ResourceEndpoint;
  readonly #server: Server;
  readonly #host: string;
  readonly #counts = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  /** Of the one user: whoever calls needs none, but may show it to others who ask here. */
  readonly #token: string;
  #url = '';

  /** Throws InputError for a definition that cannot be served, a folder in use, or an address that others can reach. */
  constructor(private readonly options: EmbeddedKubeOptions) {
    this.#host = options.host ?? '127.0.0.1';
    if (!LOOPBACK.includes(this.#host)) {
      throw new InputError('host', `${this.#host} may be reached by others`, 'use 127.0.0.1');
    }
    this.#backend = new Backend(backendOptions(options));
    this.#token = randomUUID();
    this.#meta = new MetaEndpoint(this.#backend.registry, this.#token);
    this.#resources = new ResourceEndpoint(this.#backend, options.clock, options.admit);
    this.#server = createServer((request, response) => this.#accept(request, response));
    // Longer than clients keep idle connections, so that none is closed under a request just sent.
    this.#server.keepAliveTimeout = 120_000;
    this.#server.requestTimeout = 0;
  }

  /** Starts to listen. Rejects when the port is taken. */
  async start(): Promise<{ url: string; port: number }> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.options.port ?? 0, this.#host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    const { port } = this.#server.address() as AddressInfo;
    this.#url = `http://${this.#host.includes(':') ? `[${this.#host}]` : this.#host}:${port}`;
    return { url: this.#url, port };
  }

  /** Ends watches cleanly, lets requests under way finish, and closes. */
  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#backend.watches.end('finish');
    await Promise.allSettled(this.#running);
    this.#backend.close();
    this.#server.closeAllConnections();
    await closed;
  }

  /** A kubeconfig (YAML) for kubectl and any client library. Only after `start`. */
  kubeconfig(): string {
    return kubeconfigFor(this.#url, this.#token);
  }

  /** Requests so far, by verb, resource and subresource: `patch baremetalhosts.metal3.io/status`. */
  requestCounts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  resetRequestCounts(): void {
    this.#counts.clear();
  }

  get openWatches(): number {
    return this.#backend.watches.size;
  }

  /** Ends all watches, or those of a resource such as `baremetalhosts.metal3.io`: cleanly, or by cutting the connection. */
  endWatches(how: 'finish' | 'drop', resource?: string): void {
    this.#backend.watches.end(how, resource);
  }

  /** Forgets the history, as a compaction does: watches from before now get 410. */
  compact(): void {
    const { store } = this.#backend;
    for (const resource of store.resources()) store.history(resource).compact(store.resourceVersion);
  }

  #accept(request: IncomingMessage, response: ServerResponse): void {
    const running = this.#serve(request, response).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const exchange = new Exchange(request, response);
    try {
      this.#checkCaller(request);
      await this.#route(exchange);
    } catch (error) {
      if (exchange.answered || response.destroyed) return;
      // The rest of a body that nobody wants must not stand before the next request on this connection.
      request.resume();
      exchange.fail(error instanceof StatusError ? error : this.#internal(error));
    }
  }

  #internal(error: unknown): StatusError {
    this.options.onWarning?.(`a request failed inside the server: ${messageOf(error)}`);
    return new StatusError(500, 'InternalError', `Internal error occurred: ${messageOf(error)}`);
  }

  /** A web page must not reach the server by a name that it made to point here. */
  #checkCaller(request: IncomingMessage): void {
    const name = (request.headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
    if (!LOOPBACK.includes(name)) throw new StatusError(403, 'Forbidden', `requests for host "${name}" are not served`);
  }

  async #route(exchange: Exchange): Promise<void> {
    const body = () => readBody(exchange.request, this.options.maxBodyBytes ?? 3 * 2 ** 20);
    const path = resourcePath(exchange.url.pathname);
    const kind = path && this.#backend.registry.atPath(path.group, path.version, path.plural);
    if (!path || !kind) return this.#meta.handle(exchange, body);
    const verb = checkCall(kind, path, verbOf(exchange.method, path, exchange.query));
    const call: ResourceCall = { exchange, kind, path, verb, body };
    this.#count(call);
    const { namespace, name, subresource } = path;
    const fault = this.options.fault?.({ verb, resource: storeId(kind), namespace, name, subresource });
    if (fault) return this.#break(call, fault);
    await this.#resources.handle(call);
  }

  #count({ verb, kind, path }: ResourceCall): void {
    const key = `${verb} ${storeId(kind)}${path.subresource ? `/${path.subresource}` : ''}`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  async #break(call: ResourceCall, fault: Fault): Promise<void> {
    const { exchange } = call;
    if (fault === 'hang') return exchange.request.resume() && undefined;
    if (fault === 'drop') return exchange.drop();
    if (fault === 'dropAfter') {
      await this.#resources.handle({ ...call, exchange: exchange.muted() });
      return exchange.drop();
    }
    const { status, reason = '', message = 'a fault was asked for', retryAfterSeconds } = fault;
    throw new StatusError(status, reason, message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  }
}
