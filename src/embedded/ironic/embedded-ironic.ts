import { SystemRandom, type Clock, type Random } from '../../clock.js';
import type { BootClass, HistoryEntry } from './activity.js';
import { assemble, type Assembly } from './assembly.js';
import { parseFaults, type FaultsInput } from './fault-schema.js';
import { Journal, noJournal } from './journal.js';
import { parseRange } from './microversion.js';
import type { NodeFields } from './node-record.js';
import { RequestCounts } from './request-counts.js';
import { Router } from './router.js';
import { agentRoutes } from './routes-agent.js';
import { driverRoutes } from './routes-drivers.js';
import { hardwareRoutes } from './routes-hardware.js';
import { mediaRoutes } from './routes-media.js';
import { nodeRoutes } from './routes-nodes.js';
import { passthruRoutes } from './routes-passthru.js';
import { portRoutes } from './routes-ports.js';
import { rootRoutes } from './routes-root.js';
import { stateRoutes } from './routes-states.js';
import { ApiServer, type BasicAuth } from './server.js';
import { resolveSettings, type PhaseOptions } from './settings.js';

export interface EmbeddedIronicOptions {
  clock: Clock;
  random?: Random;
  /** Folder of the database; without it everything is forgotten at the end. */
  dataDir?: string;
  /** Address to listen on; default 127.0.0.1. */
  host?: string;
  /** Port to listen on; default 0, any free one. */
  port?: number;
  /** Faults from the start; the format is in docs/faults.md. */
  faults?: FaultsInput;
  /** How long things take. */
  phases?: PhaseOptions;
  /** Ask every client for these, except for the version documents. */
  basicAuth?: BasicAuth;
  /** Offered range of API versions, as `1.N`; default 1.1 to 1.115. */
  microversions?: { min?: string; max?: string };
  /** Most entries of one page of a list; default 1000, as Ironic's. */
  maxLimit?: number;
  /** Name of the conductor, which shows in `reservation`; default `ironic`. */
  conductor?: string;
  onWarning?: (text: string) => void;
}

/**
 * An OpenStack Ironic in this process: its REST API over HTTP, its states, locks and refusals, and machines that live
 * only in its database. Without faults every controller answers and every image deploys.
 */
export class EmbeddedIronic {
  private readonly counts = new RequestCounts();
  private readonly parts: Assembly;
  private readonly journal: Journal | null;
  private readonly server: ApiServer;
  private running = false;
  /** Kept over a stop, so that clients find the server again. */
  private port: number;

  /** @throws InputError for an option or a fault that makes no sense */
  constructor(private readonly options: EmbeddedIronicOptions) {
    const { clock, basicAuth, dataDir } = options;
    this.port = options.port ?? 0;
    const random = options.random ?? new SystemRandom();
    const onWarning = options.onWarning ?? (() => undefined);
    const settings = resolveSettings(options.phases);
    const versions = parseRange(options.microversions);
    const contents = () => ({ nodes: this.parts.services.store.nodes(), ports: this.parts.services.store.ports() });
    this.journal = dataDir === undefined ? null : new Journal(dataDir, contents, onWarning);
    this.parts = assemble({
      ...{ clock, random, settings, versions },
      log: this.journal ?? noJournal,
      host: options.conductor ?? 'ironic',
      maxLimit: options.maxLimit ?? 1000,
    });
    const { services } = this.parts;
    this.setFaults(options.faults ?? {});
    const routes = [rootRoutes, driverRoutes, nodeRoutes, stateRoutes, hardwareRoutes];
    routes.push(mediaRoutes, passthruRoutes, portRoutes, agentRoutes);
    this.server = new ApiServer({
      ...{ versions, basicAuth, clock, random, onWarning },
      router: new Router(routes.flatMap((each) => each(services))),
      faults: services.faults,
      counts: this.counts,
      scaled: (seconds) => settings.scaled(seconds),
    });
  }

  /**
   * Loads the database, goes on with what was under way and listens.
   * @throws InputError when the folder cannot be used, or the system's error when the port is taken
   */
  async start(): Promise<{ url: string; port: number }> {
    const { services, powerSync } = this.parts;
    if (this.journal) {
      const { nodes, ports } = this.journal.load();
      services.store.replace(nodes.values(), ports.values());
      this.journal.compact();
    }
    const { baseUrl, port } = await this.server.start(this.options.host ?? '127.0.0.1', this.port);
    this.port = port;
    services.locks.restart();
    services.conductor.resumeAll();
    powerSync.start();
    this.running = true;
    return { url: `${baseUrl}/v1/`, port };
  }

  /** Closes every connection and timer. The database stays as it is; `start` goes on from there, on the same port. */
  async stop(): Promise<void> {
    if (!this.running) return;
    this.running = false;
    const closed = this.server.stop();
    this.parts.stopTimers();
    this.journal?.close();
    await closed;
  }

  /** Puts other faults in force; `times` start anew. @throws InputError naming the wrong field */
  setFaults(faults: FaultsInput): void {
    this.parts.services.faults.set(parseFaults(faults));
  }

  /** Calls since the start or the last reset, by `METHOD /v1/route/{template}`. */
  requestCounts(): Record<string, number> {
    return this.counts.all();
  }

  resetRequestCounts(): void {
    this.counts.reset();
  }

  /** What happened to whom, oldest first. */
  history(): HistoryEntry[] {
    return this.parts.services.activity.history();
  }

  /** The most nodes that ever were busy (cleaning, inspecting, deploying, deleting) at one time, by kind of boot. */
  maxBusy(): Record<BootClass, number> {
    return this.parts.services.activity.maxBusy();
  }

  /** Forgets history and peaks. */
  resetHistory(): void {
    this.parts.services.activity.reset();
  }

  /** All nodes in order of creation, secrets included: for tests, never for output. */
  nodes(): NodeFields[] {
    return this.parts.services.store.nodes().map((node) => structuredClone(node.fields));
  }

  /** One node by uuid or name. */
  node(ident: string): NodeFields | undefined {
    return this.nodes().find((fields) => fields.uuid === ident || fields.name === ident);
  }

  /** Loses all nodes and ports, as a real Ironic whose database is gone. */
  emptyDatabase(): void {
    const { store, conductor } = this.parts.services;
    for (const node of store.nodes()) {
      conductor.forget(node);
      store.delete(node);
    }
  }

  /**
   * Changes fields behind the API's back: a host that was powered off by hand, a state of long ago. A changed provision
   * state ends what was under way; a changed power state is also the machine's.
   * @throws ApiError 404 for an unknown node
   */
  setNode(ident: string, change: Partial<NodeFields>): void {
    const { store, conductor, activity, stamps } = this.parts.services;
    const node = store.find(ident);
    const { name, ...fields } = change;
    if (name !== undefined) store.rename(node, name);
    if (fields.provision_state !== undefined) {
      conductor.forget(node);
      fields.provision_updated_at ??= stamps.next();
      fields.reservation ??= null;
    }
    if (fields.power_state) node.hardwarePower = fields.power_state;
    Object.assign(node.fields, fields);
    activity.observe(node);
    store.save(node);
  }
}
