/** All HostDeployPolicies, by the namespace of the hosts that they open. */
import { keyOf, type KubeObject, type ObjectStore } from '../../kube/index.js';
import { openingOf, openWith, type Policy, policyOf } from './policy.js';
import type { NamespaceLabels } from './namespace-labels.js';

export class PolicyBook {
  readonly #byNamespace = new Map<string, Map<string, Policy>>();

  constructor(
    policies: ObjectStore<KubeObject>,
    private readonly labels: NamespaceLabels,
  ) {
    for (const object of policies.values()) this.#put(object);
    policies.listen(({ type, object }) => {
      if (type === 'deleted') this.#byNamespace.get(object.metadata.namespace ?? '')?.delete(keyOf(object));
      else this.#put(object);
    });
  }

  #put(object: KubeObject): void {
    const { namespace = '' } = object.metadata;
    const there = this.#byNamespace.get(namespace) ?? new Map<string, Policy>();
    this.#byNamespace.set(namespace, there.set(keyOf(object), policyOf(object)));
  }

  /** @param namespace of the hosts; undefined: all */
  *policies(namespace: string | undefined): Iterable<Policy> {
    const books = namespace === undefined ? this.#byNamespace.values() : [this.#byNamespace.get(namespace)];
    for (const book of books) if (book !== undefined) yield* book.values();
  }

  unreadable(namespace: string | undefined): number {
    return [...this.policies(namespace)].filter(({ problem }) => problem !== undefined).length;
  }

  /**
   * Namespaces of hosts that are open to the claims of a namespace, whose labels are read only where they decide.
   * @param inNamespace the only one of interest; undefined: all are
   */
  async openTo(name: string, inNamespace: string | undefined, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const opening = openingOf(this.policies(inNamespace), name, inNamespace);
    return opening.byLabels.length === 0 ? opening.open : openWith(opening, await this.labels.of(name, signal));
  }

  /** Whether hosts of a namespace may be open to the claims of another; where that cannot be told at once, they may. */
  mayBeOpen(namespace: string, name: string): boolean {
    const { open, byLabels } = openingOf(this.policies(namespace), name, namespace);
    if (open.size > 0 || byLabels.length === 0) return open.size > 0;
    const labels = this.labels.known(name);
    return labels === undefined || byLabels.some((policy) => policy.acceptsLabels(labels));
  }
}
