/** What only the embedded server has: a clock and a history to steer, faults, counts, and a life beyond a crash. */
import { gzipSync } from 'node:zlib';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { EmbeddedKubeServer, type EmbeddedKubeOptions, type Fault } from '../../../src/embedded/kube/index.js';
import { TABLE, type Json } from '../../support/kube-api/client.js';
import { startEmbedded, type EmbeddedTarget } from '../../support/kube-api/embedded-target.js';
import { widget, WIDGET_CRD } from '../../support/kube-api/widget-crd.js';
import { FakeClock, settle } from '../../support/fake-clock.js';

const WIDGETS = '/apis/suite.example.com/v1/namespaces/default/widgets';

describe('the embedded Kubernetes API alone', () => {
  const started: EmbeddedTarget[] = [];
  const folders: string[] = [];
  const start = async (options: Partial<EmbeddedKubeOptions> = {}) => {
    const target = await startEmbedded(options);
    started.push(target);
    return target;
  };
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), 'kube-'));
    folders.push(made);
    return made;
  };
  afterEach(async () => {
    for (const target of started.splice(0)) await target.stop();
    for (const one of folders.splice(0)) rmSync(one, { recursive: true, force: true });
  });

  describe('watches', () => {
    it('send a bookmark each interval, and end with one at their time-out', async () => {
      const { client, clock } = await start({ bookmarkSeconds: 60 });
      const stream = await client.watch(`${WIDGETS}?allowWatchBookmarks=true&timeoutSeconds=100`);
      const { body } = await client.post(WIDGETS, widget('a'));
      expect(await stream.take(1)).toEqual(['ADDED a']);
      clock.advance(60_000);
      const bookmark = await stream.next();
      expect(bookmark).toMatchObject({
        type: 'BOOKMARK',
        object: { kind: 'Widget', metadata: { resourceVersion: body.metadata.resourceVersion } },
      });
      clock.advance(40_000);
      expect(await stream.rest()).toEqual(['BOOKMARK']);
    });

    it('send no bookmarks unasked, and leave no timer behind', async () => {
      const { client, clock, server } = await start();
      const before = clock.waiting;
      const stream = await client.watch(`${WIDGETS}?timeoutSeconds=100`);
      clock.advance(100_000);
      expect(await stream.rest()).toEqual([]);
      await settle();
      expect(server.openWatches).toBe(0);
      expect(clock.waiting).toBe(before);
    });

    it('are forgotten when the client goes', async () => {
      const { client, server } = await start();
      const stream = await client.watch(WIDGETS);
      expect(server.openWatches).toBe(1);
      stream.close();
      for (let i = 0; i < 200 && server.openWatches > 0; i += 1) await settle();
      expect(server.openWatches).toBe(0);
    });

    it('from before the history get a 410 event and end', async () => {
      const { client } = await start({ historySize: 3 });
      const { body } = await client.post(WIDGETS, widget('a'));
      for (const size of [2, 3, 4, 5]) await client.patch(`${WIDGETS}/a`, { spec: { size } });
      const stream = await client.watch(`${WIDGETS}?resourceVersion=${body.metadata.resourceVersion}`);
      expect(stream.status).toBe(200);
      const event = await stream.next();
      expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });
      expect(event.object.message).toMatch(/^too old resource version: \d+ \(\d+\)$/);
      expect(await stream.next()).toBeUndefined();
    });

    it('of the last kept change still resume', async () => {
      const { client } = await start({ historySize: 3 });
      await client.post(WIDGETS, widget('a'));
      const versions: string[] = [];
      for (const size of [2, 3, 4, 5]) {
        versions.push((await client.patch(`${WIDGETS}/a`, { spec: { size } })).body.metadata.resourceVersion);
      }
      const stream = await client.watch(`${WIDGETS}?resourceVersion=${versions[0]}`);
      expect(await stream.take(3)).toEqual(['MODIFIED a', 'MODIFIED a', 'MODIFIED a']);
      stream.close();
    });

    it('end at once when the server stops', async () => {
      const target = await startEmbedded();
      const stream = await target.client.watch(WIDGETS);
      await target.stop();
      expect(await stream.rest()).toEqual([]);
    });

    it('can be ended or cut by a test', async () => {
      const { client, server } = await start();
      const ended = await client.watch(WIDGETS);
      server.endWatches('finish', 'widgets.suite.example.com');
      expect(await ended.rest()).toEqual([]);
      const cut = await client.watch(WIDGETS);
      server.endWatches('drop');
      await expect(cut.rest()).rejects.toThrow();
    });
  });

  describe('lists', () => {
    it('whose page token is too old are expired, with a token to go on inconsistently', async () => {
      const { client, server } = await start();
      for (const name of ['a', 'b', 'c']) await client.post(WIDGETS, widget(name));
      const { continue: token } = (await client.get(`${WIDGETS}?limit=1`)).body.metadata;
      await client.post(WIDGETS, widget('d'));
      server.compact();
      const expired = await client.get(`${WIDGETS}?limit=1&continue=${token}`);
      expect(expired.status).toBe(410);
      expect(expired.body.reason).toBe('Expired');
      const rest = await client.get(`${WIDGETS}?continue=${expired.body.metadata.continue}`);
      expect(rest.body.items.map((one: Json) => one.metadata.name)).toEqual(['b', 'c', 'd']);
    });

    it('of a version that is yet to come are told to try again', async () => {
      const { client } = await start();
      const { status, body, headers } = await client.get(`${WIDGETS}?resourceVersion=999999`);
      expect(status).toBe(504);
      expect(body.details.causes[0].reason).toBe('ResourceVersionTooLarge');
      expect(headers.get('retry-after')).toBe('1');
    });

    it('show ages by the clock', async () => {
      const { client, clock } = await start();
      await client.post(WIDGETS, widget('a'));
      const age = async () => (await client.get(WIDGETS, { accept: TABLE })).body.rows[0].cells.at(-1);
      expect(await age()).toBe('0s');
      clock.advance(3 * 3600_000 + 60_000);
      expect(await age()).toBe('3h1m');
    });
  });

  it('removes events that nobody wrote for an hour', async () => {
    const { client, clock } = await start();
    const events = '/api/v1/namespaces/default/events';
    const involvedObject = { kind: 'Widget', name: 'a', namespace: 'default' };
    await client.post(events, { metadata: { name: 'old' }, involvedObject });
    await client.post(events, { metadata: { name: 'kept' }, involvedObject });
    clock.advance(1800_000);
    await client.patch(`${events}/kept`, { count: 2 });
    clock.advance(1801_000);
    expect((await client.get(events)).body.items.map((one: Json) => one.metadata.name)).toEqual(['kept']);
  });

  describe('bodies', () => {
    it('may be gzipped', async () => {
      const { client } = await start();
      const body = gzipSync(JSON.stringify(widget('a')));
      const answer = await client.post(WIDGETS, body, { headers: { 'content-encoding': 'gzip' } });
      expect(answer.status).toBe(201);
      expect((await client.post(WIDGETS, 'no gzip', { headers: { 'content-encoding': 'gzip' } })).status).toBe(400);
    });

    it('beyond the limit are refused, packed or not', async () => {
      const { client } = await start({ maxBodyBytes: 2000 });
      const big = JSON.stringify(widget('a', { size: 1, open: { text: 'x'.repeat(5000) } }));
      const plain = await client.post(WIDGETS, big);
      expect(plain.status).toBe(413);
      expect(plain.body.reason).toBe('RequestEntityTooLarge');
      const packed = await client.post(WIDGETS, gzipSync(big), { headers: { 'content-encoding': 'gzip' } });
      expect(packed.status).toBe(413);
    });

    it('cannot reach into prototypes', async () => {
      const { client } = await start();
      const body = '{"apiVersion":"suite.example.com/v1","kind":"Widget","metadata":{"name":"a"},"__proto__":{"x":1}}';
      expect((await client.post(WIDGETS, body)).status).toBe(400);
    });
  });

  it('serves requests for its own address only', async () => {
    const { port } = await start();
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      const options = { port, host: '127.0.0.1', path: '/api/v1/secrets', headers: { host: 'rebound.example.com' } };
      request(options, (response) => resolve(response.statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
    expect(() => new EmbeddedKubeServer({ crds: [], clock: new FakeClock(), host: '0.0.0.0' })).toThrow(/host: /);
  });

  it('refuses a definition with a pattern that cannot be compiled', () => {
    const crd = structuredClone(WIDGET_CRD) as Json;
    crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.code.pattern = '(';
    expect(() => new EmbeddedKubeServer({ crds: [crd], clock: new FakeClock() })).toThrow(/bad patterns/);
  });

  it('writes a kubeconfig for itself', async () => {
    const { server, port } = await start();
    const config = parse(server.kubeconfig());
    expect(config).toMatchObject({ kind: 'Config', 'current-context': 'ironchart' });
    expect(config.clusters[0].cluster).toEqual({
      server: `http://127.0.0.1:${port}`,
      'insecure-skip-tls-verify': true,
    });
  });

  it('counts requests by verb and resource', async () => {
    const { client, server } = await start();
    await client.post(WIDGETS, widget('a'));
    await client.patch(`${WIDGETS}/a/status`, { status: { phase: 'up' } });
    await client.patch(`${WIDGETS}/a/status`, { status: { phase: 'down' } });
    await client.get(WIDGETS);
    expect(server.requestCounts()).toEqual({
      'create widgets.suite.example.com': 1,
      'patch widgets.suite.example.com/status': 2,
      'list widgets.suite.example.com': 1,
    });
    server.resetRequestCounts();
    expect(server.requestCounts()).toEqual({});
  });

  describe('faults', () => {
    const broken = (fault: Fault) => start({ fault: ({ verb }) => (verb === 'create' ? fault : undefined) });

    it('answer with a refusal', async () => {
      const { client } = await broken({
        status: 429,
        reason: 'TooManyRequests',
        message: 'slow down',
        retryAfterSeconds: 2,
      });
      const { status, body, headers } = await client.post(WIDGETS, widget('a'));
      expect([status, body.reason, body.message, headers.get('retry-after')]).toEqual([
        429,
        'TooManyRequests',
        'slow down',
        '2',
      ]);
      expect((await client.get(`${WIDGETS}/a`)).status).toBe(404);
    });

    it.each([
      ['drop', 404],
      ['dropAfter', 200],
    ] as const)('cut the connection: %s', async (fault, found) => {
      const { client } = await broken(fault);
      await expect(client.post(WIDGETS, widget('a'))).rejects.toThrow();
      expect((await client.get(`${WIDGETS}/a`)).status).toBe(found);
    });

    it('never answer, and do not keep the server from stopping', async () => {
      const target = await startEmbedded({ fault: () => 'hang' });
      const pending = target.client.get(WIDGETS).then(
        () => 'answered',
        () => 'cut',
      );
      await settle();
      await target.stop();
      expect(await pending).toBe('cut');
    });
  });

  describe('admission', () => {
    it('may refuse, warn and change', async () => {
      const { client } = await start({
        admit: async ({ operation, object }) => {
          if (operation === 'DELETE') return { allowed: false, message: 'stay', code: 403 };
          return { allowed: true, warnings: ['careful'], object: { ...object, spec: { size: 7 } } };
        },
      });
      const { status, body, headers } = await client.post(WIDGETS, widget('a'));
      expect([status, body.spec.size, headers.get('warning')]).toEqual([201, 7, '299 - "careful"']);
      const refused = await client.delete(`${WIDGETS}/a`);
      expect([refused.status, refused.body.message]).toEqual([403, 'stay']);
    });

    it('lets a write that came between win, and decides the other anew', async () => {
      let release = () => undefined as void;
      const gate = new Promise<void>((resolve) => (release = resolve));
      let first = true;
      const { client } = await start({
        admit: async ({ operation }) => {
          if (operation !== 'UPDATE' || !first) return undefined;
          first = false;
          await gate;
          return undefined;
        },
      });
      await client.post(WIDGETS, widget('a'));
      const slow = client.patch(`${WIDGETS}/a`, { spec: { size: 2 } });
      await settle();
      await client.patch(`${WIDGETS}/a`, { spec: { online: true } });
      release();
      expect((await slow).body.spec).toEqual({ size: 2, online: true, mode: 'slow' });
    });
  });

  describe('with a folder', () => {
    /** What a killed process would have left behind at this moment. */
    const copyOf = (dataDir: string) => {
      const copy = join(folder(), 'data');
      mkdirSync(copy);
      copyFileSync(join(dataDir, 'journal.jsonl'), join(copy, 'journal.jsonl'));
      return copy;
    };

    it('loses nothing that it answered, and counts on from there', async () => {
      const dataDir = folder();
      const first = await start({ dataDir });
      const made = (await first.client.post(WIDGETS, widget('a'))).body;
      await first.client.post(WIDGETS, widget('b'));
      await first.client.delete(`${WIDGETS}/b`);
      const last = (await first.client.patch(`${WIDGETS}/a/status`, { status: { phase: 'up' } })).body;

      const second = await start({ dataDir: copyOf(dataDir) });
      const list = (await second.client.get(WIDGETS)).body;
      expect(list.items).toEqual([last]);
      expect(last.metadata.uid).toBe(made.metadata.uid);
      const next = (await second.client.post(WIDGETS, widget('c'))).body;
      expect(Number(next.metadata.resourceVersion)).toBeGreaterThan(Number(last.metadata.resourceVersion));
    });

    it('counts on from a deletion that was its last change', async () => {
      const dataDir = folder();
      const first = await start({ dataDir });
      await first.client.post(WIDGETS, widget('a'));
      await first.client.delete(`${WIDGETS}/a`);
      const before = (await first.client.get(WIDGETS)).body.metadata.resourceVersion;
      await first.stop();
      started.splice(0);
      const second = await start({ dataDir });
      expect((await second.client.get(WIDGETS)).body.metadata.resourceVersion).toBe(before);
    });

    it('still collects what owners from before a restart owned', async () => {
      const dataDir = folder();
      const first = await start({ dataDir });
      const owner = (await first.client.post(WIDGETS, widget('owner'))).body;
      const { apiVersion, kind, metadata } = owner;
      const ownerReferences = [{ apiVersion, kind, name: 'owner', uid: metadata.uid }];
      await first.client.post(WIDGETS, widget('child', { size: 1 }, { ownerReferences }));
      const second = await start({ dataDir: copyOf(dataDir) });
      await second.client.delete(`${WIDGETS}/owner`);
      expect((await second.client.get(`${WIDGETS}/child`)).status).toBe(404);
    });

    it('expires watches from before a restart', async () => {
      const dataDir = folder();
      const first = await start({ dataDir });
      const { metadata } = (await first.client.post(WIDGETS, widget('a'))).body;
      await first.client.post(WIDGETS, widget('b'));
      const second = await start({ dataDir: copyOf(dataDir) });
      const stream = await second.client.watch(`${WIDGETS}?resourceVersion=${metadata.resourceVersion}`);
      expect((await stream.next()).object.code).toBe(410);
    });

    it('leaves out a last line that was cut short, and says so', async () => {
      const dataDir = folder();
      const first = await start({ dataDir });
      await first.client.post(WIDGETS, widget('a'));
      const copy = copyOf(dataDir);
      appendFileSync(join(copy, 'journal.jsonl'), '{"put":"widgets.suite.exa');
      const warnings: string[] = [];
      const second = await start({ dataDir: copy, onWarning: (text) => warnings.push(text) });
      expect((await second.client.get(`${WIDGETS}/a`)).status).toBe(200);
      expect(warnings).toEqual([expect.stringContaining('not written to its end')]);
      expect(readFileSync(join(copy, 'journal.jsonl'), 'utf8')).not.toContain('suite.exa\n');
    });

    it('refuses a broken line in the middle', async () => {
      const dataDir = folder();
      const first = await start({ dataDir });
      const copy = copyOf(dataDir);
      appendFileSync(join(copy, 'journal.jsonl'), 'junk\n{}\n');
      await expect(start({ dataDir: copy })).rejects.toMatchObject({ code: 'JOURNAL_CORRUPT' });
      expect(first.port).toBeGreaterThan(0);
    });

    it('keeps a folder to itself, for its owner only', async () => {
      const dataDir = join(folder(), 'deep');
      await start({ dataDir });
      expect(statSync(dataDir).mode & 0o77).toBe(0);
      expect(statSync(join(dataDir, 'journal.jsonl')).mode & 0o77).toBe(0);
      await expect(start({ dataDir })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    });

    it('serves the newer of two definitions', async () => {
      const dataDir = folder();
      const first = await start({ dataDir });
      await first.client.post(WIDGETS, widget('a', { size: 10 }));
      const crd = structuredClone(WIDGET_CRD) as Json;
      crd.spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.size.maximum = 20;
      const second = await start({ dataDir: copyOf(dataDir), crds: [crd] });
      expect((await second.client.patch(`${WIDGETS}/a`, { spec: { size: 20 } })).status).toBe(200);
    });
  });
});
