/** The operator as a whole, wired by hand: what talks to what, and in which order it starts and stops. */
import { HardwareDataStore, HostController, HostReconciler, HostSecrets } from '../controllers/host/index.js';
import { HostChartRunner, hardwareDataKind, hostKind, providedHostMachine } from '../controllers/host/index.js';
import { maxRounds, providedPowerMachine, type Inspector, type PassReport } from '../controllers/host/index.js';
import type { Clock, Random } from '../clock.js';
import { IronchartError } from '../errors.js';
import {
  EventRecorder,
  HttpTransport,
  KubeApi,
  type ClusterAccess,
  type KubeObject,
  LeaderElector,
  type LeaseOptions,
  ObjectStore,
  RateLimiter,
  Reflector,
  type ReflectorOptions,
  secretKind,
  secretLabel,
  SecretStore,
  withoutManagedFields,
  WorkQueue,
  type KindRef,
} from '../kube/index.js';
import { hostMachine, implementationGaps, powerMachine } from '../../machines/index.js';
import type { Log } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { CapacityLedger, type ProvisionerFactory } from '../provisioner/index.js';

export interface OperatorSettings {
  /** Empty: all. */
  readonly namespaces: readonly string[];
  readonly workers: number;
  /** Writes to the API server, a second on average and at once; 0: unbounded. */
  readonly qps: number;
  readonly burst: number;
  readonly maxProvisioningRetries: number;
  readonly leaderElection: Omit<LeaseOptions, 'onError'> | undefined;
}

export interface OperatorParts {
  readonly cluster: ClusterAccess;
  readonly provisioners: ProvisionerFactory;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly settings: OperatorSettings;
  readonly inspector?: Inspector;
  readonly onReport?: (report: PassReport) => void;
  /** Called when leadership is lost; the process must end then. */
  readonly onLost?: () => void;
}

const requestTimeoutMs = 30_000;
const flushMs = 3_000;

export class Operator {
  readonly hosts: ObjectStore<KubeObject>;
  readonly ledger: CapacityLedger;
  readonly api: KubeApi;
  readonly queue: WorkQueue;
  readonly #parts: OperatorParts;
  readonly #transport: HttpTransport;
  readonly #events: EventRecorder;
  readonly #elector: LeaderElector | undefined;
  readonly #reflectors: Reflector<KubeObject>[];
  readonly #controller: HostController;
  readonly #running: Promise<void>[] = [];

