import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WatchSink } from '../read/watch.js';
import { PageNotFound, type StatusError } from './status-error.js';

/** The quoted text of a Warning header (RFC 7234); header values take neither line breaks nor other controls. */
function quoted(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\uffff]/g, '?').replace(/[\\"]/g, '\\$&');
}

/** One request and its answer. */
export class Exchange {
  readonly url: URL;
  readonly method: string;
  readonly #warnings: string[] = [];

  constructor(
    readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.url = new URL(request.url ?? '/', 'http://localhost');
    this.method = request.method ?? 'GET';
  }

  get query(): URLSearchParams {
    return this.url.searchParams;
  }

  get accept(): string | undefined {
    return this.request.headers.accept;
  }

  get answered(): boolean {
    return this.response.headersSent;
  }

  warn(text: string): void {
    if (!this.#warnings.includes(text)) this.#warnings.push(text);
  }

  json(code: number, value: unknown, type = 'application/json'): void {
    this.text(code, JSON.stringify(value), type);
  }

  text(code: number, text: string, type: string): void {
    const warnings = this.#warnings.map((warning) => `299 - "${quoted(warning)}"`);
    if (warnings.length > 0) this.response.setHeader('warning', warnings);
    this.response.writeHead(code, {
      'content-type': type,
      'cache-control': 'no-cache, private',
      'content-length': Buffer.byteLength(text),
    });
    this.response.end(this.method === 'HEAD' ? undefined : text);
  }

  fail(error: StatusError): void {
    const seconds = error.details?.retryAfterSeconds;
    if (seconds !== undefined) this.response.setHeader('retry-after', String(seconds));
    if (error instanceof PageNotFound) return this.text(error.code, error.page, 'text/plain; charset=utf-8');
    this.json(error.code, error.toStatus());
  }

  /** Opens a stream of lines. `onClose` runs when the client is gone or the stream has ended. */
  stream(onClose: () => void): WatchSink {
    const { response } = this;
    // The request closes as soon as its body is read; only the response lives as long as the watch.
    response.on('close', onClose);
    response.on('error', onClose);
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
    response.flushHeaders();
    return {
      write: (line) => void response.write(line),
      get pending() {
        return response.writableLength;
      },
      end: () => void response.end(),
      destroy: () => void response.destroy(),
    };
  }

  /** The same request, whose answer nobody gets. */
  muted(): Exchange {
    const quiet = new Exchange(this.request, this.response);
    quiet.text = () => undefined;
    return quiet;
  }

  /** Cuts the connection without an answer. */
  drop(): void {
    this.response.destroy();
    this.request.socket.destroy();
  }
}
