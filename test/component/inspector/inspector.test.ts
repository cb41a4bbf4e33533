import http from 'node:http';
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { inspectCharts, type RunningInspector } from '../../../src/observability/inspector/index.js';
import { FakeClock } from '../../support/fake-clock.js';
import { HostBench } from '../../support/host-bench.js';
import { aHost, image } from '../../support/host-builder.js';

const canaries = ['canary-of-the-bmc', 'canary-in-user-data', 'canary-in-the-image-url', '192.0.2.10'];

interface Received {
  readonly type: string;
  readonly sessionId: string;
  readonly rootId: string;
  readonly name?: string;
  readonly definition?: string;
  readonly event?: { readonly type: string };
  readonly snapshot?: { readonly status: string; readonly value: { lifecycle: unknown }; readonly context: object };
}

let bench: HostBench;
let inspector: RunningInspector;
const clients: Client[] = [];

/** Looks on as a program would; `settled` waits until it has heard all that was sent so far. */
class Client {
  readonly texts: string[] = [];

  private constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => this.texts.push(data.toString()));
    clients.push(this);
  }

  static async connect(url: string, headers: Record<string, string> = {}): Promise<Client> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}stream`, { headers });
    const client = new Client(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return client;
  }

  /** A pong comes after everything that was sent before it. */
  async settled(): Promise<Received[]> {
    await new Promise<void>((resolve) => {
      this.socket.once('pong', () => resolve());
      this.socket.ping();
    });
    return this.texts.map((text) => JSON.parse(text) as Received);
  }
}

function fetched(url: string, headers: Record<string, string> = {}): Promise<http.IncomingMessage & { body: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('end', () => resolve(Object.assign(response, { body })));
    });
    request.on('error', reject);
  });
}

function refusalOf(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve('connected');
    });
    socket.once('error', () => resolve('refused'));
  });
}

const lifecycleOf = ({ snapshot }: Received) => {
  const { lifecycle } = snapshot?.value ?? { lifecycle: undefined };
  return typeof lifecycle === 'string' ? lifecycle : Object.keys(lifecycle ?? {})[0];
};

beforeEach(async () => {
  bench = await HostBench.start();
  inspector = await inspectCharts(new FakeClock());
  bench.inspector = inspector.inspect;
  bench.restart();
});
afterEach(async () => {
  for (const { socket } of clients.splice(0)) socket.terminate();
  await inspector.stop();
  await bench.stop();
});

/** A host with something to hide in its Secrets and in its spec. */
async function putHost(): Promise<void> {
  await bench.secret('bmc', { username: 'admin', password: canaries[0] ?? '' });
  await bench.secret('user', { userData: canaries[1] ?? '' });
  const spec = {
    image: { ...image, url: `http://images/${canaries[2]}.qcow2` },
    userData: { name: 'user', namespace: 'default' },
  };
  await bench.put(aHost().spec(spec));
}

describe('what an inspector is told', () => {
  it('follows a host through its states as one actor, over many passes', async () => {
    const client = await Client.connect(inspector.url);
    await putHost();
    expect((await bench.passes()).at(-1)).toBe('provisioned');
    const messages = await client.settled();
    const hosts = messages.filter(({ sessionId }) => sessionId === 'default/host');
    expect(hosts.filter(({ type }) => type === '@xstate.actor')).toHaveLength(1);
    expect(new Set(messages.map(({ sessionId }) => sessionId))).toEqual(
      new Set(['default/host', 'default/host/preprovisioning', 'default/host/power']),
    );
    const states = hosts.filter(({ type }) => type !== '@xstate.event').map(lifecycleOf);
    const inOrder = states.filter((state, index) => state !== states[index - 1]);
    expect(inOrder).toEqual([
      'none',
      'registering',
      'inspecting',
      'preparing',
      'available',
      'provisioning',
      'provisioned',
    ]);
    expect(hosts.every(({ snapshot }) => snapshot === undefined || snapshot.status === 'active')).toBe(true);
  });

  it('tells the chart, the types of events, and three words of the context', async () => {
    const client = await Client.connect(inspector.url);
    await putHost();
    await bench.passes();
    const messages = await client.settled();
    const [first] = messages;
    expect(first).toMatchObject({ type: '@xstate.actor', name: 'default/host', rootId: 'default/host' });
    expect(JSON.parse(first?.definition ?? '')).toMatchObject({ id: 'host', type: 'parallel' });
    const events = new Set(messages.flatMap(({ type, event }) => (type === '@xstate.event' ? [event?.type] : [])));
    expect(events).toContain('reconcile');
    expect(events).toContain('xstate.done.actor.0.host.lifecycle.provisioning.deploying');
    const words = new Set(messages.flatMap(({ snapshot }) => Object.keys(snapshot?.context ?? {})));
    expect([...words].sort()).toEqual(['operationalStatus', 'result', 'step']);
    const last = messages.findLast(({ snapshot, sessionId }) => snapshot !== undefined && sessionId === 'default/host');
    expect(last?.snapshot?.context).toEqual({ step: 'managePower', operationalStatus: 'OK', result: 'continue' });
  });

  it('lets nothing out that the host or its Secrets hold', async () => {
    const client = await Client.connect(inspector.url);
    await putHost();
    bench.backEnd.answer('provision', new Error(canaries[1]));
    await bench.passes();
    await bench.passes();
    await client.settled();
    const given = JSON.stringify(bench.backEnd.calls) + JSON.stringify(bench.backEnd.access);
    expect(canaries.filter((canary) => given.includes(canary)).length).toBeGreaterThan(0);
    const told = client.texts.join('\n');
    expect(told).toContain('xstate.error.actor');
    expect(canaries.filter((canary) => told.includes(canary))).toEqual([]);
    const allowed = ['type', 'name', 'sessionId', 'rootId', 'parentId', 'createdAt', 'id', '_version'];
    const keys = new Set((await client.settled()).flatMap((message) => Object.keys(message)));
    expect([...keys].filter((key) => ![...allowed, 'definition', 'event', 'snapshot'].includes(key))).toEqual([]);
  });

  it('tells a newcomer first where every chart is now, then the last events', async () => {
    await putHost();
    await bench.passes();
    const messages = await (await Client.connect(inspector.url)).settled();
    expect(messages.slice(0, 3).map(({ type, name }) => [type, name])).toEqual([
      ['@xstate.actor', 'default/host'],
      ['@xstate.actor', 'preprovisioning'],
      ['@xstate.actor', 'power'],
    ]);
    expect(messages[0] && lifecycleOf(messages[0])).toBe('provisioned');
    expect(messages.slice(3).length).toBeGreaterThan(5);
    expect(messages.slice(3).every(({ type }) => type === '@xstate.event')).toBe(true);
  });
});