  constructor(parts: OperatorParts) {
    refuseGaps();
    const { clock, random, settings, metrics, log } = parts;
    this.#parts = parts;
    this.#transport = new HttpTransport(parts.cluster, {
      clock,
      timeoutMs: requestTimeoutMs,
      userAgent: 'ironchart',
    });
    const observer = {
      onRequest: (verb: string, kind: KindRef, subresource: string) =>
        metrics.count('ironchart_kube_requests_total', undefined, {
          verb,
          resource: subresource === '' ? kind.plural : `${kind.plural}/${subresource}`,
        }),
    };
    const limiter = new RateLimiter(clock, settings.qps, settings.burst);
    // Leases are renewed past the rate limit and without the fence that they are there to feed.
    const leaseApi = new KubeApi(this.#transport, new RateLimiter(clock, 0, 0), 'ironchart');
    this.#elector =
      settings.leaderElection === undefined
        ? undefined
        : new LeaderElector(leaseApi, clock, random, {
            ...settings.leaderElection,
            onError: (message) => log.warn({ error: message }, 'the lease was not renewed'),
          });
    const mayWrite = () => this.#elector?.isLeader() ?? true;
    this.api = new KubeApi(this.#transport, limiter, 'ironchart', mayWrite, observer);

    this.hosts = new ObjectStore<KubeObject>();
    const hardware = new ObjectStore<KubeObject>();
    const secrets = new ObjectStore<KubeObject>(withoutData);
    this.#reflectors = [
      ...this.#reflect(hostKind, this.hosts),
      ...this.#reflect(hardwareDataKind, hardware),
      ...this.#reflect(secretKind, secrets, { labelSelector: `${secretLabel.key}=${secretLabel.value}` }),
    ];
    this.queue = new WorkQueue(clock, {
      onAdd: () => metrics.count('workqueue_adds_total', undefined, { name: 'baremetalhost' }),
      onDone: (_key, outcome, seconds) => {
        const result = outcome === 'done' ? 'success' : outcome === 'error' ? 'error' : 'requeue';
        metrics.count('controller_runtime_reconcile_total', undefined, { controller: 'baremetalhost', result });
        metrics.observeReconcile(seconds);
      },
      onError: (key, error) =>
        log.error({ host: key, error: error instanceof Error ? error.message : 'unknown' }, 'a pass broke off'),
    });
    this.ledger = new CapacityLedger(parts.provisioners.capacityLimit);
    const source = {
      component: 'metal3-baremetal-controller',
      reportingComponent: 'metal3.io/baremetal-controller',
    };
    this.#events = new EventRecorder(this.api, clock, source, (error) => log.warn({ error }, 'an event was lost'));
    const secretStore = new SecretStore(this.api);
    const reconciler = new HostReconciler({
      api: this.api,
      hosts: this.hosts,
      hardwareData: new HardwareDataStore(this.api, hardware),
      secrets: new HostSecrets(
        secretStore,
        (host_data_type) => metrics.count('metal3_host_config_data_error_total', undefined, { host_data_type }),
        secrets,
      ),
      events: this.#events,
      provisioners: parts.provisioners,
      ledger: this.ledger,
      runner: new HostChartRunner(providedHostMachine, parts.inspector),
      metrics,
      clock,
      random,
      log,
      maxProvisioningRetries: settings.maxProvisioningRetries,
      maxRounds,
      onReport: parts.onReport ?? (() => undefined),
    });
    const onSlotGranted = (listener: (key: string) => void) => this.ledger.onGranted(listener);
    this.#controller = new HostController(
      { hosts: this.hosts, secrets, secretStore, onSlotGranted },
      this.queue,
      reconciler,
    );
    metrics.gauge('workqueue_depth', 'Keys that wait in the queue', () => this.queue.depth);
    metrics.gauge('leader_election_master_status', 'Whether this process leads', () => (mayWrite() ? 1 : 0));
    metrics.gauge('ironchart_snapshot_pruned', 'Whether the API server keeps no status.lifecycle', () =>
      reconciler.snapshots.isPruned ? 1 : 0,
    );
    metrics.gauge('ironchart_slots_held', 'Hosts that hold a slot', () => [...this.ledger.holders()].length);
  }

  #reflect(kind: KindRef, store: ObjectStore<KubeObject>, options: ReflectorOptions = {}): Reflector<KubeObject>[] {
    const { namespaces } = this.#parts.settings;
    const { clock, random, log } = this.#parts;
    const onError = (error: string) => log.debug({ error }, 'a watch broke off and goes on');
    return (namespaces.length === 0 ? [undefined] : namespaces).map(
      (namespace) => new Reflector(this.api, kind, store, clock, random, { ...options, namespace, onError }),
    );
  }

  /** Resolves once every host has been put into the queue. */
  async start(): Promise<void> {
    for (const reflector of this.#reflectors) this.#running.push(reflector.run());
    await Promise.all(this.#reflectors.map(({ synced }) => synced));
    if (this.#elector !== undefined) {
      this.#parts.log.info({}, 'waiting for the lease');
      await this.#elector.lead(() => this.#parts.onLost?.());
    }
    this.#controller.start(this.#parts.settings.workers);
    this.#parts.log.info({ hosts: this.hosts.size, workers: this.#parts.settings.workers }, 'the operator works');
  }

  /** Ends what runs, writes the events that wait, gives the lease back. */
  async stop(): Promise<void> {
    await this.queue.stop();
    await Promise.race([this.#events.flush(), this.#parts.clock.sleep(flushMs)]);
    for (const reflector of this.#reflectors) reflector.stop();
    await Promise.all(this.#running);
    await this.#elector?.release().catch(() => undefined);
    this.#transport.close();
    await this.#parts.provisioners.close();
  }
}

function refuseGaps(): void {
  const gaps = [
    ...implementationGaps(providedHostMachine, hostMachine),
    ...implementationGaps(providedPowerMachine, powerMachine),
  ];
  if (gaps.length === 0) return;
  const names = gaps.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  throw new IronchartError('CHART_INCOMPLETE', `the chart names what is not implemented: ${names}`, { retry: 'never' });
}

/** What a Secret holds is read when it is needed, and never kept. */
function withoutData(secret: KubeObject): KubeObject {
  const { data: _data, stringData: _stringData, ...rest } = secret;
  return withoutManagedFields(rest as KubeObject);
}
