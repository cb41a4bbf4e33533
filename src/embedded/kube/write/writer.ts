import { timestamp, type Clock } from '../../../clock.js';
import { asVersion, storeId } from '../kinds/resource-kind.js';
import { dictOf, type Dict, type KubeObject, type ManagedFieldsEntry } from '../object.js';
import { invalidObject, required } from '../schema/field-error.js';
import { keyOf, type ObjectStore } from '../store/store.js';
import { alreadyExists, badRequest, conflict, MODIFIED_SINCE, notFound, StatusError } from '../wire/status-error.js';
import { heed, type Admit } from './admission.js';
import { applyConfig, type Applied } from './apply.js';
import type { Deletion } from './deletion.js';
import type { Identifiers } from './identifiers.js';
import { afterUpdate, type Manager } from './managed-fields.js';
import {
  checkIdentity,
  refuseNewLife,
  newborn,
  nextGeneration,
  refuseVersionOnCreate,
  sameContent,
  successor,
} from './next-version.js';
import { refuseTooLarge } from './size-limit.js';
import { nameIn, objectOf, refuseUndeclared, shape, verify, type WriteRequest } from './write-request.js';

/** What a write wants to store in place of what is there now. */
interface Plan {
  next: KubeObject;
  managers(this: void, next: KubeObject): ManagedFieldsEntry[];
}

type MakePlan = (current: KubeObject | undefined) => Plan;

export interface Written {
  object: KubeObject;
  created: boolean;
}

export interface WriterParts {
  store: ObjectStore;
  deletion: Deletion;
  identifiers: Identifiers;
  clock: Clock;
  /** Throws StatusError when no new object may be made in the namespace. */
  checkNamespace(this: void, request: WriteRequest, name: string): void;
  admit: Admit | undefined;
}

/** How often a write without a resourceVersion is decided anew when another came between. */
const MAX_ATTEMPTS = 5;
const MAX_NAMES = 8;

/** Creates, replaces, patches and applies objects. Each write is decided on what is stored at that moment, and is atomic. */
export class ResourceWriter {
  constructor(private readonly parts: WriterParts) {}

