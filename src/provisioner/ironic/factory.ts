/** The Ironic back end: one connection for all hosts, and whether Ironic is ready. Provisioner spec, section 3. */
import type { Clock, Random } from '../../clock.js';
import { defaultDrivers, type DriverRegistry } from '../../hardware/index.js';
import type { EventPublisher, HostAccess, Provisioner, ProvisionerFactory } from '../provisioner.js';
import { ProvisionerNotReady } from '../results.js';
import { isIronicError, type IronicClient, type RequestRecord } from './client/index.js';
import type { IronicConfig } from './config.js';
import { IronicConnections } from './connections.js';
import type { IronicEndpointSource } from './endpoint-source.js';
import { systemResolver } from './external-url.js';
import { FreshValue } from './fresh-value.js';
import { HostSession, type Resolver } from './host-session.js';
import { hostKeyOf } from './identity.js';
import { IronicProvisioner } from './ironic-provisioner.js';
import { NodeMemory, sparingLooks, type LookPolicy } from './node-memory.js';
import { DirectNodeReader, listNodes, type NodeReader } from './node-reader.js';
import type { NodeSummary } from './node.js';

export interface IronicFactoryOptions {
  readonly config: IronicConfig;
  readonly clock: Clock;
  readonly random: Random;
  /** Says where Ironic is, instead of the configuration. */
  readonly endpointSource?: IronicEndpointSource;
  /** Told of each request, for metrics. */
  readonly onRequest?: (record: RequestRecord) => void;
  readonly drivers?: DriverRegistry;
  readonly resolve?: Resolver;
  /** Another view of the fleet than asking Ironic for each node. Given the client of the pass. */
  readonly reader?: (client: IronicClient) => NodeReader;
  /** How much is looked at anew; `sparingLooks` by default. */
  readonly looks?: LookPolicy;
}

/** For how long a list of all nodes serves every host that asks for capacity. Milliseconds. */
const listTTLMs = 3000;

export class IronicProvisionerFactory implements ProvisionerFactory {
  readonly name = 'ironic';
  readonly capacityLimit: number;
  readonly #connections: IronicConnections;
  readonly #memory: NodeMemory;
  readonly #readiness: FreshValue<IronicClient>;
  readonly #list: FreshValue<readonly NodeSummary[]>;

  constructor(private readonly options: IronicFactoryOptions) {
    const { config, clock, onRequest, endpointSource: source } = options;
    this.capacityLimit = config.provisioningLimit;
    this.#memory = new NodeMemory(clock, options.looks ?? sparingLooks);
    this.#connections = new IronicConnections({
      config,
      clock,
      source,
      onRequest: (record) => {
        // An answer is proof enough that Ironic is there.
        if (record.status >= 200 && record.status < 300) this.#readiness.renew();
        onRequest?.(record);
      },
    });
    this.#readiness = new FreshValue(clock, config.readinessTTLMs, async () =>
      becomeReady(await this.#connections.client()),
    );
    this.#list = new FreshValue(clock, listTTLMs, async () => listNodes(await this.ready()));
  }

  /** The client in the version that Ironic offers. @throws ProvisionerNotReady, InputError */
  ready(): Promise<IronicClient> {
    return this.#readiness.get();
  }

  async forHost(host: HostAccess, publish: EventPublisher, signal?: AbortSignal): Promise<Provisioner> {
    const client = (await this.ready()).until(signal);
    const { config, random, drivers, resolve, reader } = this.options;
    const session = new HostSession({
      client,
      reader: reader?.(client) ?? new DirectNodeReader(client, () => this.#list.get()),
      memory: this.#memory,
      config,
      host,
      publish,
      random,
      drivers: drivers ?? builtInDrivers,
      resolve: resolve ?? systemResolver,
    });
    return new IronicProvisioner(session);
  }

  /** By the names of the nodes; a node that is named in another way is not known to be a host's. */
  async knownHosts(): Promise<readonly string[]> {
    const keys = (await this.#list.get()).map(({ name }) => hostKeyOf(name));
    return keys.filter((key) => key !== undefined);
  }

  close(): Promise<void> {
    this.#connections.close();
    return Promise.resolve();
  }
}

const builtInDrivers = defaultDrivers();

/** Ironic is ready when it tells its version and at least one conductor has brought drivers. */
async function becomeReady(client: IronicClient): Promise<IronicClient> {
  await client.checkSettings();
  try {
    const speaking = client.speaking(await client.discover());
    if ((await speaking.drivers()).length > 0) return speaking;
  } catch (error) {
    if (!isIronicError(error)) throw error;
    throw new ProvisionerNotReady(`Ironic is not ready: ${error.message}`, { cause: error });
  }
  throw new ProvisionerNotReady('Ironic is not ready: no drivers are loaded, is a conductor running?');
}
