/** Where a conversation goes: the embedded server here, any other Ironic by its address. */
export interface ApiTarget {
  /** Root of the API, without `/v1`. */
  root: string;
  authorization?: string;
}

/** Whatever JSON was answered; tests say what they expect in it. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface Reply {
  status: number;
  headers: Headers;
  body: Parsed;
}

/** The texts that Ironic packs into its errors. */
export interface ErrorTexts {
  faultstring?: string;
  faultcode?: string;
  code?: number;
  title?: string;
  description?: string;
}

export const modern = '1.110';

/** A small HTTP client that says what it sends: no retries, no defaults but the version. */
export class ApiClient {
  constructor(private readonly target: ApiTarget) {}

  get root(): string {
    return this.target.root;
  }

  async send(method: string, path: string, body?: unknown, version: string | null = modern): Promise<Reply> {
    const headers: Record<string, string> = { accept: 'application/json' };
    if (version !== null) headers['x-openstack-ironic-api-version'] = version;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (this.target.authorization !== undefined) headers['authorization'] = this.target.authorization;
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(this.target.root + path, { method, headers, body: payload });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  }

  get = (path: string, version?: string | null) => this.send('GET', path, undefined, version);
  put = (path: string, body: unknown, version?: string | null) => this.send('PUT', path, body, version);
  post = (path: string, body: unknown, version?: string | null) => this.send('POST', path, body, version);
  patch = (path: string, body: unknown, version?: string | null) => this.send('PATCH', path, body, version);
  delete = (path: string, version?: string | null) => this.send('DELETE', path, undefined, version);

  /** The node, which must be there. */
  async node(ident: string): Promise<Parsed> {
    const reply = await this.get(`/v1/nodes/${ident}`);
    if (reply.status !== 200) throw new Error(`node ${ident}: ${reply.status}`);
    return reply.body;
  }

  provision(ident: string, target: string, extra: object = {}): Promise<Reply> {
    return this.put(`/v1/nodes/${ident}/states/provision`, { target, ...extra });
  }
}

export function errorOf(reply: Reply): ErrorTexts {
  return JSON.parse(reply.body.error_message) as ErrorTexts;
}
