/**
 * The HTTPS server that the API server asks. Each kind has its path, under the name that upstream's manifests give it. The
 * certificate is looked at again and again and taken over without an interruption; until there is one, nothing is served.
 */
import { once } from 'node:events';
import type http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import type { Clock, Timer } from '../../clock.js';
import { cannotListen, messageOf } from '../../errors.js';
import type { CertificateSource, KeyPair } from '../certificates/source.js';
import { type Guarded, guarded, type HostView } from '../rules/index.js';
import { readBody, Refused } from './body.js';
import { envelope, MalformedReviewError, reviewed, type ReviewResponse } from './review.js';

export type TLSOptions = Pick<SecureContextOptions, 'minVersion' | 'maxVersion' | 'ciphers' | 'ecdhCurve'>;

export interface AdmissionServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** undefined: all interfaces. */
  readonly host?: string;
  readonly tls: TLSOptions;
  readonly certificates: CertificateSource;
  readonly clock: Clock;
  /** undefined: not known yet. */
  readonly hosts: () => readonly HostView[] | undefined;
  readonly onAnswer?: (kind: string, allowed: boolean) => void;
  readonly onError?: (message: string) => void;
}

const hastyMs = 5_000;
/** The API server gives up after ten seconds at the latest. */
const requestTimeoutMs = 10_000;

export class AdmissionServer {
  readonly #server: https.Server;
  readonly #routes: ReadonlyMap<string, Guarded>;
  #pair: KeyPair | undefined;
  #timer: Timer | undefined;
  #isListening = false;
  #isStopped = false;
  #lastError = '';

  constructor(private readonly options: AdmissionServerOptions) {
    this.#routes = new Map(guarded.map((one) => [pathOf(one), one]));
    this.#server = https.createServer({ ...options.tls, requestTimeout: requestTimeoutMs }, (request, response) => {
      void this.#serve(request, response);
    });
  }

  /** Whether it can be asked. */
  get isReady(): boolean {
    return this.#isListening && this.#pair !== undefined;
  }

  /** 0 before it listens. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  /** Looks for a certificate, and listens once there is one. @throws InputError for a port that cannot be had. */
  async start(): Promise<void> {
    await this.#look();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    if (!this.#isListening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #look(): Promise<void> {
    const isGood = await this.#readCertificate();
    if (this.#isStopped) return;
    if (this.#pair !== undefined && !this.#isListening) await this.#listen();
    if (isGood) this.#lastError = '';
    this.#lookAgain(this.#pair === undefined ? hastyMs : this.options.certificates.pollMs);
  }

  async #readCertificate(): Promise<boolean> {
    try {
      const pair = await this.options.certificates.read();
      if (pair !== undefined) this.#take(pair);
      return true;
    } catch (error) {
      this.#tell(messageOf(error));
      return false;
    }
  }

  #lookAgain(ms: number): void {
    this.#timer = this.options.clock.after(ms, () => {
      this.#look().catch((error: unknown) => {
        this.#tell(messageOf(error));
        if (!this.#isStopped) this.#lookAgain(hastyMs);
      });
    });
  }

  /** A pair that does not fit together, such as one that is being replaced, throws and changes nothing. */
  #take({ certificate, key }: KeyPair): void {
    if (this.#pair?.certificate === certificate && this.#pair.key === key) return;
    this.#server.setSecureContext({ ...this.options.tls, cert: certificate, key });
    this.#pair = { certificate, key };
  }

  async #listen(): Promise<void> {
    const { port, host } = this.options;
    const listening = once(this.#server, 'listening');
    this.#server.listen(port, host);
    try {
      await listening;
    } catch (error) {
      throw cannotListen('--webhook-port', port, error, 'give another, or 0 for none');
    }
    this.#server.on('error', (error) => this.#tell(messageOf(error)));
    this.#isListening = true;
  }

  /** The same trouble is told once. */
  #tell(message: string): void {
    if (message !== this.#lastError) this.options.onError?.(message);
    this.#lastError = message;
  }

  async #serve(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    try {
      const route = this.#routes.get((request.url ?? '').split('?')[0] ?? '');
      if (route === undefined) throw new Refused(404, 'not found');
      const review = await this.#review(route, request);
      respond(response, 200, 'application/json', JSON.stringify(envelope(review)));
    } catch (error) {
      if (error instanceof Refused) return respond(response, error.status, 'text/plain', error.message);
      if (error instanceof MalformedReviewError) return respond(response, 400, 'text/plain', error.message);
      this.#tell(`a review failed: ${messageOf(error)}`);
      respond(response, 500, 'text/plain', 'the review failed');
    }
  }

  async #review(route: Guarded, request: http.IncomingMessage): Promise<ReviewResponse> {
    const response = reviewed(await readBody(request), route, { hosts: this.options.hosts() });
    this.options.onAnswer?.(route.kind.kind, response.allowed);
    return response;
  }
}

export function pathOf({ kind: { group, version, kind } }: Guarded): string {
  return `/validate-${group.replaceAll('.', '-')}-${version}-${kind.toLowerCase()}`;
}

function respond(response: http.ServerResponse, status: number, type: string, body: string): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': type, ...(status === 413 && { connection: 'close' }) });
  response.end(body);
}
