/** A plain HTTP client for a Kubernetes API, for suites that must not depend on any client library. */

/** Parsed JSON, of whatever shape the server chose: what a suite looks into is what it checks. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Answer {
  status: number;
  body: Json;
  headers: Headers;
}

export interface RequestOptions {
  type?: string;
  accept?: string;
  headers?: Record<string, string>;
}

export const MERGE = 'application/merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const APPLY = 'application/apply-patch+yaml';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

export class KubeClient {
  constructor(
    readonly url: string,
    readonly headers: Record<string, string> = {},
  ) {}

  async send(method: string, path: string, body?: unknown, options: RequestOptions = {}): Promise<Answer> {
    const text = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
    const response = await fetch(this.url + path, {
      method,
      headers: {
        ...this.headers,
        'user-agent': 'suite/1',
        accept: options.accept ?? 'application/json',
        ...(body === undefined ? {} : { 'content-type': options.type ?? 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: text as string }),
    });
    const answer = await response.text();
    return { status: response.status, body: bodyOf(answer), headers: response.headers };
  }

  get(path: string, options?: RequestOptions): Promise<Answer> {
    return this.send('GET', path, undefined, options);
  }

  post(path: string, body: unknown, options?: RequestOptions): Promise<Answer> {
    return this.send('POST', path, body, options);
  }

  put(path: string, body: unknown, options?: RequestOptions): Promise<Answer> {
    return this.send('PUT', path, body, options);
  }

  patch(path: string, body: unknown, type = MERGE, options: RequestOptions = {}): Promise<Answer> {
    return this.send('PATCH', path, body, { ...options, type });
  }

  delete(path: string, body?: unknown): Promise<Answer> {
    return this.send('DELETE', path, body);
  }

  watch(path: string, options?: RequestOptions): Promise<WatchStream> {
    return WatchStream.open(this, path, options);
  }
}

/** Some documents of the real server are JSON by another name. */
function bodyOf(answer: string): Json {
  return answer.startsWith('{') ? JSON.parse(answer) : answer;
}

/** The events of one watch, in order. */
export class WatchStream {
  #buffer = '';

  private constructor(
    readonly status: number,
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
    private readonly abort: AbortController,
  ) {}

  static async open(client: KubeClient, path: string, options: RequestOptions = {}): Promise<WatchStream> {
    const abort = new AbortController();
    const response = await fetch(`${client.url}${path}${path.includes('?') ? '&' : '?'}watch=true`, {
      headers: { ...client.headers, accept: options.accept ?? 'application/json' },
      signal: abort.signal,
    });
    return new WatchStream(response.status, response.body!.getReader(), abort);
  }

  /** The next event; undefined when the stream ends. */
  async next(): Promise<Json> {
    for (;;) {
      const end = this.#buffer.indexOf('\n');
      if (end >= 0) {
        const line = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end + 1);
        return JSON.parse(line);
      }
      const { done, value } = await this.reader.read();
      if (done) return undefined;
      this.#buffer += Buffer.from(value).toString();
    }
  }

  /** The next `count` events, as `TYPE name`. */
  async take(count: number): Promise<string[]> {
    const seen: string[] = [];
    while (seen.length < count) {
      const event = await this.next();
      if (event === undefined) break;
      seen.push(`${event.type} ${event.object.metadata.name ?? ''}`.trim());
    }
    return seen;
  }

  async rest(): Promise<string[]> {
    return this.take(Number.POSITIVE_INFINITY);
  }

  close(): void {
    this.abort.abort();
  }
}
