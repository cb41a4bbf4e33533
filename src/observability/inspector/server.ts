/**
 * The inspector's own server: on loopback, at a free port, behind a token in the path. A request must name this server as
 * its host, and a page that connects must come from it: another site in the same browser can do neither.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { IronchartError, messageOf } from '../../errors.js';
import type { Message } from './messages.js';
import { inspectorPage } from './page.js';
import type { InspectionStream } from './stream.js';

const loopback = '127.0.0.1';
/** Bytes that may wait for a client; a slower one is let go, and may come again. */
const backlog = 4 * 1024 * 1024;

export class InspectorServer {
  readonly #token = randomBytes(24).toString('base64url');
  readonly #http = http.createServer((request, response) => this.#answer(request, response));
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: 1024, perMessageDeflate: false });
  #port = 0;

  constructor(private readonly stream: InspectionStream) {
    this.#http.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
  }

  /** Where the page is; whoever has it may look on. */
  get url(): string {
    return `${this.#origin}/${this.#token}/`;
  }

  get #origin(): string {
    return `http://${loopback}:${this.#port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#http.once('error', (error) => {
        reject(new IronchartError('INSPECTOR_UNAVAILABLE', `the inspector cannot listen: ${messageOf(error)}`));
      });
      this.#http.listen(0, loopback, resolve);
    });
    this.#port = (this.#http.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const client of this.#sockets.clients) client.terminate();
    this.#sockets.close();
    await new Promise<void>((resolve) => {
      this.#http.close(() => resolve());
      this.#http.closeAllConnections();
    });
  }

  #answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    const isPage = request.method === 'GET' && this.#isAllowed(request, '');
    if (!isPage) {
      response.writeHead(403, { 'content-type': 'text/plain' }).end('forbidden\n');
      return;
    }
    const { html, headers } = inspectorPage(this.#origin, randomBytes(16).toString('base64url'));
    response.writeHead(200, headers).end(html);
  }

  #upgrade(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    if (!this.#isAllowed(request, 'stream')) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    this.#sockets.handleUpgrade(request, socket, head, (client) => this.#serve(client));
  }

  /** A program that is no browser sends no origin; it has the token. */
  #isAllowed({ url = '', headers: { host, origin } }: http.IncomingMessage, page: string): boolean {
    const isHere = host === `${loopback}:${this.#port}` && (origin === undefined || origin === this.#origin);
    return isHere && isSame(url, `/${this.#token}/${page}`);
  }

  /** What a client sends is not read: there is nothing that it could ask for. */
  #serve(client: WebSocket): void {
    const tell = (message: Message) => {
      if (client.bufferedAmount > backlog) client.terminate();
      else client.send(JSON.stringify(message));
    };
    client.on('error', () => client.terminate());
    for (const message of this.stream.present()) client.send(JSON.stringify(message));
    client.on('close', this.stream.listen(tell));
  }
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}
