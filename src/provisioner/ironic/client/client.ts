/** The calls of the Ironic API that Ironchart makes, each with the answers that it accepts. Throws IronicError. */
import { IronicError } from './ironic-error.js';
import { readVersion, versionFor, type IronicVersion } from './microversion.js';
import type { ConnectionMaterial } from './settings.js';
import type { Call, Transport } from './transport.js';

export type JSONRecord = Record<string, unknown>;

export interface PatchOperation {
  readonly op: 'add' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

export interface PortBody {
  readonly node_uuid: string;
  readonly address: string;
  readonly pxe_enabled: boolean;
}

/** More pages than this means that the list goes in circles. */
const maxPages = 10_000;

export class IronicClient {
  constructor(
    private readonly transport: Transport,
    private readonly settings: ConnectionMaterial,
    readonly version: IronicVersion = versionFor(0),
    private readonly signal?: AbortSignal,
  ) {}

  /** The same connection, speaking this version. */
  speaking(version: IronicVersion): IronicClient {
    return new IronicClient(this.transport, this.settings, version, this.signal);
  }

  /** The same connection, whose requests end when the signal aborts. */
  until(signal: AbortSignal | undefined): IronicClient {
    return new IronicClient(this.transport, this.settings, this.version, signal);
  }

  /** @throws InputError when credentials or certificates are incomplete. */
  async checkSettings(): Promise<void> {
    await this.settings.tls();
    await this.settings.auth();
  }

  async discover(): Promise<IronicVersion> {
    const ok = [200, 300];
    return readVersion(await this.transport.send({ method: 'GET', path: '', route: '', ok, microversion: undefined }));
  }

  async drivers(): Promise<string[]> {
    const { drivers } = await this.#object({ method: 'GET', path: 'drivers', route: 'drivers', ok: [200] });
    return rows(drivers).map((driver) => String(driver.name));
  }

  node(idOrName: string): Promise<JSONRecord> {
    return this.#object({ method: 'GET', path: nodePath(idOrName), route: 'nodes/{id}', ok: [200] });
  }

  createNode(body: JSONRecord): Promise<JSONRecord> {
    return this.#object({ method: 'POST', path: 'nodes', route: 'nodes', body, ok: [201, 202] });
  }

  patchNode(uuid: string, body: readonly PatchOperation[]): Promise<JSONRecord> {
    return this.#object({ method: 'PATCH', path: nodePath(uuid), route: 'nodes/{id}', body, ok: [200] });
  }

  async deleteNode(uuid: string): Promise<void> {
    await this.#send({ method: 'DELETE', path: nodePath(uuid), route: 'nodes/{id}', ok: [202, 204] });
  }

  async setProvisionState(uuid: string, body: JSONRecord): Promise<void> {
    await this.#node('PUT', uuid, 'states/provision', [202], { body });
  }

  async setPowerState(uuid: string, body: JSONRecord): Promise<void> {
    await this.#node('PUT', uuid, 'states/power', [202], { body });
  }

  async setMaintenance(uuid: string, reason: string): Promise<void> {
    await this.#node('PUT', uuid, 'maintenance', [202], { body: { reason } });
  }

  async clearMaintenance(uuid: string): Promise<void> {
    await this.#node('DELETE', uuid, 'maintenance', [202]);
  }