  async create(request: WriteRequest, given: unknown): Promise<Written> {
    const body = objectOf(request.kind, given);
    checkIdentity(request, body, undefined);
    refuseVersionOnCreate(body);
    const name = this.#newName(request, body);
    this.parts.checkNamespace(request, name);
    return this.#write({ ...request, name }, (current) => {
      if (current) throw alreadyExists(request.kind, name);
      return this.#birth(request, body, name);
    });
  }

  async replace(request: WriteRequest, given: unknown): Promise<Written> {
    const body = objectOf(request.kind, given);
    return this.#write(request, (current) => {
      if (!current && request.kind.createOnUpdate && !request.subresource) {
        this.parts.checkNamespace(request, request.name!);
        return this.#birth(request, body, request.name!);
      }
      return this.#change(request, body, this.#found(request, current));
    });
  }

  /** `change` makes the whole new object from the current one; `patch` is what the client sent. */
  async patch(request: WriteRequest, patch: unknown, change: (current: KubeObject) => unknown): Promise<Written> {
    return this.#write(request, (current) => {
      const found = asVersion(request.kind, this.#found(request, current));
      return this.#change(request, objectOf(request.kind, change(found)), found, patch);
    });
  }

  async apply(request: WriteRequest, given: unknown): Promise<Written> {
    if (!dictOf(given)['kind']) throw badRequest('invalid object type: /, Kind=');
    const config = objectOf(request.kind, given);
    if (dictOf(config['metadata'])['managedFields']) {
      throw new StatusError(400, 'BadRequest', 'metadata.managedFields must be nil');
    }
    return this.#write(request, (current) => this.#applied(request, config, current));
  }

  #applied(request: WriteRequest, config: Dict, current: KubeObject | undefined): Plan {
    const { kind, name } = request;
    if (!current && request.subresource) throw notFound(kind, name!);
    if (!current) this.parts.checkNamespace(request, name!);
    const lenient = { ...kind, unconditionalUpdate: true };
    checkIdentity({ ...request, kind: lenient }, config, current);
    const manager: Manager = { name: request.manager, operation: 'Apply', subresource: request.subresource };
    const time = timestamp(this.parts.clock.now());
    const mine = this.#applicable(request, config);
    const applied: Applied = applyConfig({ kind, manager, force: request.force, time }, current, mine);
    const whole = { ...applied.object, apiVersion: config['apiVersion'], kind: kind.kind };
    const next = current
      ? this.#shaped(request, successor(request, whole, current), current)
      : this.#shaped(request, this.#newborn(request, whole, name!), undefined);
    return { next, managers: applied.managers };
  }

  /** The part of a configuration that this endpoint takes; unknown fields are refused or dropped before they are owned. */
  #applicable(request: WriteRequest, config: Dict): Dict {
    refuseUndeclared(request, config);
    const { apiVersion, kind, metadata, status, ...rest } = config;
    if (request.subresource === 'status') return { apiVersion, kind, metadata: {}, ...(status ? { status } : {}) };
    const hasStatus = request.kind.subresources.includes('status');
    return { apiVersion, kind, metadata, ...rest, ...(hasStatus || status === undefined ? {} : { status }) };
  }

  #birth(request: WriteRequest, body: Dict, name: string): Plan {
    const next = this.#shaped(request, this.#newborn(request, body, name), undefined);
    return { next, managers: (final) => this.#updaters(request, undefined, final) };
  }

  #newborn(request: WriteRequest, body: Dict, name: string): Dict {
    const { identifiers, clock } = this.parts;
    return newborn(request, body, { name, uid: identifiers.uid(), time: timestamp(clock.now()) });
  }

  #change(request: WriteRequest, body: Dict, current: KubeObject, patch?: unknown): Plan {
    if (patch !== undefined) refuseNewLife(request, body, current);
    checkIdentity(request, body, current);
    const next = this.#shaped(request, successor(request, body, current), current, patch);
    const cleared = request.subresource === '' && isCleared(dictOf(body['metadata'])['managedFields']);
    return { next, managers: (final) => (cleared ? [] : this.#updaters(request, current, final)) };
  }

  #updaters(request: WriteRequest, current: KubeObject | undefined, next: KubeObject): ManagedFieldsEntry[] {
    const manager: Manager = { name: request.manager, operation: 'Update', subresource: request.subresource };
    return afterUpdate(request.kind, current, next, manager, timestamp(this.parts.clock.now()));
  }

  #shaped(request: WriteRequest, object: Dict, old: KubeObject | undefined, patch?: unknown): KubeObject {
    const shaped = shape(request, object, patch);
    return request.kind.prepare?.(shaped, old) ?? shaped;
  }

  #found(request: WriteRequest, current: KubeObject | undefined): KubeObject {
    if (current) return current;
    throw notFound(request.kind, request.name!);
  }

  #newName(request: WriteRequest, body: Dict): string {
    const name = nameIn(body, 'name');
    if (name) return name;
    const prefix = nameIn(body, 'generateName');
    if (!prefix) {
      throw invalidObject(request.kind, '', [required('metadata.name', 'name or generateName is required')]);
    }
    const { identifiers, store } = this.parts;
    const taken = (one: string) => store.get(storeId(request.kind), keyOf(request.namespace, one)) !== undefined;
    for (let attempt = 0; attempt < MAX_NAMES; attempt += 1) {
      const generated = identifiers.name(prefix);
      if (!taken(generated)) return generated;
    }
    throw alreadyExists(request.kind, prefix);
  }

  async #write(request: WriteRequest, make: MakePlan): Promise<Written> {
    const { store, admit } = this.parts;
    const key = keyOf(request.kind.namespaced ? request.namespace : undefined, request.name!);
    const read = () => store.get(storeId(request.kind), key);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const current = read();
      let plan = make(current);
      if (admit) {
        verify(request.kind, plan.next, current);
        plan = { ...plan, next: await this.#admitted(request, admit, plan.next, current) };
        if (read() !== current) continue;
      }
      return this.#finish(request, plan, current);
    }
    throw conflict(request.kind, request.name!, MODIFIED_SINCE);
  }

  async #admitted(request: WriteRequest, admit: Admit, object: KubeObject, oldObject: KubeObject | undefined) {
    const { kind, subresource, dryRun } = request;
    const operation = oldObject ? 'UPDATE' : 'CREATE';
    const verdict = await admit({ operation, kind, subresource, object, oldObject, dryRun });
    heed(verdict, request.warn);
    return verdict?.object ? shape(request, verdict.object) : object;
  }

  #finish(request: WriteRequest, plan: Plan, current: KubeObject | undefined): Written {
    const { kind, dryRun } = request;
    verify(kind, plan.next, current);
    const managers = plan.managers(plan.next);
    if (current && sameContent(plan.next, current) && sameManagers(managers, current)) {
      return { object: current, created: false };
    }
    const managed = withManagers(plan.next, managers);
    const next = current ? nextGeneration(kind, managed, current) : managed;
    if (!dryRun) refuseTooLarge(next);
    const object = dryRun ? next : this.parts.deletion.commit(storeId(kind), next);
    return { object, created: !current };
  }
}

function isCleared(managedFields: unknown): boolean {
  if (!Array.isArray(managedFields)) return false;
  return (
    managedFields.length === 0 || (managedFields.length === 1 && Object.keys(dictOf(managedFields[0])).length === 0)
  );
}

function sameManagers(managers: ManagedFieldsEntry[], { metadata }: KubeObject): boolean {
  const before = metadata.managedFields ?? [];
  const sameEntry = (a: ManagedFieldsEntry, b: ManagedFieldsEntry | undefined) =>
    b !== undefined &&
    (a === b || (a.manager === b.manager && JSON.stringify(a.fieldsV1) === JSON.stringify(b.fieldsV1)));
  return managers.length === before.length && managers.every((entry, i) => sameEntry(entry, before[i]));
}

function withManagers(object: KubeObject, managedFields: ManagedFieldsEntry[]): KubeObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata: managedFields.length > 0 ? { ...metadata, managedFields } : metadata };
}
