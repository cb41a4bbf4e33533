/**
 * Every write to one host object during one pass. Each carries the resourceVersion that the decision was made on, so another's
 * change is never overwritten; each answer replaces the object, in the pass and in the cache.
 */
import type { KubeApi, KubeObject, ObjectStore } from '../../kube/index.js';
import { isKubeError, parseKey } from '../../kube/index.js';
import { hostKind } from './kinds.js';

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
    await this.#write({ metadata: this.#version(), status }, 'status');
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
