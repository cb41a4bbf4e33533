import { customResourceDefinitions, type BareMetalHost, bareMetalHostSchema } from '../../src/apis/index.js';
import { EmbeddedKubeServer, type Fault, type FaultRequest } from '../../src/embedded/kube/index.js';
import {
  Companions,
  HardwareDataStore,
  hardwareDataKind,
  HostChartRunner,
  hostKind,
  type Inspector,
  HostReconciler,
  HostSecrets,
  type PassReport,
  providedHostMachine,
  withPackedHardware,
  withWritersAlone,
} from '../../src/controllers/host/index.js';
import {
  type Decision,
  EventRecorder,
  eventKind,
  HttpTransport,
  KubeApi,
  type KubeObject,
  ObjectStore,
  parseKubeConfig,
  RateLimiter,
  secretKind,
  SecretStore,
} from '../../src/kube/index.js';
import { CapacityLedger } from '../../src/provisioner/index.js';
import { companionKinds, type CompanionName, type CompanionNews, putCompanion } from './companions.js';
import { FakeClock } from './fake-clock.js';
import type { HostBuilder } from './host-builder.js';
import { ScriptedBackEnd } from './scripted-provisioner.js';

export interface Passed {
  readonly decision: Decision;
  /** As the API server has it after the pass; undefined when it is gone. */
  readonly host: BareMetalHost | undefined;
  /** Reasons of the events of this pass, in order. */
  readonly events: string[];
  /** Writes that reached the API server, such as `patch baremetalhosts/status`; events and reads left out. */
  readonly writes: string[];
}

const key = 'default/host';
const place = { namespace: 'default', name: 'host' } as const;

const companionStores = () => {
  const store = () => new ObjectStore<KubeObject>();
  return { settings: store(), components: store(), policies: store(), dataImages: store(), images: store() };
};

