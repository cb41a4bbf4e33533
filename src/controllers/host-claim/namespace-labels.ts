/**
 * The labels of the namespaces that claims are in. Where all namespaces are watched they are followed; else they are read by
 * name, since a list would need a right that reaches beyond the namespaces that the operator is for.
 */
import type { Clock } from '../../clock.js';
import { IronchartError } from '../../errors.js';
import type { KindRef, KubeApi, KubeObject, ObjectStore } from '../../kube/index.js';
import type { Labels } from './policy.js';

export const namespaceKind: KindRef = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' };

/** Milliseconds for which labels that were read count. */
const freshMs = 20_000;

export class NamespaceLabels {
  readonly #read = new Map<string, { readonly labels: Labels; readonly at: number }>();

  /** @param followed undefined: they are read by name */
  constructor(
    private readonly api: Pick<KubeApi, 'get'>,
    private readonly clock: Clock,
    readonly followed: ObjectStore<KubeObject> | undefined,
  ) {}

  /** What is known without asking; undefined: nothing. */
  known(name: string): Labels | undefined {
    const followed = this.followed?.get(`/${name}`);
    return followed === undefined ? this.#fresh(name) : (followed.metadata.labels ?? {});
  }

  async of(name: string, signal: AbortSignal): Promise<Labels> {
    const known = this.known(name);
    if (known !== undefined) return known;
    const object = await this.api.get(namespaceKind, { namespace: '', name }, signal);
    if (object === undefined) throw new IronchartError('NAMESPACE_GONE', `the namespace ${name} does not exist`);
    const labels = object.metadata.labels ?? {};
    this.#read.set(name, { labels, at: this.clock.monotonic() });
    return labels;
  }

  #fresh(name: string): Labels | undefined {
    const read = this.#read.get(name);
    if (read !== undefined && this.clock.monotonic() - read.at < freshMs) return read.labels;
    this.#read.delete(name);
    return undefined;
  }
}
