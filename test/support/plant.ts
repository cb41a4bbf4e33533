import { type BareMetalHost, type BareMetalHostSpec, customResourceDefinitions } from '../../src/apis/index.js';
import { SystemRandom } from '../../src/clock.js';
import { hostKind, type PassReport } from '../../src/controllers/host/index.js';
import { Operator, type OperatorSettings } from '../../src/cli/operator.js';
import {
  EmbeddedIronic,
  type FaultsInput,
  type HistoryEntry,
  type PhaseOptions,
} from '../../src/embedded/ironic/index.js';
import type { NodeFields } from '../../src/embedded/ironic/index.js';
import { EmbeddedKubeServer, type Fault, type FaultRequest } from '../../src/embedded/kube/index.js';
import { eventKind, type KubeApi, type KubeObject, parseKubeConfig, secretKind } from '../../src/kube/index.js';
import { createLog } from '../../src/observability/log.js';
import { Metrics } from '../../src/observability/metrics.js';
import { IronicProvisionerFactory } from '../../src/provisioner/ironic/index.js';
import { Writable } from 'node:stream';
import { eventually } from './eventually.js';
import { type Condition, HostWatch } from './host-watch.js';
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
  readonly leaderElection?: OperatorSettings['leaderElection'];
  /** How many times faster than real time everything runs. */
  readonly speed?: number;
  /** Of that faster time. */
  readonly phases?: PhaseOptions;
  readonly faults?: FaultsInput;
  readonly limit?: number;
  readonly workers?: number;
  readonly maxRetries?: number;
  /** Real milliseconds until a request to Ironic without an answer is given up. */
  readonly ironicTimeoutMs?: number;
  readonly ironicIsAway?: boolean;
  /** The API server takes anything at all as `status.lifecycle`, as one with definitions of other versions may. */
  readonly takesAnyLifecycle?: boolean;
  /** Real milliseconds that a wait for a host may take. */
  readonly patienceMs?: number;
}

export interface HostWish {
  readonly spec?: Partial<BareMetalHostSpec> & Record<string, unknown>;
  readonly annotations?: Record<string, string>;
  /** null: no Secret is made. */
  readonly password?: string | null;
}

export const image = {
  url: 'http://images.example.com/os.qcow2',
  checksum: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  checksumType: 'sha256',
} as const;

export const otherImage = { ...image, url: 'http://images.example.com/other.qcow2' } as const;

/**
 * The whole operator with both embedded servers in one process, by their wire protocols, in time that runs faster. The hosts'
 * own view comes from a client of its own.
 */
export class TestPlant {
  readonly clock: ScaledClock;
  readonly ironic: EmbeddedIronic;
  /** Not at work when the plant stands on a cluster. */
  readonly kube: EmbeddedKubeServer;
  readonly namespace: string;
  /** Lines of the log at its most talkative. */
  readonly log: string[] = [];
  readonly reports: PassReport[] = [];
  metrics = new Metrics();
  operator!: Operator;
  watch!: HostWatch;
  /** Breaks requests to the API server. */
  kubeFault: ((request: FaultRequest) => Fault | undefined) | undefined;
  #ironicPort = 0;
  #address = 10;

