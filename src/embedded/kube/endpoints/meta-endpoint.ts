import { aggregatedDiscovery, coreVersions, groupDocument, groupList, resourceList } from '../describe/discovery.js';
import { OpenApi } from '../describe/openapi.js';
import { dictOf, type Dict } from '../object.js';
import { mediaType, parseObject } from '../wire/body.js';
import type { Exchange } from '../wire/exchange.js';
import { wantsAggregated } from '../wire/negotiation.js';
import { methodNotAllowed, PageNotFound, pathNotFound, type StatusError } from '../wire/status-error.js';
import type { KindRegistry } from '../kinds/registry.js';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

const VERSION = {
  major: '1',
  minor: '32',
  gitVersion: 'v1.32.0+ironchart',
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: 'node',
  platform: `${process.platform}/${process.arch}`,
};

const HEALTH = ['/healthz', '/livez', '/readyz'];

/** Every client is this one user, who may do anything. */
const USER = { username: 'ironchart-admin', groups: ['system:masters', 'system:authenticated'] };

const REVIEWS: Record<string, Dict> = {
  '/apis/authentication.k8s.io/v1/selfsubjectreviews': { kind: 'SelfSubjectReview', status: { userInfo: USER } },
  '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews': {
    kind: 'SelfSubjectAccessReview',
    status: { allowed: true },
  },
  '/apis/authorization.k8s.io/v1/subjectaccessreviews': { kind: 'SubjectAccessReview', status: { allowed: true } },
};

const TOKEN_REVIEW = '/apis/authentication.k8s.io/v1/tokenreviews';

/** Answers what is not about a resource: discovery, OpenAPI, version, health, and reviews of oneself. */
export class MetaEndpoint {
  readonly #openApi: OpenApi;

  /** @param token of the one user there is */
  constructor(
    private readonly registry: KindRegistry,
    private readonly token: string,
  ) {
    this.#openApi = new OpenApi(registry);
  }

  /** Throws StatusError 404 or 405. */
  async handle(exchange: Exchange, body: () => Promise<Buffer>): Promise<void> {
    const path = exchange.url.pathname.replace(/(?<=.)\/$/, '');
    const review = REVIEWS[path];
    if (review) return this.#review(exchange, () => review, await body());
    if (path === TOKEN_REVIEW) return this.#review(exchange, this.#tokenReview.bind(this), await body());
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') {
      throw this.#document(path, exchange) === undefined ? this.#notFound(path) : methodNotAllowed();
    }
    this.#read(exchange, path);
  }

  #read(exchange: Exchange, path: string): void {
    if (HEALTH.some((one) => path === one || path.startsWith(`${one}/`))) return exchange.text(200, 'ok', 'text/plain');
    if ((path === '/api' || path === '/apis') && wantsAggregated(exchange.accept)) {
      return exchange.json(200, aggregatedDiscovery(this.registry.all(), path === '/api'), AGGREGATED);
    }
    if (path.startsWith('/openapi/v3/')) return this.#schema(exchange, path.slice('/openapi/v3/'.length));
    const document = this.#document(path, exchange);
    if (!document) throw this.#notFound(path);
    if (path === '/openapi/v3') return exchange.text(200, JSON.stringify(document), 'text/plain; charset=utf-8');
    exchange.json(200, document);
  }

  /** Groups of the server's own refuse in their own words. */
  #notFound(path: string): StatusError {
    const [root, group = ''] = path.slice(1).split('/');
    const isOwn =
      root === 'api' || (root === 'apis' && this.registry.all().some((kind) => kind.builtIn && kind.group === group));
    return isOwn ? pathNotFound() : new PageNotFound();
  }

  /** Unlike everybody who calls the server, a token that is shown to others has to be the right one. */
  #tokenReview(review: Dict): Dict {
    const isRight = dictOf(review['spec'])['token'] === this.token;
    return { kind: 'TokenReview', status: isRight ? { authenticated: true, user: USER } : { user: {} } };
  }

  #review(exchange: Exchange, judge: (review: Dict) => Dict, body: Buffer): void {
    if (exchange.method !== 'POST') throw methodNotAllowed();
    const review = dictOf(parseObject(body, mediaType(exchange.request.headers['content-type'])));
    const answer = judge(review);
    const apiVersion = exchange.url.pathname.split('/').slice(2, 4).join('/');
    exchange.json(201, {
      apiVersion,
      ...answer,
      ...review,
      metadata: dictOf(review['metadata']),
      status: answer['status'],
    });
  }

  #schema(exchange: Exchange, path: string): void {
    const text = this.#openApi.document(path);
    if (text === undefined) throw pathNotFound();
    exchange.text(200, text, 'application/json');
  }

  #document(path: string, exchange: Exchange): Dict | undefined {
    if (path === '/') return { paths: ['/api', '/api/v1', '/apis', '/healthz', '/openapi/v3', '/version'] };
    if (path === '/version') return VERSION;
    if (path === '/openapi/v3') return this.#openApi.index();
    if (path === '/api') return coreVersions(exchange.request.headers.host ?? '');
    return this.#discovery(path.slice(1).split('/'));
  }

  #discovery([root, ...rest]: string[]): Dict | undefined {
    const kinds = this.registry.all();
    if (root === 'api') return rest.length === 1 ? resourceList(kinds, '', rest[0]!) : undefined;
    if (root !== 'apis') return undefined;
    if (rest.length === 0) return groupList(kinds);
    if (rest.length === 1) return groupDocument(kinds, rest[0]!);
    return rest.length === 2 ? resourceList(kinds, rest[0]!, rest[1]!) : undefined;
  }
}
