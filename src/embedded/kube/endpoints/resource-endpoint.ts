import type { Clock } from '../../../clock.js';
import { storeId, type ResourceKind } from '../kinds/resource-kind.js';
import { LASTING } from '../lifecycle/namespace-controller.js';
import type { KubeObject } from '../object.js';
import { listOptions } from '../read/list-options.js';
import { Presenter } from '../read/representation.js';
import { keyOf, keyOfObject } from '../store/store.js';
import { JSON_TYPE, mediaType, parseObject, parsePatch, parseYamlText, unrecognized } from '../wire/body.js';
import type { Exchange } from '../wire/exchange.js';
import { representation } from '../wire/negotiation.js';
import type { ResourcePath, Verb } from '../wire/request-path.js';
import {
  badRequest,
  forbidden,
  methodNotAllowed,
  notFound,
  PageNotFound,
  pathNotFound,
  type StatusError,
  unsupportedMediaType,
} from '../wire/status-error.js';
import { heed, type Admit } from '../write/admission.js';
import type { DeleteRequest } from '../write/deletion.js';
import { duplicateFields } from '../wire/duplicate-fields.js';
import { refuseDuplicates, type WriteRequest } from '../write/write-request.js';
import { applyJsonPatch } from '../write/json-patch.js';
import { mergePatch } from '../write/merge-patch.js';
import { strategicPatch } from '../write/strategic-patch.js';
import type { Written } from '../write/writer.js';
import type { Backend } from './backend.js';
import { checkPatchOptions, deleteRequest, writeRequest } from './write-options.js';

/** One request on one resource. */
export interface ResourceCall {
  exchange: Exchange;
  kind: ResourceKind;
  path: ResourcePath;
  verb: Verb;
  /** Reads the body; called at most once. */
  body(this: void): Promise<Buffer>;
}

const APPLY = 'application/apply-patch+yaml';
const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';

const SUBRESOURCE_VERBS: Record<string, Verb[]> = { status: ['get', 'update', 'patch'], finalize: ['update'] };

/** What can be asked about a namespaced resource without naming a namespace. */
const CLUSTER_WIDE: Verb[] = ['list', 'watch'];

function exists(kind: ResourceKind, { namespace, name, subresource }: ResourcePath): boolean {
  if (subresource && !kind.subresources.includes(subresource)) return false;
  if (!kind.namespaced) return namespace === undefined;
  return name === undefined || namespace !== undefined;
}

function missing(kind: ResourceKind, { name, subresource }: ResourcePath): StatusError {
  if (kind.builtIn) return pathNotFound();
  return subresource && name !== undefined ? notFound(kind, name) : new PageNotFound();
}

/** A custom resource's own words for a method that has no meaning where it was used. */
function misplaced({ name }: ResourcePath, isNowhere: boolean): StatusError {
  if (name !== undefined) return methodNotAllowed();
  return isNowhere ? new PageNotFound() : badRequest('name must be provided');
}

/** Refuses what cannot be asked of a path. Throws StatusError 400, 404 or 405. */
export function checkCall(kind: ResourceKind, path: ResourcePath, verb: Verb | undefined): Verb {
  if (!exists(kind, path)) throw missing(kind, path);
  const isNowhere = kind.namespaced && path.namespace === undefined;
  const allowed = path.subresource ? SUBRESOURCE_VERBS[path.subresource] : isNowhere ? CLUSTER_WIDE : undefined;
  if (verb !== undefined && (allowed?.includes(verb) ?? true)) return verb;
  throw kind.builtIn ? methodNotAllowed() : misplaced(path, isNowhere);
}

