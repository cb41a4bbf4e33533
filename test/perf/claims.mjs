// HostClaims that get hosts: as many claims as hosts, from the start of their controller until each claim has one, with the embedded
// API server in the same process.
import { customResourceDefinitions, kinds } from '../../dist/src/apis/index.js';
import { SystemClock } from '../../dist/src/clock.js';
import {
  Fleet,
  HostClaimController,
  HostClaimReconciler,
  namespaceKind,
  NamespaceLabels,
  PolicyBook,
  WaitingLine,
} from '../../dist/src/controllers/host-claim/index.js';
import { EmbeddedKubeServer } from '../../dist/src/embedded/kube/index.js';
import {
  EventRecorder,
  HttpTransport,
  KubeApi,
  keyOf,
  ObjectStore,
  parseKubeConfig,
  RateLimiter,
  WorkQueue,
} from '../../dist/src/kube/index.js';
import { randomOf } from '../support/object-maker.mjs';

const atOnce = 50;
const limitMs = 600_000;
const silent = { debug: () => undefined, warn: () => undefined };
const reads = new Set(['get', 'list', 'watch']);

/** @returns seconds until all are served, and writes for each claim, events left out. */
export async function claimsServed(count) {
  const clock = new SystemClock();
  const server = new EmbeddedKubeServer({ crds: customResourceDefinitions(), clock });
  await server.start();
  const transport = new HttpTransport(parseKubeConfig(server.kubeconfig(), clock), {
    ...{ clock, timeoutMs: 60_000, userAgent: 'bench' },
  });
  const limiter = new RateLimiter(clock, 0, 0);
  const person = new KubeApi(transport, limiter, 'a-person');
  await create(person, count);

  let writes = 0;
  const onRequest = (verb, { plural }) => void (writes += reads.has(verb) || plural === 'events' ? 0 : 1);
  const api = new KubeApi(transport, limiter, 'ironchart', () => true, { onRequest });
  const { controller, queue } = await controllerOn(api, clock);
  try {
    const startedAt = clock.monotonic();
    controller.start();
    while (queue.depth > 0 || queue.busy > 0) {
      if (clock.monotonic() - startedAt > limitMs) throw new Error(`${queue.depth} of ${count} claims are not served`);
      await clock.sleep(10);
    }
    const seconds = Math.round((clock.monotonic() - startedAt) / 100) / 10;
    return { claims: count, seconds, unserved: count - (await served(person)), writesPerClaim: writes / count };
  } finally {
    await controller.stop();
    transport.close();
    await server.stop();
  }
}

async function create(person, count) {
  for (const name of ['tenant', 'hosts']) {
    await person.create(namespaceKind, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const spec = { hostClaimNamespaces: { nameMatches: '^ten', hasLabels: [] } };
  await person.create(kinds.hostDeployPolicy, {
    ...{ apiVersion: 'metal3.io/v1alpha1', kind: 'HostDeployPolicy' },
    ...{ metadata: { namespace: 'hosts', name: 'open' }, spec },
  });
  for (let from = 0; from < count; from += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => from + index);
    await Promise.all(numbers.map((number) => createPair(person, String(number).padStart(4, '0'))));
  }
}

async function createPair(person, number) {
  const apiVersion = 'metal3.io/v1alpha1';
  const place = { namespace: 'hosts', name: `h${number}` };
  await person.create(kinds.bareMetalHost, {
    apiVersion,
    kind: 'BareMetalHost',
    metadata: place,
    spec: { online: true },
  });
  const status = {
    operationalStatus: 'OK',
    errorCount: 0,
    errorMessage: '',
    poweredOn: true,
    provisioningFailCount: 0,
  };
  const provisioning = { state: 'available', ID: 'node-1' };
  await person.patch(kinds.bareMetalHost, place, { status: { ...status, provisioning } }, { subresource: 'status' });
  await person.create(kinds.hostClaim, {
    ...{ apiVersion, kind: 'HostClaim', metadata: { namespace: 'tenant', name: `c${number}` } },
    spec: { poweredOn: true },
  });
}

async function controllerOn(api, clock) {
  const store = async (kind) => {
    const { items, resourceVersion } = await api.list(kind, {});
    const made = new ObjectStore();
    for (const object of items) made.put(object, 'watch');
    made.keepOnly(new Set(items.map(keyOf)), undefined, resourceVersion);
    return made;
  };
  const claims = await store(kinds.hostClaim);
  const hosts = await store(kinds.bareMetalHost);
  const policies = await store(kinds.hostDeployPolicy);
  const labels = new NamespaceLabels(api, clock, await store(namespaceKind));
  const fleet = new Fleet(hosts);
  const book = new PolicyBook(policies, labels);
  const line = new WaitingLine();
  const source = { component: 'bench', reportingComponent: 'bench' };
  const events = new EventRecorder(api, clock, source, (error) => process.stderr.write(`${error}\n`));
  const random = { next: randomOf(7) };
  const reconciler = new HostClaimReconciler({
    ...{ api, claims, hosts, namespaces: [], fleet, policies: book, line, events, clock, random, log: silent },
  });
  const queue = new WorkQueue(clock, {}, (key) => line.rankOf(key));
  const sources = { claims, policies, fleet, book, labels, line, events };
  const controller = new HostClaimController(sources, queue, (key, signal) => reconciler.reconcile(key, signal));
  return { controller, queue };
}

async function served(person) {
  const { items } = await person.list(kinds.bareMetalHost, {});
  return new Set(items.flatMap(({ spec }) => (spec.consumerRef === undefined ? [] : [spec.consumerRef.name]))).size;
}
