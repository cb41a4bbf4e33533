/** The connection to Ironic: one for all hosts, and a new one when Ironic is found elsewhere or to be met otherwise. */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock.js';
import {
  ConnectionSettings,
  IronicClient,
  Transport,
  type ConnectionMaterial,
  type RequestRecord,
} from './client/index.js';
import type { IronicConfig } from './config.js';
import type { IronicEndpoint, IronicEndpointSource } from './endpoint-source.js';

export interface ConnectionParts {
  readonly config: IronicConfig;
  readonly clock: Clock;
  readonly onRequest?: (record: RequestRecord) => void;
  /** Absent: the endpoint and the credentials are those of the configuration. */
  readonly source?: IronicEndpointSource;
}

export class IronicConnections {
  readonly #files: ConnectionSettings;
  readonly #transports: Transport[] = [];
  #current: { readonly to: IronicEndpoint | undefined; readonly client: IronicClient } | undefined;

  constructor(private readonly parts: ConnectionParts) {
    this.#files = new ConnectionSettings(parts.config);
  }

  /** A client that has not asked for the version yet. @throws IronchartError as the source does. */
  async client(): Promise<IronicClient> {
    const to = await this.parts.source?.read();
    if (this.#current === undefined || !isDeepStrictEqual(to, this.#current.to)) {
      this.#current = { to, client: this.#connect(to) };
    }
    return this.#current.client;
  }

  /** Ends every connection that ever was: requests may have been under way on an earlier one until now. */
  close(): void {
    for (const transport of this.#transports) transport.close();
  }

  #connect(to: IronicEndpoint | undefined): IronicClient {
    const { config, clock, onRequest } = this.parts;
    const settings = to === undefined ? this.#files : this.#materialOf(to);
    const transport = new Transport({
      endpoint: to?.endpoint ?? config.endpoint,
      timeoutMs: config.timeoutMs,
      insecure: config.insecure,
      proxy: config.proxy,
      settings,
      clock,
      onRequest,
    });
    this.#transports.push(transport);
    return new IronicClient(transport, settings);
  }

  /** The files of the configuration say nothing about an Ironic that is met without TLS. */
  #materialOf({ endpoint, auth, ca }: IronicEndpoint): ConnectionMaterial {
    const isSecure = new URL(endpoint).protocol === 'https:';
    return {
      auth: () => Promise.resolve(auth),
      tls: async () => {
        if (!isSecure) return { ca: undefined, certificate: undefined, key: undefined };
        const files = await this.#files.tls();
        return { ...files, ca: ca ?? files.ca };
      },
    };
  }
}
