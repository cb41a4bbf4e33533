/** Claims, policies and hosts as people make them, and the controller of claims on an object bench, pass by pass or at work. */
import { kinds } from '../../src/apis/index.js';
import type { Random } from '../../src/clock.js';
import {
  Fleet,
  HostClaimController,
  HostClaimReconciler,
  namespaceKind,
  NamespaceLabels,
  PolicyBook,
  WaitingLine,
} from '../../src/controllers/host-claim/index.js';
import {
  type Decision,
  type KubeApi,
  type KubeObject,
  ObjectStore,
  parseKey,
  WorkQueue,
} from '../../src/kube/index.js';
import type { FaultHook } from '../../src/embedded/kube/index.js';
import type { ObjectBench } from './object-bench.js';
import { randomOf } from './object-maker.mjs';

export const { hostClaim, hostDeployPolicy, bareMetalHost } = kinds;

/** Numbers that look like chance, the same for the same seed. */
export function seeded(seed: number): Random {
  return { next: randomOf(seed) };
}

/** One process of the operator, with caches of its own where they are given. */
export class ClaimWorker {
  readonly claims: ObjectStore<KubeObject>;
  readonly hosts: ObjectStore<KubeObject>;
  readonly policies: ObjectStore<KubeObject>;
  readonly namespaces: ObjectStore<KubeObject>;
  readonly line = new WaitingLine();
  readonly queue: WorkQueue;
  readonly reconciler: HostClaimReconciler;
  readonly controller: HostClaimController;

  constructor(
    bench: ObjectBench,
    random: Random,
    { api = bench.api, own = false, watched = [] }: { api?: KubeApi; own?: boolean; watched?: readonly string[] } = {},
  ) {
    const store = (kind: typeof hostClaim) =>
      own ? new ObjectStore<KubeObject>(undefined, watched) : bench.store(kind);
    this.claims = store(hostClaim);
    this.hosts = store(bareMetalHost);
    this.policies = store(hostDeployPolicy);
    this.namespaces = watched.length === 0 ? store(namespaceKind) : new ObjectStore();
    const { clock, events, log } = bench;
    const fleet = new Fleet(this.hosts);
    const labels = new NamespaceLabels(api, clock, watched.length === 0 ? this.namespaces : undefined);
    const book = new PolicyBook(this.policies, labels);
    const { claims, hosts, policies, line } = this;
    this.reconciler = new HostClaimReconciler({
      ...{ api, claims, hosts, namespaces: watched, fleet, policies: book, line, events, clock, random, log },
    });
    this.queue = new WorkQueue(clock, {}, (key) => line.rankOf(key));
    const sources = { claims, policies, fleet, book, labels, line, events };
    this.controller = new HostClaimController(sources, this.queue, (key, signal) =>
      this.reconciler.reconcile(key, signal),
    );
  }

  pass(key: string): Promise<Decision> {
    return this.reconciler.reconcile(key, new AbortController().signal);
  }
}

/** Breaks connections too, which an embedded server alone can do. */
export function breaks(bench: ObjectBench, hook: FaultHook): void {
  bench.fault = hook as NonNullable<ObjectBench['fault']>;
}

export class ClaimDesk {
  constructor(readonly bench: ObjectBench) {}

  async namespace(name: string, labels: Record<string, string> = {}): Promise<void> {
    const known = await this.bench.person.get(namespaceKind, { namespace: '', name });
    if (known !== undefined)
      await this.bench.person.patch(namespaceKind, { namespace: '', name }, { metadata: { labels } });
    else
      await this.bench.person.create(namespaceKind, {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, labels },
      });
  }

  policy(key: string, hostClaimNamespaces: object | undefined = {}): Promise<KubeObject> {
    return this.bench.put(hostDeployPolicy, key, { spec: { hostClaimNamespaces } });
  }

  /** @param labels of the host */
  async host(key: string, labels?: Record<string, string>, status: Parameters<ObjectBench['host']>[1] = {}) {
    const made = await this.bench.host(key, status);
    return labels === undefined ? made : this.bench.put(bareMetalHost, key, { metadata: { labels } });
  }

  claim(key: string, spec: object = {}, metadata: object = {}): Promise<KubeObject> {
    return this.bench.put(hostClaim, key, { spec: { poweredOn: true, ...spec }, metadata });
  }

  /** `hosts/h0000` and on, or `tenant/c0000` and on. */
  async many(kind: 'hosts' | 'claims', count: number): Promise<void> {
    for (let from = 0; from < count; from += 50) {
      const names = Array.from({ length: Math.min(50, count - from) }, (_, index) =>
        String(from + index).padStart(4, '0'),
      );
      await Promise.all(
        names.map((name) => (kind === 'hosts' ? this.host(`hosts/h${name}`) : this.claim(`tenant/c${name}`))),
      );
    }
  }

  get(key: string): Promise<KubeObject | undefined> {
    return this.bench.get(hostClaim, key);
  }

  async boundTo(key: string): Promise<string | undefined> {
    const { bareMetalHost: host } = ((await this.get(key))?.status ?? {}) as {
      bareMetalHost?: { namespace: string; name: string };
    };
    return host === undefined ? undefined : `${host.namespace}/${host.name}`;
  }

  async consumerOf(hostKey: string): Promise<Record<string, string> | undefined> {
    const host = await this.bench.get(bareMetalHost, hostKey);
    return (host?.spec as { consumerRef?: Record<string, string> } | undefined)?.consumerRef;
  }

  /** Hosts by the claim that has them. */
  async holdings(): Promise<Map<string, string[]>> {
    const { items } = await this.bench.person.list(bareMetalHost, {});
    const found = new Map<string, string[]>();
    for (const { metadata, spec } of items) {
      const { consumerRef } = (spec ?? {}) as { consumerRef?: { namespace: string; name: string } };
      if (consumerRef === undefined) continue;
      const claim = `${consumerRef.namespace}/${consumerRef.name}`;
      found.set(claim, [...(found.get(claim) ?? []), `${metadata.namespace}/${metadata.name}`]);
    }
    return found;
  }

  removeFinalizer(key: string): Promise<unknown> {
    return this.bench.person.patch(hostClaim, parseKey(key), { metadata: { finalizers: null } });
  }
}
