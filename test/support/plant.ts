import { customResourceDefinitions } from '../../src/apis/index.js';
import { admission } from '../../src/cli/admission.js';
import { SystemRandom } from '../../src/clock.js';
import type { PassReport } from '../../src/controllers/host/index.js';
import { Operator, type OperatorSettings } from '../../src/cli/operator.js';
import type { ImageProvider } from '../../src/controllers/preprovisioning-image/index.js';
import {
  EmbeddedIronic,
  type FaultsInput,
  type HistoryEntry,
  type PhaseOptions,
} from '../../src/embedded/ironic/index.js';
import type { NodeFields } from '../../src/embedded/ironic/index.js';
import { EmbeddedKubeServer, type Fault, type FaultRequest } from '../../src/embedded/kube/index.js';
import { parseKubeConfig } from '../../src/kube/index.js';
import { createLog } from '../../src/observability/log.js';
import { Metrics } from '../../src/observability/metrics.js';
import { IronicProvisionerFactory } from '../../src/provisioner/ironic/index.js';
import { Writable } from 'node:stream';
import { condition, HostDesk, type HostWish, image, otherImage } from './host-desk.js';
import { HostWatch } from './host-watch.js';
import { ironicConfig } from './ironic-host.js';
import { ScaledClock } from './scaled-clock.js';

/** An API server that is there already, with the definitions. */
export interface PlantCluster {
  /** Of whoever makes, changes and watches hosts. */
  readonly kubeconfig: string;
  readonly operatorKubeconfig: string;
  /** Where the hosts are. */
  readonly namespace: string;
  /** Default: that namespace; empty: all. */
  readonly watched?: readonly string[];
}

export interface PlantOptions {
  /** Default: an embedded one. */
  readonly cluster?: PlantCluster;
  /** Namespaces that the operator is for, without a cluster; default: all. */
  readonly watched?: readonly string[];
  readonly leaderElection?: OperatorSettings['leaderElection'];
  /** How many times faster than real time everything runs. */
  readonly speed?: number;
  /** Of that faster time. */
  readonly phases?: PhaseOptions;
  readonly faults?: FaultsInput;
  readonly limit?: number;
  readonly workers?: number;
  readonly maxRetries?: number;
  /** Each host boots an agent image of its own; no other is configured. */
  readonly buildsImages?: boolean;
  /** Default: switches are not looked after. */
  readonly switches?: OperatorSettings['switches'];
  /** HostClaims get hosts; default: they are left alone. */
  readonly servesClaims?: boolean;
  /** Default: a person builds them. */
  readonly imageProvider?: ImageProvider;
  /** Real milliseconds until a request to Ironic without an answer is given up. */
  readonly ironicTimeoutMs?: number;
  readonly ironicIsAway?: boolean;
  /** The API server takes anything at all as `status.lifecycle`, as one with definitions of other versions may. */
  readonly takesAnyLifecycle?: boolean;
  /** There are no webhooks: objects may be written that break a rule. */
  readonly isUnguarded?: boolean;
  /** Real milliseconds that a wait for a host may take. */
  readonly patienceMs?: number;
}

/**
 * The whole operator with both embedded servers in one process, by their wire protocols, in time that runs faster. The hosts'
 * own view comes from a client of its own.
 */
export class TestPlant extends HostDesk {
  readonly clock: ScaledClock;
  readonly ironic: EmbeddedIronic;
  /** Not at work when the plant stands on a cluster. */
  readonly kube: EmbeddedKubeServer;
  /** Lines of the log at its most talkative. */
  readonly log: string[] = [];
  readonly reports: PassReport[] = [];
  metrics = new Metrics();
  operator!: Operator;
  /** Breaks requests to the API server. */
  kubeFault: ((request: FaultRequest) => Fault | undefined) | undefined;
  #ironicPort = 0;

  private constructor(private readonly options: PlantOptions) {
    super(options.cluster?.namespace ?? 'default');
    this.clock = new ScaledClock(options.speed ?? 40);
    const { clock } = this;
    const crds = definitions(options.takesAnyLifecycle === true);
    const admit = options.isUnguarded === true ? undefined : admission(() => this.operator.knownHosts());
    this.kube = new EmbeddedKubeServer({ crds, clock, admit, fault: (request) => this.kubeFault?.(request) });
    this.ironic = new EmbeddedIronic({ clock, faults: options.faults, phases: options.phases });
  }

