/** The hosts as claims see them, in order by what claims ask: who is free in a namespace, and who has which claim. */
import { keyOf, type KubeObject, type ObjectStore } from '../../kube/index.js';
import { factsOf, type HostFacts } from './host-facts.js';

export type FleetListener = (before: HostFacts | undefined, after: HostFacts | undefined) => void;

const nobody: ReadonlyMap<string, HostFacts> = new Map();
const none: ReadonlySet<string> = new Set();

export class Fleet {
  readonly #hosts = new Map<string, HostFacts>();
  readonly #byNamespace = new Map<string, Map<string, HostFacts>>();
  readonly #free = new Map<string, Map<string, HostFacts>>();
  readonly #byClaim = new Map<string, Set<string>>();
  readonly #listeners: FleetListener[] = [];

  constructor(hosts: ObjectStore<KubeObject>) {
    for (const object of hosts.values()) this.#put(factsOf(object));
    hosts.listen(({ type, object }) => {
      const before = this.#hosts.get(keyOf(object));
      const after = type === 'deleted' ? undefined : factsOf(object);
      if (before !== undefined) this.#remove(before);
      if (after !== undefined) this.#put(after);
      for (const listener of this.#listeners) listener(before, after);
    });
  }

  listen(listener: FleetListener): void {
    this.#listeners.push(listener);
  }

  get(key: string): HostFacts | undefined {
    return this.#hosts.get(key);
  }

  in(namespace: string): Iterable<HostFacts> {
    return (this.#byNamespace.get(namespace) ?? nobody).values();
  }

  free(namespace: string): Iterable<HostFacts> {
    return (this.#free.get(namespace) ?? nobody).values();
  }

  /** Keys of the hosts that name a claim as their consumer. */
  of(claim: string): ReadonlySet<string> {
    return this.#byClaim.get(claim) ?? none;
  }

  #put(host: HostFacts): void {
    const { key, namespace, claim, obstacle } = host;
    this.#hosts.set(key, host);
    put(this.#byNamespace, namespace, host);
    if (obstacle === undefined) put(this.#free, namespace, host);
    if (claim === undefined) return;
    const held = this.#byClaim.get(claim) ?? new Set();
    this.#byClaim.set(claim, held.add(key));
  }

  #remove({ key, namespace, claim }: HostFacts): void {
    this.#hosts.delete(key);
    this.#byNamespace.get(namespace)?.delete(key);
    this.#free.get(namespace)?.delete(key);
    if (claim === undefined) return;
    const held = this.#byClaim.get(claim);
    held?.delete(key);
    if (held?.size === 0) this.#byClaim.delete(claim);
  }
}

function put(index: Map<string, Map<string, HostFacts>>, namespace: string, host: HostFacts): void {
  const there = index.get(namespace) ?? new Map<string, HostFacts>();
  index.set(namespace, there.set(host.key, host));
}
