/**
 * Every write to one host object during one pass. Each carries the resourceVersion that the decision was made on, so another's
 * change is never overwritten; each answer replaces the object, in the pass and in the cache.
 */
import type { KubeApi, KubeObject, ObjectStore } from '../../kube/index.js';
import { isKubeError, parseKey } from '../../kube/index.js';
import { hostKind } from './kinds.js';

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

export class HostWriter {
  constructor(
    private readonly api: KubeApi,
    private readonly store: ObjectStore<KubeObject>,
    private readonly key: string,
    private current: KubeObject,
    private readonly signal?: AbortSignal,
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
  async patch(change: { readonly metadata?: object; readonly spec?: object }): Promise<void> {
    await this.#write({ ...change, metadata: { ...change.metadata, ...this.#version() } }, undefined);
  }

  /** Merges `status` into the status subresource. */
  async patchStatus(status: object): Promise<void> {
    const filled = withRequired(this.current.status as Fields | undefined, status as Fields);
    await this.#write({ metadata: this.#version(), status: filled }, 'status');
  }

  #version() {
    return { resourceVersion: this.current.metadata.resourceVersion };
  }

  async #write(patch: object, subresource: 'status' | undefined): Promise<void> {
    const options = { subresource, signal: this.signal };
    try {
      this.current = await this.api.patch<KubeObject>(hostKind, parseKey(this.key), patch, options);
    } catch (error) {
      if (isKubeError(error, 'KUBE_CONFLICT')) await this.#refresh();
      throw error;
    }
    this.store.put(this.current, 'write');
  }

  /** A conflict says that the cache is behind: the next pass decides on what is there now. */
  async #refresh(): Promise<void> {
    const fresh = await this.api.get<KubeObject>(hostKind, parseKey(this.key), this.signal);
    if (fresh !== undefined) this.store.put(fresh, 'watch');
  }
}
