/** The whole operator in real time, between an embedded API server and the real Ironic of a bed. */
import { Writable } from 'node:stream';
import type { BareMetalHostSpec } from '../../../src/apis/index.js';
import { customResourceDefinitions } from '../../../src/apis/index.js';
import { Operator } from '../../../src/cli/operator.js';
import { type Random, SystemClock } from '../../../src/clock.js';
import { hostKind } from '../../../src/controllers/host/index.js';
import { EmbeddedKubeServer } from '../../../src/embedded/kube/index.js';
import { defaultDrivers, type DriverEntry } from '../../../src/hardware/index.js';
import { parseKubeConfig } from '../../../src/kube/index.js';
import { createLog } from '../../../src/observability/log.js';
import { Metrics } from '../../../src/observability/metrics.js';
import {
  type IronicConfig,
  IronicProvisionerFactory,
  type RequestRecord,
} from '../../../src/provisioner/ironic/index.js';
import { eventually } from '../../support/eventually.js';
import { HostDesk } from '../../support/host-desk.js';
import { HostWatch } from '../../support/host-watch.js';
import { ironicConfig } from '../../support/ironic-host.js';
import type { Json } from '../../support/kube-api/client.js';
import type { Bed } from './bed.js';

export interface BedPlantOptions {
  readonly limit?: number;
  readonly patienceMs?: number;
  readonly workers?: number;
  /** Of the connection to Ironic; default: what fits the bed. */
  readonly config?: Partial<IronicConfig>;
}

/** Waits after a failure have a random length: here the shortest, a minute after the first one. */
const impatient: Random = { next: () => 0.99 };

/** One request to Ironic, such as `PUT nodes/{id}/states/provision 202`. */
type RequestLine = string;

/** Ironic's own hardware that is not there: its drivers do nothing but wait. Not of the product: a host of it could not be used. */
const fakeHardware: DriverEntry = {
  driver: 'fake-hardware',
  interfaces: { bios: 'fake', boot: 'fake', management: 'fake', power: 'fake', raid: 'fake', vendor: 'fake' },
  needsMAC: true,
  supportsISOPreprovisioningImage: false,
  requiresProvisioningNetwork: true,
  supportsSecureBoot: false,
  driverInfo: () => ({}),
};

export class BedPlant extends HostDesk {
  readonly clock = new SystemClock();
  readonly kube: EmbeddedKubeServer;
  /** Lines of the log at its most talkative. */
  readonly log: string[] = [];
  /** What the operator asked of Ironic, in order. */
  readonly requests: RequestLine[] = [];
  operator!: Operator;

  private constructor(
    readonly bed: Bed,
    private readonly options: BedPlantOptions,
  ) {
    super('default');
    const crds = structuredClone(customResourceDefinitions()) as unknown as Record<string, unknown>[];
    this.kube = new EmbeddedKubeServer({ crds, clock: this.clock });
  }

  static async start(bed: Bed, options: BedPlantOptions = {}): Promise<BedPlant> {
    const plant = new BedPlant(bed, options);
    await plant.kube.start();
    plant.watch = new HostWatch(plant.kube.kubeconfig(), options.patienceMs ?? 120_000);
    await plant.watch.start();
    await plant.startOperator();
    return plant;
  }

  async startOperator(): Promise<void> {
    const { clock, bed, options } = this;
    const random = impatient;
    const { kernel, ramdisk } = bed.agentImage;
    const config = ironicConfig(`${bed.url}/v1/`, {
      authDirectory: bed.authDirectory,
      caFile: bed.caFile,
      timeoutMs: 30_000,
      deployKernelURL: kernel,
      deployRamdiskURL: ramdisk,
      deployISOURL: '',
      provisioningLimit: options.limit ?? 20,
      ...options.config,
    });
    const onRequest = ({ method, route, status }: RequestRecord) =>
      void this.requests.push(`${method} ${route} ${status}`);
    const drivers = defaultDrivers().register('fake', fakeHardware);
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.log.push(chunk.toString('utf8'));
        done();
      },
    });
    this.operator = new Operator({
      cluster: parseKubeConfig(this.kube.kubeconfig(), clock),
      provisioners: new IronicProvisionerFactory({ config, clock, random, drivers, onRequest }),
      ...{ clock, random, log: createLog('debug', sink), metrics: new Metrics() },
      settings: {
        namespaces: [],
        workers: options.workers ?? 8,
        qps: 0,
        burst: 0,
        maxProvisioningRetries: 5,
        leaderElection: undefined,
      },
    });
    await this.operator.start();
  }

  async stop(): Promise<void> {
    await this.operator.stop();
    await this.watch.stop();
    await this.kube.stop();
  }

  /** Machine N as a host, with its Secret `NAME-bmc`; with the bed's image unless the spec says otherwise. */
  async add(name: string, number: number, spec: Partial<BareMetalHostSpec> = {}, password?: string): Promise<void> {
    const { address, mac } = this.bed.machine(number);
    const credentials = this.bed.bmcCredentials;
    await this.putSecret(`${name}-bmc`, { ...credentials, password: password ?? credentials.password });
    await this.#create(name, {
      bootMACAddress: mac,
      bmc: { address, credentialsName: `${name}-bmc` },
      image: this.bed.image(),
      ...spec,
    });
  }

  /** A host of hardware that is not there at all, which only Ironic's drivers make believe. It cannot be inspected. */
  async addFake(name: string, number: number): Promise<void> {
    await this.putSecret(`${name}-bmc`, { username: 'admin', password: 'none' });
    await this.#create(name, {
      bootMACAddress: `02:00:00:00:${hex(number >> 8)}:${hex(number & 255)}`,
      bmc: { address: 'fake://192.0.2.1', credentialsName: `${name}-bmc` },
      inspectionMode: 'disabled',
      image: this.bed.image(),
    });
  }

  async #create(name: string, spec: object): Promise<void> {
    await this.api.create(hostKind, {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: { name, namespace: this.namespace },
      spec: { online: true, ...spec },
    });
  }

  /** The host's node in Ironic; undefined: there is none. */
  node(name: string): Promise<Json> {
    return this.bed.node(`${this.namespace}~${name}`);
  }

  /** Waits for a state of its node, which may be over before the host shows it. */
  nodeReaches(name: string, state: string): Promise<Json> {
    return this.bed.reaches(`${this.namespace}~${name}`, state);
  }

  /** With the image, and on. */
  has(name: string, image: { readonly url: string }): Promise<unknown> {
    return this.until(name, image.url, ({ status }) => {
      const { provisioning, poweredOn, operationalStatus } = status ?? {};
      const isThere = provisioning?.state === 'provisioned' && provisioning.image?.url === image.url;
      return isThere && poweredOn === true && operationalStatus === 'OK';
    });
  }

  /** How often the operator asked for something, such as `PUT nodes/{id}/states/power 409`. */
  asked(line: RequestLine): number {
    return this.requests.filter((one) => one === line).length;
  }

  /** Waits until Ironic has refused a command, as it does while another one is under way. */
  refused(): Promise<unknown> {
    return eventually('a 409', () => this.requests.some((line) => line.startsWith('PUT') && line.endsWith(' 409')));
  }

  /** Deletes hosts, and waits until neither they nor their nodes are there. */
  async clear(...names: string[]): Promise<void> {
    for (const name of names) await this.remove(name);
    await Promise.all(names.map((name) => this.gone(name)));
  }
}

function hex(number: number): string {
  return number.toString(16).padStart(2, '0');
}
