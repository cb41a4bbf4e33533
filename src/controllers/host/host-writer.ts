/**
 * Every write to one host object during one pass. Each carries the resourceVersion that the decision was made on, so another's
 * change is never overwritten; each answer replaces the object, in the pass and in the cache.
 */
import type { KubeApi, KubeObject, ObjectStore } from '../../kube/index.js';
import { isSame } from '../../../machines/index.js';
import { isKubeError, parseKey } from '../../kube/index.js';
import { hostKind } from './kinds.js';
import type { SnapshotKeeping } from './snapshot-keeping.js';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that the schema requires of a status, whether or not there is anything to say in them. */
const required: Fields = {
  operationalStatus: '',
  errorMessage: '',
  poweredOn: false,
  errorCount: 0,
  provisioningFailCount: 0,
};

/** A first write must hold them all; a later one only what it changes. Pure. */
export function withRequired(known: Fields | undefined, patch: Fields): Fields {
  const missing = Object.entries(required).filter(([name]) => known?.[name] === undefined);
  const provisioning = { ...absent(known?.provisioning, { ID: '', state: '' }), ...(patch.provisioning as Fields) };
  return {
    ...Object.fromEntries(missing),
    ...patch,
    ...(Object.keys(provisioning).length === 0 ? {} : { provisioning }),
  };
}

function absent(known: unknown, wanted: Fields): Fields {
  const present = (known ?? {}) as Fields;
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => present[name] === undefined));
}

/** Whether a decision that was made on one version would be the same on the other: notes and labels of others do not count. */
export function isSameToUs(a: KubeObject, b: KubeObject): boolean {
  return isSame(relevant(a), relevant(b));
}

function relevant({ metadata, status }: KubeObject): unknown {
  const { uid, generation, deletionTimestamp, finalizers, annotations = {} } = metadata;
  const ours = Object.entries(annotations).filter(([name]) => /(^|\.)(metal3|ironchart)\.io(\/|$)/.test(name));
  return { uid, generation, deletionTimestamp, finalizers, annotations: Object.fromEntries(ours), status };
}

interface Change {
  readonly metadata?: object;
  readonly spec?: object;
  readonly status?: object;
}

/** Tries of one write while somebody else keeps writing what is of no concern. */
const maxTries = 5;

export class HostWriter {
  constructor(
    private readonly api: KubeApi,
    private readonly store: ObjectStore<KubeObject>,
    private readonly key: string,
    private current: KubeObject,
    private readonly signal?: AbortSignal,
    private readonly snapshots?: SnapshotKeeping,
  ) {}

  get object(): KubeObject {
    return this.current;
  }

  /** Removes annotations; those that are absent cost nothing. */
  async removeAnnotations(names: readonly string[]): Promise<void> {
    const present = this.current.metadata.annotations ?? {};
    await this.setAnnotations(Object.fromEntries(names.filter((name) => name in present).map((name) => [name, null])));
  }

  /** null removes. */
  async setAnnotations(annotations: Readonly<Record<string, string | null>>): Promise<void> {
    if (Object.keys(annotations).length > 0) await this.patch({ metadata: { annotations } });
  }

  async addFinalizer(name: string): Promise<void> {
    const finalizers = this.current.metadata.finalizers ?? [];
    if (!finalizers.includes(name)) await this.patch({ metadata: { finalizers: [...finalizers, name] } });
  }

  async removeFinalizer(name: string): Promise<void> {
    const finalizers = this.current.metadata.finalizers ?? [];
    if (!finalizers.includes(name)) return;
    await this.patch({ metadata: { finalizers: finalizers.filter((other) => other !== name) } });
  }

  /** Merges `change` into the main resource. */
  async patch(change: Omit<Change, 'status'>): Promise<void> {
    await this.#write(change, undefined);
  }

  /** Merges `status` into the status subresource. */
  async patchStatus(status: object): Promise<void> {
    if (this.snapshots?.isWorthIt(status) === false) return;
    const filled = withRequired(this.current.status as Fields | undefined, status as Fields);
    await this.#write({ status: filled }, 'status');
    this.snapshots?.note(filled, this.current.status);
  }

  async #write(change: Change, subresource: 'status' | undefined): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const { resourceVersion } = this.current.metadata;
      const patch = { ...change, metadata: { ...change.metadata, resourceVersion } };
      try {
        const options = { subresource, signal: this.signal };
        this.current = await this.api.patch<KubeObject>(hostKind, parseKey(this.key), patch, options);
        return this.store.put(this.current, 'write');
      } catch (error) {
        if (!isKubeError(error, 'KUBE_CONFLICT') || !(await this.#isStillRight()) || tries === maxTries) throw error;
      }
    }
  }

  /** A conflict says that the cache is behind: unless the news are of no concern, the next pass decides on what is there now. */
  async #isStillRight(): Promise<boolean> {
    const fresh = await this.api.get<KubeObject>(hostKind, parseKey(this.key), this.signal);
    if (fresh === undefined) return false;
    this.store.put(fresh, 'watch');
    if (!isSameToUs(this.current, fresh)) return false;
    this.current = fresh;
    return true;
  }
}