function ownerOf({ metadata: { uid = '' } }: KubeObject) {
  return { apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', name: 'host', uid };
}

/** The host controller, pass by pass, on the embedded API server and a back end that answers what the test says. */
export class HostBench {
  readonly clock = new FakeClock();
  readonly backEnd = new ScriptedBackEnd();
  readonly counted: string[] = [];
  readonly reports: PassReport[] = [];
  readonly logged: string[] = [];
  maxRetries = 5;
  /** 1: each reconcile is one pass. Takes effect with `restart`. */
  maxRounds = 1;
  /** Takes effect with the next `restart`. */
  inspector: Inspector | undefined;
  /** Fault for the next requests; see the embedded server. */
  fault: ((request: FaultRequest) => Fault | undefined) | undefined;
  #server!: EmbeddedKubeServer;
  #transport!: HttpTransport;
  api!: KubeApi;
  ledger!: CapacityLedger;
  #events!: EventRecorder;
  /** States that the operator has made visible, each write of its own; the same one twice in a row is one. */
  readonly shown: string[] = [];
  #hosts = new ObjectStore<KubeObject>(withWritersAlone);
  #hardware = new ObjectStore<KubeObject>(withPackedHardware);
  /** What the watches of the host's companions have brought. */
  stores = companionStores();
  #writes: string[] = [];
  #seenEvents = new Set<string>();
  reconciler!: HostReconciler;

  static async start(): Promise<HostBench> {
    const bench = new HostBench();
    await bench.#start();
    return bench;
  }

  async stop(): Promise<void> {
    this.#transport.close();
    await this.#server.stop();
  }

  async #start(): Promise<void> {
    this.#server = new EmbeddedKubeServer({
      crds: customResourceDefinitions() as never,
      clock: this.clock,
      fault: (request) => this.fault?.(request),
    });
    await this.#server.start();
    const options = { clock: this.clock, timeoutMs: 60_000, userAgent: 'test' };
    this.#transport = new HttpTransport(parseKubeConfig(this.#server.kubeconfig(), this.clock), options);
    const observer = {
      onRequest: (verb: string, kind: { plural: string }, subresource: string) => {
        if (['get', 'list', 'watch'].includes(verb) || kind.plural === 'events') return;
        this.#writes.push(`${verb} ${kind.plural}${subresource === '' ? '' : `/${subresource}`}`);
      },
    };
    this.api = new KubeApi(this.#transport, new RateLimiter(this.clock, 0, 0), 'ironchart', () => true, observer);
    await this.secret('bmc', { username: 'admin', password: 'pw' });
    this.#assemble();
  }

  /** A new operator process: everything in memory is gone, the API server and the back end are as they were. */
  restart(): void {
    this.#hosts = new ObjectStore<KubeObject>(withWritersAlone);
    this.#hardware = new ObjectStore<KubeObject>(withPackedHardware);
    this.stores = companionStores();
    this.#assemble();
  }

  #assemble(): void {
    this.#hosts.listen((event, source) => {
      const { status } = event.object as unknown as BareMetalHost;
      const state = status?.provisioning.state ?? '';
      if (source === 'write' && state !== '' && state !== this.shown.at(-1)) this.shown.push(state);
    });
    this.ledger = new CapacityLedger(this.backEnd.capacityLimit);
    const source = { component: 'metal3-baremetal-controller', reportingComponent: 'metal3.io/baremetal-controller' };
    this.#events = new EventRecorder(this.api, this.clock, source, (error) => this.logged.push(error));
    const log = (_fields: object, message: string) => this.logged.push(`${message} ${JSON.stringify(_fields)}`);
    this.reconciler = new HostReconciler({
      api: this.api,
      hosts: this.#hosts,
      hardwareData: new HardwareDataStore(this.api, this.#hardware),
      companions: new Companions(this.stores),
      secrets: new HostSecrets(new SecretStore(this.api), (type) => this.counted.push(`config-data ${type}`)),
      events: this.#events,
      provisioners: this.backEnd,
      ledger: this.ledger,
      runner: new HostChartRunner(providedHostMachine, this.inspector),
      metrics: {
        count: (metric, _key, labels) => this.counted.push([metric, ...Object.values(labels ?? {})].join(' ')),
        observe: (metric) => this.counted.push(metric),
        forget: () => undefined,
      },
      clock: this.clock,
      random: { next: () => 0 },
      log: { debug: log, info: log, warn: log, error: log },
      maxProvisioningRetries: this.maxRetries,
      maxRounds: this.maxRounds,
      onReport: (report) => this.reports.push(report),
    });
  }

  /** Creates the host as the builder describes it, and makes its credentials the ones that are known to be good. */
  async put(builder: HostBuilder, options: { goodCredentials?: boolean; unclaimed?: boolean } = {}): Promise<void> {
    const created = await this.api.create<KubeObject>(hostKind, builder.object());
    const { status } = builder;
    if (status !== undefined) {
      await this.#claimSecret(created);
      if (!(options.unclaimed ?? false)) await this.companion('settings', { spec: { settings: {} } });
      const secret = await this.api.get(secretKind, { namespace: 'default', name: 'bmc' });
      const version = secret?.metadata.resourceVersion;
      const credentials = { credentials: { name: 'bmc', namespace: 'default' }, credentialsVersion: version };
      const known =
        options.goodCredentials === false ? {} : { goodCredentials: credentials, triedCredentials: credentials };
      await this.api.patch(
        hostKind,
        { namespace: 'default', name: 'host' },
        { status: { ...known, ...status } },
        { subresource: 'status' },
      );
    }
    if (builder.isDeleted) await this.api.delete(hostKind, { namespace: 'default', name: 'host' });
    this.#writes = [];
    this.backEnd.forget();
  }

  /** As the first pass would have left it, so that claiming costs no write in the pass under test. */
  async #claimSecret(host: KubeObject): Promise<void> {
    const owner = ownerOf(host);
    await new SecretStore(this.api).acquire(
      { namespace: 'default', name: 'bmc' },
      { owner, finalizer: 'baremetalhost.metal3.io/secret' },
    );
  }

  async secret(name: string, values: Record<string, string>, type?: string): Promise<void> {
    const known = await this.api.get(secretKind, { namespace: 'default', name });
    const object = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: 'default' },
      type,
      stringData: values,
    };
    if (known === undefined) await this.api.create(secretKind, object);
    else await this.api.patch(secretKind, { namespace: 'default', name }, { data: null, stringData: values });
  }

  /** Creates an object of the host's own name, which belongs to the host unless it says otherwise; or changes it. */
  async companion(name: CompanionName, news: CompanionNews): Promise<void> {
    const isThere = (await this.companionOf(name)) !== undefined;
    const host = isThere ? undefined : await this.api.get<KubeObject>(hostKind, place);
    const owners = host === undefined ? {} : { ownerReferences: [ownerOf(host)] };
    const metadata = isThere ? news.metadata : { ...owners, ...news.metadata };
    await putCompanion(this.api, name, place, { ...news, ...(metadata === undefined ? {} : { metadata }) });
    this.#writes = [];
  }

  companionOf(name: CompanionName): Promise<KubeObject | undefined> {
    return this.api.get<KubeObject>(companionKinds[name], place);
  }

  readSecret(name: string): Promise<KubeObject | undefined> {
    return this.api.get(secretKind, { namespace: 'default', name });
  }

  /** Events whose reason begins so. */
  async events(reason: string): Promise<KubeObject[]> {
    const { items } = await this.api.list(eventKind, { namespace: 'default' });
    return items.filter((event) => String(event.reason).startsWith(reason));
  }

  /** Somebody else's change of the host. */
  async change(patch: object, subresource?: 'status'): Promise<void> {
    await this.api.patch(hostKind, { namespace: 'default', name: 'host' }, patch, { subresource });
    this.#writes = [];
  }

  async host(): Promise<BareMetalHost | undefined> {
    const object = await this.api.get<KubeObject>(hostKind, { namespace: 'default', name: 'host' });
    return object === undefined ? undefined : (bareMetalHostSchema.parse(object) as BareMetalHost);
  }

  async hardwareData(): Promise<KubeObject | undefined> {
    return this.api.get<KubeObject>(hardwareDataKind, { namespace: 'default', name: 'host' });
  }

  /** What the watches would have brought by now. */
  async sync(): Promise<void> {
    const companions = Object.entries(companionKinds).map(
      ([name, kind]) => [kind, this.stores[name as CompanionName]] as const,
    );
    for (const [kind, store] of [[hostKind, this.#hosts], [hardwareDataKind, this.#hardware], ...companions] as const) {
      const object = await this.api.get<KubeObject>(kind, { namespace: 'default', name: 'host' });
      if (object !== undefined) store.put(object, 'watch');
      else store.keepOnly(new Set());
    }
  }

  /** One reconcile on a fresh cache. */
  async pass(): Promise<Passed> {
    await this.sync();
    this.#writes = [];
    const decision = await this.reconciler.reconcile(key, new AbortController().signal);
    const writes = [...this.#writes];
    await this.#events.flush();
    return { decision, host: await this.host(), events: await this.#newEvents(), writes };
  }

  /** Passes until one asks for a wait, or `limit` are done. Returns the states seen, in order. */
  async passes(limit = 20): Promise<string[]> {
    const seen: string[] = [];
    for (let count = 0; count < limit; count += 1) {
      const { decision, host } = await this.pass();
      const state = host === undefined ? 'gone' : (host.status?.provisioning.state ?? 'new');
      if (seen.at(-1) !== state) seen.push(state);
      if (decision.kind !== 'backoff' || host === undefined) return seen;
    }
    return seen;
  }

  async #newEvents(): Promise<string[]> {
    const { items } = await this.api.list(eventKind, { namespace: 'default' });
    const fresh = items.filter(({ metadata }) => !this.#seenEvents.has(metadata.uid ?? ''));
    for (const { metadata } of fresh) this.#seenEvents.add(metadata.uid ?? '');
    return fresh
      .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .map(({ reason }) => String(reason));
  }
}