  private constructor(private readonly options: PlantOptions) {
    this.clock = new ScaledClock(options.speed ?? 40);
    const { clock } = this;
    this.namespace = options.cluster?.namespace ?? 'default';
    const crds = definitions(options.takesAnyLifecycle === true);
    this.kube = new EmbeddedKubeServer({ crds, clock, fault: (request) => this.kubeFault?.(request) });
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

  async startOperator(): Promise<void> {
    const { clock, options } = this;
    const random = new SystemRandom();
    this.metrics = new Metrics();
    const config = ironicConfig(`http://127.0.0.1:${this.#ironicPort}/v1/`, {
      provisioningLimit: options.limit ?? 20,
      timeoutMs: options.ironicTimeoutMs ?? 10_000,
    });
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.log.push(chunk.toString('utf8'));
        done();
      },
    });
    this.operator = new Operator({
      kubeConfig: parseKubeConfig(options.cluster?.operatorKubeconfig ?? this.kube.kubeconfig()),
      provisioners: new IronicProvisionerFactory({ config, clock, random }),
      ...{ clock, random, log: createLog('debug', sink), metrics: this.metrics },
      settings: {
        namespaces: options.cluster === undefined ? [] : (options.cluster.watched ?? [this.namespace]),
        workers: options.workers ?? 8,
        qps: 0,
        burst: 0,
        maxProvisioningRetries: options.maxRetries ?? 5,
        leaderElection: options.leaderElection,
      },
      onReport: (report) => this.reports.push(report),
    });
    await this.operator.start();
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
  }

  get api(): KubeApi {
    return this.watch.api;
  }

  /** A host over Redfish with an image, and its Secret `NAME-bmc`. */
  async add(name: string, wish: HostWish = {}): Promise<void> {
    const number = (this.#address += 1);
    const { password = 'right', spec, annotations } = wish;
    if (password !== null) await this.putSecret(`${name}-bmc`, { username: 'admin', password });
    await this.api.create(hostKind, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: { name, namespace: this.namespace, annotations },
      spec: {
        online: true,
        bootMACAddress: `02:00:00:00:${hex(number >> 8)}:${hex(number & 255)}`,
        bmc: {
          address: `redfish://192.0.${2 + (number >> 8)}.${number & 255}/redfish/v1/Systems/1`,
          credentialsName: `${name}-bmc`,
        },
        image,
        ...spec,
      },
    });
  }

  async putSecret(name: string, stringData: Record<string, string>): Promise<void> {
    const key = { namespace: this.namespace, name };
    const known = await this.api.get(secretKind, key);
    if (known !== undefined) await this.api.patch(secretKind, key, { stringData });
    else await this.api.create(secretKind, { apiVersion: 'v1', kind: 'Secret', metadata: key, stringData });
  }

  secret(name: string): Promise<KubeObject | undefined> {
    return this.api.get(secretKind, { namespace: this.namespace, name });
  }

  /** Somebody's change of a host: a merge patch. Resolves once the watch has brought it. */
  async change(name: string, patch: object, subresource?: 'status'): Promise<void> {
    const changed = await this.api.patch<KubeObject>(hostKind, { namespace: this.namespace, name }, patch, {
      subresource,
    });
    const version = Number(changed.metadata.resourceVersion);
    const isSeen: Condition = (host) => host === undefined || Number(host.metadata.resourceVersion) >= version;
    await this.watch.until(`${this.namespace}/${name}`, `version ${version}`, isSeen);
  }

  annotate(name: string, annotations: Record<string, string | null>): Promise<void> {
    return this.change(name, { metadata: { annotations } });
  }

  async remove(name: string): Promise<void> {
    await this.api.delete(hostKind, { namespace: this.namespace, name });
  }

  host(name: string): BareMetalHost {
    const host = this.watch.get(`${this.namespace}/${name}`);
    if (host === undefined) throw new Error(`${name} is gone`);
    return host;
  }

  async until(name: string, what: string, accepts: (host: BareMetalHost) => boolean): Promise<BareMetalHost> {
    const condition: Condition = (host) => host !== undefined && accepts(host);
    return (await this.watch.until(`${this.namespace}/${name}`, what, condition)) as BareMetalHost;
  }

  /** In this state, standing well. */
  reaches(name: string, state: string): Promise<BareMetalHost> {
    return this.until(
      name,
      state,
      ({ status }) => status?.provisioning.state === state && status.operationalStatus === 'OK',
    );
  }

  /** Provisioned and powered on: nothing more is to happen. */
  settled(name: string): Promise<BareMetalHost> {
    return this.until(name, 'provisioned and on', ({ status }) => {
      const { provisioning, operationalStatus, poweredOn } = status ?? {};
      return provisioning?.state === 'provisioned' && operationalStatus === 'OK' && poweredOn === true;
    });
  }

  fails(name: string, errorType: string): Promise<BareMetalHost> {
    return this.until(name, errorType, ({ status }) => status?.errorType === errorType);
  }

  async gone(name: string): Promise<void> {
    await this.watch.until(`${this.namespace}/${name}`, 'gone', (host) => host === undefined);
  }

  states(name: string): string[] {
    return this.watch.states(`${this.namespace}/${name}`);
  }

  versions(name: string): BareMetalHost[] {
    return this.watch.versions(`${this.namespace}/${name}`);
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

  /**
   * Events of a host, in order, once the one with the reason `last` was there so many `times`: they are written in the
   * background, after the status that they belong to.
   */
  async events(name: string, last?: string, times = 1): Promise<{ reason: string; message: string }[]> {
    return eventually(`event ${String(last)}`, async () => {
      const { items } = await this.api.list(eventKind, { namespace: this.namespace });
      const events = items
        .filter((event) => (event.involvedObject as { name: string }).name === name)
        .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map(({ reason, message }) => ({ reason: String(reason), message: String(message) }));
      return last === undefined || events.filter(({ reason }) => reason === last).length >= times ? events : undefined;
    });
  }

  async reasons(name: string, last?: string): Promise<string[]> {
    return (await this.events(name, last)).map(({ reason }) => reason);
  }
}

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

function hex(number: number): string {
  return number.toString(16).padStart(2, '0');
}

/** Status of one condition. */
export function condition(host: BareMetalHost, type: string): { status: string; reason: string; message: string } {
  const found = host.status?.conditions?.find((each) => each.type === type);
  return { status: found?.status ?? '', reason: found?.reason ?? '', message: found?.message ?? '' };
}
