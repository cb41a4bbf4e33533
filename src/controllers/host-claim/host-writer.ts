/** Reads hosts past the cache, and writes who has them: each write at one version of the host alone. */
import { kinds } from '../../apis/index.js';
import { isKubeError, type KubeApi, type KubeObject, type ObjectStore, parseKey } from '../../kube/index.js';
import { messageOf } from '../../errors.js';
import type { TakeOutcome } from '../../../machines/index.js';
import { type Choice, consumerRefOf, factsOf, type HostFacts } from './host-facts.js';

const { bareMetalHost: kind } = kinds;
const pageSize = 500;

export class HostWriter {
  #caughtUp: Promise<void> | undefined;

  /** @param namespaces that are watched; empty: all */
  constructor(
    private readonly api: KubeApi,
    private readonly hosts: ObjectStore<KubeObject>,
    private readonly namespaces: readonly string[],
  ) {}

  /** As it is now, not as it was last heard of. */
  async read(key: string, signal?: AbortSignal): Promise<HostFacts | undefined> {
    const object = await this.api.get<KubeObject>(kind, parseKey(key), signal);
    if (object === undefined) return undefined;
    this.hosts.put(object, 'watch');
    return factsOf(object);
  }

  async take({ host, version }: Choice, claim: string, signal: AbortSignal): Promise<TakeOutcome> {
    try {
      await this.#write(host, version, consumerRefOf(claim), signal);
      return { kind: 'taken' };
    } catch (error) {
      if (isKubeError(error, 'KUBE_NOT_FOUND')) return { kind: 'lost' };
      if (isKubeError(error, 'KUBE_CONFLICT')) {
        await this.read(host, signal);
        return { kind: 'lost' };
      }
      if (isRefusal(error)) return { kind: 'refused', message: messageOf(error) };
      throw error;
    }
  }

  /** Nothing else about the host is touched. */
  async free({ key, version }: HostFacts, signal: AbortSignal): Promise<void> {
    await this.#write(key, version, null, signal);
  }

  async #write(key: string, resourceVersion: string, consumerRef: object | null, signal: AbortSignal): Promise<void> {
    const patch = { metadata: { resourceVersion }, spec: { consumerRef } };
    this.hosts.put(await this.api.patch<KubeObject>(kind, parseKey(key), patch, { signal }), 'news');
  }

  /** Once in the life of the process: what others did before it began to work is in the cache then. */
  async catchUp(): Promise<void> {
    this.#caughtUp ??= this.#list();
    try {
      await this.#caughtUp;
    } catch (error) {
      this.#caughtUp = undefined;
      throw error;
    }
  }

  async #list(): Promise<void> {
    for (const namespace of this.namespaces.length === 0 ? [undefined] : this.namespaces) {
      let continueToken = '';
      do {
        const page = await this.api.list(kind, { namespace, limit: pageSize, continueToken });
        for (const object of page.items) this.hosts.put(object, 'watch');
        ({ continueToken } = page);
      } while (continueToken !== '');
    }
  }
}

/** The write was looked at and not made; the same one will not be made later. */
export function isRefusal(error: unknown): boolean {
  return isKubeError(error, 'KUBE_INVALID') || isKubeError(error, 'KUBE_FORBIDDEN');
}
