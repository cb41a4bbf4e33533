/** The controller of one kind, pass by pass, on an API server and a back end that answers what the test says. */
import { type BareMetalHost, kinds } from '../../src/apis/index.js';
import {
  type Decision,
  EventRecorder,
  eventKind,
  HttpTransport,
  KubeApi,
  type KindRef,
  keyOf,
  type KubeObject,
  ObjectStore,
  parseKey,
  parseKubeConfig,
  RateLimiter,
  secretKind,
  SecretStore,
} from '../../src/kube/index.js';
import { type BenchFault, benchPlace, type BenchServer } from './bench-server.js';
import { FakeClock } from './fake-clock.js';
import { ScriptedBackEnd } from './scripted-provisioner.js';

export interface Told {
  readonly reason: string;
  readonly message: string;
  readonly name: string;
}

const namespaceKind: KindRef = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces' };

interface Reconciler {
  reconcile(key: string, signal: AbortSignal): Promise<Decision>;
}

export class ObjectBench {
  readonly clock = new FakeClock(benchPlace().epoch);
  readonly provisioners = new ScriptedBackEnd();
  readonly logged: string[] = [];
  /** Writes that reached the API server since they were last looked at, such as `patch dataimages/status`; no events. */
  writes: string[] = [];
  /** Fault for the next requests; see the embedded server. */
  fault: BenchFault | undefined;
  /** What the API server said to the last write that it did not take. */
  readonly log = {
    debug: (fields: object, message: string) => void this.logged.push(`${message} ${JSON.stringify(fields)}`),
    warn: (fields: object, message: string) => void this.logged.push(`${message} ${JSON.stringify(fields)}`),
  };
  readonly #stores = new Map<KindRef, ObjectStore<KubeObject>>();
  #server!: BenchServer;
  #transport!: HttpTransport;
  api!: KubeApi;
  /** For what others do. */
  person!: KubeApi;
  events!: EventRecorder;
  secrets!: SecretStore;
  #seenEvents = 0;

  static async start(): Promise<ObjectBench> {
    const bench = new ObjectBench();
    await bench.#start();
    return bench;
  }

  async #start(): Promise<void> {
    const { clock } = this;
    this.#server = await benchPlace().start(clock, (request) => this.fault?.(request));
    const options = { clock, timeoutMs: 60_000, userAgent: 'test' };
    this.#transport = new HttpTransport(parseKubeConfig(this.#server.kubeconfig, clock), options);
    const observer = {
      onRequest: (verb: string, { plural }: KindRef, subresource: string) => {
        if (['get', 'list', 'watch'].includes(verb) || plural === 'events') return;
        this.writes.push(`${verb} ${plural}${subresource === '' ? '' : `/${subresource}`}`);
      },
    };
    const limiter = new RateLimiter(clock, 0, 0);
    this.api = new KubeApi(this.#transport, limiter, 'ironchart', () => true, observer);
    this.person = new KubeApi(this.#transport, limiter, 'a-person');
    this.secrets = new SecretStore(this.api);
    this.events = new EventRecorder(this.api, clock, { component: 'c', reportingComponent: 'r' }, (error) =>
      this.logged.push(error),
    );
  }

  async stop(): Promise<void> {
    this.#transport.close();
    await this.#server.stop();
  }

  /** Filled anew before each pass, as a watch would have by then. */
  store(kind: KindRef): ObjectStore<KubeObject> {
    const store = this.#stores.get(kind) ?? new ObjectStore<KubeObject>();
    this.#stores.set(kind, store);
    return store;
  }

  async sync(): Promise<void> {
    for (const [kind, store] of this.#stores) {
      const { items, resourceVersion } = await this.person.list(kind, {});
      for (const object of items) store.put(object, 'watch');
      store.keepOnly(new Set(items.map(keyOf)), undefined, resourceVersion);
    }
  }

  async pass(reconciler: Reconciler, key: string): Promise<Decision> {
    await this.sync();
    return this.passAsCached(reconciler, key);
  }

  /** On a cache that may be behind. */
  async passAsCached(reconciler: Reconciler, key: string): Promise<Decision> {
    this.writes = [];
    const decision = await reconciler.reconcile(key, new AbortController().signal);
    await this.events.flush();
    return decision;
  }

  async put(
    kind: KindRef,
    key: string,
    news: { spec?: object; metadata?: object; status?: object },
  ): Promise<KubeObject> {
    const place = parseKey(key);
    const { spec, metadata, status } = news;
    const known = await this.person.get(kind, place);
    if (known !== undefined && (spec !== undefined || metadata !== undefined)) {
      await this.person.patch(kind, place, { spec, metadata });
    }
    if (known === undefined) {
      const version = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
      const object = { apiVersion: version, kind: kind.kind, metadata: { ...place, ...metadata }, spec };
      const { metadata: made } = await this.person.create<KubeObject>(kind, object);
      this.#catchUp(made.creationTimestamp);
    }
    if (status !== undefined) await this.person.patch(kind, place, { status }, { subresource: 'status' });
    return (await this.get(kind, key))!;
  }

  get(kind: KindRef, key: string): Promise<KubeObject | undefined> {
    return this.person.get<KubeObject>(kind, parseKey(key));
  }

  async remove(kind: KindRef, key: string): Promise<void> {
    await this.person.delete(kind, parseKey(key));
    this.#catchUp((await this.get(kind, key))?.metadata.deletionTimestamp);
  }

  /** A server with a clock of its own may be ahead of this one. */
  #catchUp(moment: string | undefined): void {
    const ahead = Date.parse(moment ?? '') - this.clock.now();
    if (ahead > 0) this.clock.advance(ahead);
  }