/** Answers requests on resources, whatever their kind. */
export class ResourceEndpoint {
  readonly #handlers: Record<Verb, (call: ResourceCall) => void | Promise<void>> = {
    get: (call) => this.#get(call),
    list: (call) => this.#list(call),
    watch: (call) => this.#watch(call),
    create: (call) => this.#create(call),
    update: (call) => this.#update(call),
    patch: (call) => this.#patch(call),
    delete: (call) => this.#delete(call),
    deletecollection: (call) => this.#deleteCollection(call),
  };

  constructor(
    private readonly backend: Backend,
    private readonly clock: Clock,
    private readonly admit: Admit | undefined,
  ) {}

  /** Throws StatusError. */
  async handle(call: ResourceCall): Promise<void> {
    await this.#handlers[call.verb](call);
  }

  #presenter({ exchange, kind }: ResourceCall): Presenter {
    return new Presenter(kind, representation(exchange.accept, exchange.query), () => this.clock.now());
  }

  #find({ kind, path }: ResourceCall): KubeObject {
    const found = this.backend.store.get(storeId(kind), keyOf(path.namespace, path.name!));
    if (!found) throw notFound(kind, path.name!);
    return found;
  }

  #get(call: ResourceCall): void {
    const presenter = this.#presenter(call);
    call.exchange.json(200, presenter.one(this.#find(call)));
  }

  #list(call: ResourceCall): void {
    const { exchange, kind, path } = call;
    const presenter = this.#presenter(call);
    const page = this.backend.lists.list(kind, path.namespace, listOptions(exchange.query, kind));
    exchange.json(200, presenter.list(page));
  }

  #watch(call: ResourceCall): void {
    const { exchange, kind, path } = call;
    const presenter = this.#presenter(call);
    const options = listOptions(exchange.query, kind);
    const open: { close?: () => void } = {};
    const sink = exchange.stream(() => open.close?.());
    open.close = this.backend.watches.open({ kind, namespace: path.namespace, options, presenter, sink });
  }

  #answer(call: ResourceCall, { object, created }: Written): void {
    call.exchange.json(created ? 201 : 200, this.#presenter(call).one(object));
  }

  #object({ exchange, kind }: ResourceCall, request: WriteRequest, body: Buffer): unknown {
    const type = mediaType(exchange.request.headers['content-type']);
    const object = unrecognized(kind.kind, body, () => parseObject(body, type));
    if (type === JSON_TYPE) refuseDuplicates(request, duplicateFields(body.toString('utf8')));
    return object;
  }

  async #create(call: ResourceCall): Promise<void> {
    const { exchange, kind, path } = call;
    const request = writeRequest(exchange, kind, path, 'CreateOptions');
    const body = this.#object(call, request, await call.body());
    this.#answer(call, await this.backend.writer.create(request, body));
  }

  async #update(call: ResourceCall): Promise<void> {
    const { exchange, kind, path } = call;
    const request = writeRequest(exchange, kind, path, 'UpdateOptions');
    const body = this.#object(call, request, await call.body());
    this.#answer(call, await this.backend.writer.replace(request, body));
  }

  async #patch(call: ResourceCall): Promise<void> {
    const { exchange, kind, path } = call;
    const type = mediaType(exchange.request.headers['content-type']);
    const body = await call.body();
    const accepted = [JSON_PATCH, MERGE_PATCH, APPLY, ...(kind.builtIn ? [STRATEGIC_PATCH] : [])];
    if (!accepted.includes(type)) throw unsupportedMediaType(accepted);
    checkPatchOptions(exchange, type === APPLY);
    const request = writeRequest(exchange, kind, path, 'PatchOptions');
    const { writer } = this.backend;
    if (type === APPLY) return this.#answer(call, await writer.apply(request, parseYamlText(body)));
    const patch = parsePatch(body, type === JSON_PATCH);
    const change = (current: KubeObject): unknown => {
      if (type === JSON_PATCH) return applyJsonPatch(current, patch);
      return type === MERGE_PATCH ? mergePatch(current, patch) : strategicPatch(current, patch, kind.schema);
    };
    this.#answer(call, await writer.patch(request, patch, change));
  }

  async #admitDelete({ kind, exchange }: ResourceCall, oldObject: KubeObject, dryRun: boolean): Promise<void> {
    const question = { operation: 'DELETE' as const, kind, subresource: '', object: undefined, oldObject, dryRun };
    heed(await this.admit?.(question), (text) => exchange.warn(text));
  }

  async #deleteOne(call: ResourceCall, object: KubeObject, request: DeleteRequest) {
    const { kind } = call;
    if (kind.plural === 'namespaces' && LASTING.includes(object.metadata.name)) {
      throw forbidden(kind, object.metadata.name, 'this namespace may not be deleted');
    }
    if (this.admit) await this.#admitDelete(call, object, request.dryRun ?? false);
    const current = this.backend.store.get(storeId(kind), keyOfObject(object));
    if (!current) throw notFound(kind, object.metadata.name);
    return this.backend.deletion.delete(kind, current, request);
  }

  async #delete(call: ResourceCall): Promise<void> {
    const { exchange, kind } = call;
    const request = deleteRequest(exchange, await call.body());
    const { object, gone } = await this.#deleteOne(call, this.#find(call), request);
    if (!gone) return exchange.json(200, this.#presenter(call).one(object));
    const { name, uid } = object.metadata;
    const details = { name, ...(kind.group ? { group: kind.group } : {}), kind: kind.plural, uid };
    exchange.json(200, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details });
  }

  async #deleteCollection(call: ResourceCall): Promise<void> {
    const { exchange, kind, path } = call;
    const presenter = this.#presenter(call);
    const request = deleteRequest(exchange, await call.body());
    const page = this.backend.lists.list(kind, path.namespace, listOptions(exchange.query, kind));
    for (const object of page.items) {
      if (this.backend.store.get(storeId(kind), keyOfObject(object))) await this.#deleteOne(call, object, request);
    }
    exchange.json(200, presenter.list(page));
  }
}