  static async start(options: PlantOptions = {}): Promise<TestPlant> {
    const plant = new TestPlant(options);
    if (options.cluster === undefined) await plant.kube.start();
    plant.#ironicPort = (await plant.ironic.start()).port;
    if (options.ironicIsAway === true) await plant.ironic.stop();
    plant.watch = new HostWatch(options.cluster?.kubeconfig ?? plant.kube.kubeconfig(), options.patienceMs);
    await plant.watch.start();
    await plant.startOperator();
    return plant;
  }

  get ironicUrl(): string {
    return `http://127.0.0.1:${this.#ironicPort}/v1/`;
  }

  async startOperator(): Promise<void> {
    const { clock, options } = this;
    const random = new SystemRandom();
    this.metrics = new Metrics();
    const config = this.#ironicConfig();
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.log.push(chunk.toString('utf8'));
        done();
      },
    });
    this.operator = new Operator({
      cluster: parseKubeConfig(options.cluster?.operatorKubeconfig ?? this.kube.kubeconfig(), this.clock),
      provisioners: new IronicProvisionerFactory({ config, clock, random }),
      ...{ clock, random, log: createLog('debug', sink), metrics: this.metrics },
      settings: {
        namespaces:
          options.cluster === undefined ? (options.watched ?? []) : (options.cluster.watched ?? [this.namespace]),
        workers: options.workers ?? 8,
        qps: 0,
        burst: 0,
        maxProvisioningRetries: options.maxRetries ?? 5,
        ...(options.buildsImages === undefined ? {} : { buildsImages: options.buildsImages }),
        switches: options.switches,
        servesClaims: options.servesClaims ?? false,
        leaderElection: options.leaderElection,
      },
      imageProvider: options.imageProvider,
      onReport: (report) => this.reports.push(report),
    });
    await this.operator.start();
  }

  #ironicConfig() {
    const { limit, ironicTimeoutMs, buildsImages } = this.options;
    return ironicConfig(this.ironicUrl, {
      provisioningLimit: limit ?? 20,
      timeoutMs: ironicTimeoutMs ?? 10_000,
      ...(buildsImages === true ? imagesOfTheirOwn : {}),
    });
  }

  /** The operator ends in order and begins anew; both servers go on meanwhile. */
  async restartOperator(): Promise<void> {
    await this.operator.stop();
    await this.startOperator();
  }

  async stop(): Promise<void> {
    await this.operator.stop();
    await this.watch.stop();
    await this.ironic.stop();
    if (this.options.cluster === undefined) await this.kube.stop();
    this.clock.stop();
  }

  /** As `addRedfish` does. */
  add(name: string, wish: HostWish = {}): Promise<void> {
    return this.addRedfish(name, wish);
  }

  node(name: string): NodeFields | undefined {
    return this.ironic.node(`${this.namespace}~${name}`);
  }

  history(name: string): HistoryEntry[] {
    return this.ironic.history().filter((entry) => entry.name === `${this.namespace}~${name}`);
  }

  /** What clients asked of the node, in order: `create`, `manage`, `active`, power actions, … */
  requests(name: string): string[] {
    return this.history(name)
      .filter(({ by }) => by === 'request')
      .map(({ action }) => action);
  }

  count(name: string, action: string): number {
    return this.requests(name).filter((each) => each === action).length;
  }
}

const imagesOfTheirOwn = { imageBuilder: true, deployKernelURL: '', deployRamdiskURL: '', deployISOURL: '' };

interface Definition {
  readonly spec: {
    readonly versions: {
      readonly schema: {
        readonly openAPIV3Schema: {
          readonly properties: { readonly status?: { properties: Record<string, unknown> } };
        };
      };
    }[];
  };
}

function definitions(takesAnyLifecycle: boolean): Record<string, unknown>[] {
  const crds = structuredClone(customResourceDefinitions()) as unknown as Record<string, unknown>[];
  if (!takesAnyLifecycle) return crds;
  for (const crd of crds as unknown as Definition[]) {
    const properties = crd.spec.versions[0]?.schema.openAPIV3Schema.properties.status?.properties;
    if (properties?.lifecycle !== undefined) properties.lifecycle = { 'x-kubernetes-preserve-unknown-fields': true };
  }
  return crds;
}

export { condition, type HostWish, image, otherImage };