  async validate(uuid: string): Promise<JSONRecord> {
    return asObject(await this.#node('GET', uuid, 'validate', [200]));
  }

  async inventory(uuid: string): Promise<JSONRecord> {
    return asObject(await this.#node('GET', uuid, 'inventory', [200]));
  }

  async setRAIDConfig(uuid: string, body: JSONRecord): Promise<void> {
    await this.#node('PUT', uuid, 'states/raid', [204], { body });
  }

  /** Settings of the BIOS, in any order; with `detail` each tells what it takes. */
  async biosSettings(uuid: string, detail: boolean): Promise<JSONRecord[]> {
    const options = detail ? { query: { detail: 'true' } } : {};
    return rows(asObject(await this.#node('GET', uuid, 'bios', [200], options)).bios);
  }

  async firmwareComponents(uuid: string): Promise<JSONRecord[]> {
    return rows(asObject(await this.#node('GET', uuid, 'firmware', [200])).firmware);
  }

  /** The virtual drives and what is in them. */
  async virtualMedia(uuid: string): Promise<JSONRecord[]> {
    const answer = await this.#node('GET', uuid, 'vmedia', [200]);
    if (Array.isArray(answer)) return rows(answer);
    throw new IronicError('IRONIC_BAD_ANSWER', 'Ironic answered with something other than a list of virtual media');
  }

  async attachVirtualMedia(uuid: string, body: JSONRecord): Promise<void> {
    await this.#node('POST', uuid, 'vmedia', [204], { body });
  }

  async detachVirtualMedia(uuid: string, deviceTypes: string): Promise<void> {
    await this.#node('DELETE', uuid, 'vmedia', [204], { query: { device_types: deviceTypes } });
  }

  async createSubscription(uuid: string, body: JSONRecord): Promise<JSONRecord> {
    const query = { method: 'create_subscription' };
    return asObject(await this.#node('POST', uuid, 'vendor_passthru', [200], { query, body }));
  }

  /** A Redfish collection: the members are links. */
  async subscriptions(uuid: string): Promise<JSONRecord[]> {
    const query = { method: 'get_all_subscriptions' };
    return rows(asObject(await this.#node('GET', uuid, 'vendor_passthru', [200], { query })).Members);
  }

  /** @param id as the BMC names it */
  async subscription(uuid: string, id: string): Promise<JSONRecord> {
    const query = { method: 'get_subscription', id };
    return asObject(await this.#node('GET', uuid, 'vendor_passthru', [200], { query }));
  }

  async deleteSubscription(uuid: string, id: string): Promise<void> {
    const query = { method: 'delete_subscription' };
    await this.#node('DELETE', uuid, 'vendor_passthru', [200, 202, 204], { query, body: { id } });
  }

  /** All nodes, page after page. */
  nodes(fields: readonly string[]): Promise<JSONRecord[]> {
    return this.#pages('nodes', { fields: fields.join(',') });
  }

  ports(filter: { address: string } | { node_uuid: string }): Promise<JSONRecord[]> {
    return this.#pages('ports', { ...filter, fields: 'node_uuid,uuid,address' });
  }

  createPort(body: PortBody): Promise<JSONRecord> {
    return this.#object({ method: 'POST', path: 'ports', route: 'ports', body, ok: [201, 202] });
  }

  async #pages(collection: 'nodes' | 'ports', query: Record<string, string>): Promise<JSONRecord[]> {
    const all: JSONRecord[] = [];
    let here: Record<string, string> | undefined = query;
    for (let page = 0; here; page++) {
      if (page >= maxPages) throw new IronicError('IRONIC_BAD_ANSWER', `the list of ${collection} has no end`);
      const answer: JSONRecord = await this.#object({
        method: 'GET',
        path: collection,
        route: collection,
        query: here,
        ok: [200],
      });
      all.push(...rows(answer[collection]));
      here = nextQuery(answer.next);
    }
    return all;
  }

  #node(
    method: Call['method'],
    uuid: string,
    rest: string,
    ok: readonly number[],
    options: Pick<Call, 'query' | 'body'> = {},
  ): Promise<unknown> {
    return this.#send({ method, path: `${nodePath(uuid)}/${rest}`, route: `nodes/{id}/${rest}`, ok, ...options });
  }

  #send(call: Omit<Call, 'microversion' | 'signal'>): Promise<unknown> {
    return this.transport.send({ ...call, microversion: this.version.microversion, signal: this.signal });
  }

  async #object(call: Omit<Call, 'microversion' | 'signal'>): Promise<JSONRecord> {
    return asObject(await this.#send(call));
  }
}

const nodePath = (idOrName: string) => `nodes/${encodeURIComponent(idOrName)}`;

/** Only the query is taken over: the next page is asked for where the first one was. */
function nextQuery(next: unknown): Record<string, string> | undefined {
  if (typeof next !== 'string' || !URL.canParse(next, 'http://ironic')) return undefined;
  return Object.fromEntries(new URL(next, 'http://ironic').searchParams);
}

function asObject(value: unknown): JSONRecord {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JSONRecord;
  throw new IronicError('IRONIC_BAD_ANSWER', 'Ironic answered with something other than a JSON object');
}

function rows(value: unknown): JSONRecord[] {
  return Array.isArray(value) ? value.filter((row): row is JSONRecord => typeof row === 'object' && row !== null) : [];
}