  /** What is made after this is younger, by what the server says, than what was made before. */
  async passSecond(): Promise<void> {
    this.clock.advance(1_000);
    await this.#server.passSecond?.();
  }

  /** Makes a namespace besides the one that is always there; on a server that others have used it may be there too. */
  async namespace(name: string): Promise<void> {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
    if ((await this.person.get(namespaceKind, { namespace: '', name })) === undefined)
      await this.person.create(namespaceKind, object);
  }

  /** A registered host, with nothing wrong; whatever is given differs. */
  async host(
    key: string,
    status: Partial<Omit<BareMetalHost['status'] & object, 'provisioning'>> & {
      provisioning?: { state?: string; ID?: string };
    } = {},
    annotations?: Record<string, string | null>,
  ): Promise<KubeObject> {
    const provisioning = { state: 'available', ID: 'node-1', ...status.provisioning };
    const base = {
      operationalStatus: 'OK',
      errorCount: 0,
      errorMessage: '',
      poweredOn: true,
      provisioningFailCount: 0,
    };
    return this.put(kinds.bareMetalHost, key, {
      spec: { online: true },
      ...(annotations === undefined ? {} : { metadata: { annotations } }),
      status: { ...base, ...status, provisioning },
    });
  }

  async secret(name: string, stringData: Record<string, string>): Promise<void> {
    const metadata = { namespace: 'default', name };
    const known = await this.person.get(secretKind, metadata);
    if (known !== undefined) await this.person.patch(secretKind, metadata, { stringData });
    else await this.person.create(secretKind, { apiVersion: 'v1', kind: 'Secret', metadata, stringData });
  }

  /** Events that have come since they were last asked for. */
  async told(): Promise<Told[]> {
    const { items } = await this.person.list(eventKind, { namespace: 'default' });
    const sorted = items.sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion));
    const fresh = sorted.slice(this.#seenEvents);
    this.#seenEvents = sorted.length;
    return fresh.map(({ reason, message, involvedObject }) => ({
      reason: String(reason),
      message: String(message),
      name: (involvedObject as { name: string }).name,
    }));
  }
}

interface Judged {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration: number;
  readonly lastTransitionTime: string;
}

export function conditionIn(object: KubeObject | undefined, type: string): Judged | undefined {
  const { conditions = [] } = (object?.status ?? {}) as { conditions?: Judged[] };
  return conditions.find((condition) => condition.type === type);
}

/** `True Success`, say. */
export function verdictOf(object: KubeObject | undefined, type: string): string {
  const { status = '', reason = '' } = conditionIn(object, type) ?? {};
  return `${status} ${reason}`;
}