describe('who may look on', () => {
  const port = () => Number(new URL(inspector.url).port);
  const token = () => new URL(inspector.url).pathname;
  const tampered = () => inspector.url.replace(/.\/$/, (end) => (end === 'A/' ? 'B/' : 'A/'));

  it('is reached on one loopback address alone', async () => {
    expect(await refusalOf('127.0.0.1', port())).toBe('connected');
    expect(await refusalOf('127.0.0.2', port())).toBe('refused');
    expect(await refusalOf('::1', port())).toBe('refused');
  });

  it('serves the page to who has the token, and keeps the token from the framed site', async () => {
    const page = await fetched(inspector.url);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('src="https://stately.ai/inspect"');
    expect(page.body).not.toContain(token().replaceAll('/', ''));
    expect(page.headers).toMatchObject({ 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`connect-src ws://127.0.0.1:${port()}`);
    const [, nonce] = /script-src 'nonce-([^']+)'/.exec(policy) ?? [];
    expect(page.body).toContain(`<script nonce="${nonce}">`);
    expect((await fetched(inspector.url)).body).not.toContain(nonce);
  });

  it('refuses a wrong token, for the page and for the stream', async () => {
    for (const url of [tampered(), inspector.url.replace(token(), '/'), `${inspector.url}stream`]) {
      expect((await fetched(url)).statusCode).toBe(403);
    }
    await expect(Client.connect(tampered())).rejects.toThrow('403');
    await expect(Client.connect(`${inspector.url}x/`)).rejects.toThrow('403');
  });

  it('refuses a page of another site, even with the token', async () => {
    await expect(Client.connect(inspector.url, { origin: 'https://evil.example' })).rejects.toThrow('403');
    await expect(Client.connect(inspector.url, { origin: 'null' })).rejects.toThrow('403');
    const own = await Client.connect(inspector.url, { origin: new URL(inspector.url).origin });
    expect(own.socket.readyState).toBe(WebSocket.OPEN);
  });

  it('refuses a name that somebody has pointed at this machine', async () => {
    const host = `rebound.example:${port()}`;
    expect((await fetched(inspector.url, { host })).statusCode).toBe(403);
    await expect(Client.connect(inspector.url, { host })).rejects.toThrow('403');
  });

  it('takes nothing from a client, and ends one that sends too much', async () => {
    await putHost();
    const [client, other] = [await Client.connect(inspector.url), await Client.connect(inspector.url)];
    client.socket.send(JSON.stringify({ type: '@xstate.event', event: { type: 'forged' } }));
    await client.settled();
    expect(await other.settled()).toEqual([]);
    const closed = new Promise<number>((resolve) => client.socket.once('close', resolve));
    client.socket.send('x'.repeat(5_000));
    expect(await closed).not.toBe(1000);
    await bench.pass();
    expect((await other.settled()).length).toBeGreaterThan(0);
  });

  it('lets go of everything when it stops', async () => {
    const client = await Client.connect(inspector.url);
    const closed = new Promise<void>((resolve) => client.socket.once('close', () => resolve()));
    const at = port();
    await inspector.stop();
    await closed;
    expect(await refusalOf('127.0.0.1', at)).toBe('refused');
  });
});
