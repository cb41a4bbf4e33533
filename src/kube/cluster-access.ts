/**
 * How a cluster is reached: its address, what it is trusted by, who asks. Plain accounts (certificates, tokens, a pod's own
 * account) are read here. Everything else that a kubeconfig can hold is the client library's, which is loaded only then: with
 * its models of every kind it takes more memory than the rest of the operator.
 */
import { readFileSync } from 'node:fs';
import type http from 'node:http';
import type https from 'node:https';
import type { Clock } from '../clock.js';

export interface ClusterAccess {
  readonly server: URL;
  /** Headers and TLS settings for the next request. */
  requestOptions(): Promise<https.RequestOptions>;
  /** What connects, where it is not for the transport to choose: a proxy. */
  agent?(options: https.RequestOptions): http.Agent | undefined;
}

/** Text that stands in the kubeconfig, or in a file. */
export type Source = { readonly text: string } | { readonly file: string };

export interface PlainAccount {
  readonly server: string;
  readonly ca?: Source | undefined;
  readonly insecure?: boolean;
  readonly serverName?: string | undefined;
  readonly certificate?: Source | undefined;
  readonly key?: Source | undefined;
  readonly token?: Source | undefined;
  readonly basic?: { readonly username: string; readonly password: string } | undefined;
}

/** A pod's token is replaced while the pod runs; the API server takes the former one for some minutes more. */
const tokenTTLMs = 60_000;

export class PlainAccess implements ClusterAccess {
  readonly server: URL;
  readonly #tls: https.RequestOptions;
  #token: { readonly text: string; readonly until: number } | undefined;

  /** @throws when a file cannot be read, or the address is none */
  constructor(
    private readonly account: PlainAccount,
    private readonly clock: Pick<Clock, 'monotonic'>,
  ) {
    this.server = new URL(account.server);
    const { ca, certificate, key, serverName, insecure } = account;
    this.#tls = {
      ...(ca && { ca: read(ca) }),
      ...(certificate && { cert: read(certificate) }),
      ...(key && { key: read(key) }),
      ...(serverName !== undefined && { servername: serverName }),
      ...(insecure === true && { rejectUnauthorized: false }),
    };
    this.#bearer();
  }

  requestOptions(): Promise<https.RequestOptions> {
    const { basic } = this.account;
    const bearer = this.#bearer();
    return Promise.resolve({
      ...this.#tls,
      headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
      ...(basic && { auth: `${basic.username}:${basic.password}` }),
    });
  }

  #bearer(): string | undefined {
    const { token } = this.account;
    if (token === undefined || 'text' in token) return token?.text;
    const now = this.clock.monotonic();
    if (this.#token === undefined || now >= this.#token.until) {
      this.#token = { text: read(token).trim(), until: now + tokenTTLMs };
    }
    return this.#token.text;
  }
}

function read(source: Source): string {
  return 'text' in source ? source.text : readFileSync(source.file, 'utf8');
}
