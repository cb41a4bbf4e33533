/** The operator as a whole, wired by hand: what talks to what, and in which order it starts and stops. */
import { hostKind, type Inspector, type PassReport, withWritersAlone } from '../controllers/host/index.js';
import type { Controller } from '../controllers/controller.js';
import type { SwitchTargets } from '../controllers/bare-metal-switch/index.js';
import type { ImageProvider } from '../controllers/preprovisioning-image/index.js';
import type { Clock, Random } from '../clock.js';
import {
  type ClusterAccess,
  type EventRecorder,
  HttpTransport,
  KubeApi,
  type KindRef,
  type KubeObject,
  LeaderElector,
  type LeaseOptions,
  type ObjectStore,
  RateLimiter,
  SecretStore,
  Watches,
  type WorkQueue,
} from '../kube/index.js';
import type { Log } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { CapacityLedger, type ProvisionerFactory } from '../provisioner/index.js';
import { refuseChartGaps } from './chart-gaps.js';
import { type ControllerContext, hostClaimController, hostController, otherControllers } from './controllers/index.js';
import { bareMetalSwitchController, orphanController, preprovisioningImageController } from './controllers/index.js';

export interface OperatorSettings {
  /** Empty: all. */
  readonly namespaces: readonly string[];
  readonly workers: number;
  /** Writes to the API server, a second on average and at once; 0: unbounded. */
  readonly qps: number;
  readonly burst: number;
  readonly maxProvisioningRetries: number;
  /** Agent images are built for each host; default: one image serves all. */
  readonly buildsImages?: boolean;
  /** Switches are looked after, and told to Ironic by these Secrets; default: they are not. */
  readonly switches?: SwitchTargets | undefined;
  /** Claims get hosts; default: they are left alone. */
  readonly servesClaims?: boolean;
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
  /** Makes the agent images that hosts ask for; default: somebody else does. */
  readonly imageProvider?: ImageProvider | undefined;
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
  readonly #recorders: EventRecorder[] = [];
  readonly #elector: LeaderElector | undefined;
  readonly #watches: Watches;
  readonly #controllers: readonly Controller[];
  #isSynced = false;

  constructor(parts: OperatorParts) {
    refuseChartGaps();
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

    this.#watches = new Watches(this.api, settings.namespaces, clock, random, {
      onError: (error) => log.debug({ error }, 'a watch broke off and goes on'),
      onWaiting: (kinds, error) =>
        log.warn(
          { kinds, error, remedy: 'install their definitions (ironchart crds), or grant the right to list them' },
          'nothing is done before these can be read',
        ),
    });
    this.hosts = this.#watches.store(hostKind, { slim: withWritersAlone });
    this.ledger = new CapacityLedger(parts.provisioners.capacityLimit);
    const context: ControllerContext = {
      ...{ clock, random, log, metrics, recorders: this.#recorders },
      api: this.api,
      watches: this.#watches,
      secrets: new SecretStore(this.api),
      provisioners: parts.provisioners,
    };
    const { controller, queue } = hostController(context, {
      ledger: this.ledger,
      maxProvisioningRetries: settings.maxProvisioningRetries,
      buildsImages: settings.buildsImages ?? false,
      inspector: parts.inspector,
      onReport: parts.onReport ?? (() => undefined),
    });
    this.queue = queue;
    const { imageProvider } = parts;
    const orphans = orphanController(context, settings.namespaces);
    this.#controllers = [
      controller,
      ...otherControllers.map((wire) => wire(context)),
      ...(imageProvider === undefined ? [] : [preprovisioningImageController(context, imageProvider)]),
      ...(settings.switches === undefined ? [] : [bareMetalSwitchController(context, settings.switches)]),
      ...(settings.servesClaims === true ? [hostClaimController(context, settings.namespaces)] : []),
      ...(orphans === undefined ? [] : [orphans]),
    ];
    metrics.gauge('workqueue_depth', 'Keys that wait in the queue', () => this.queue.depth);
    metrics.gauge('leader_election_master_status', 'Whether this process leads', () => (mayWrite() ? 1 : 0));
    metrics.gauge('ironchart_slots_held', 'Hosts that hold a slot', () => [...this.ledger.holders()].length);
  }

  /** undefined until all of them have been read. */
  knownHosts(): readonly KubeObject[] | undefined {
    return this.#isSynced ? [...this.hosts.values()] : undefined;
  }

  /** Resolves once every host has been put into the queue. */
  async start(): Promise<void> {
    await this.#watches.start();
    this.#isSynced = true;
    if (this.#elector !== undefined) {
      this.#parts.log.info({}, 'waiting for the lease');
      await this.#elector.lead(() => this.#parts.onLost?.());
    }
    for (const controller of this.#controllers) controller.start(this.#parts.settings.workers);
    this.#parts.log.info({ hosts: this.hosts.size, workers: this.#parts.settings.workers }, 'the operator works');
  }

  /** Ends what runs, writes the events that wait, gives the lease back. */
  async stop(): Promise<void> {
    await Promise.all(this.#controllers.map((controller) => controller.stop()));
    const flushed = Promise.all(this.#recorders.map((recorder) => recorder.flush()));
    await Promise.race([flushed, this.#parts.clock.sleep(flushMs)]);
    await this.#watches.stop();
    await this.#elector?.release().catch(() => undefined);
    this.#transport.close();
    await this.#parts.provisioners.close();
  }
}
