import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorOf, type Reply } from '../../support/ironic-api/client.js';
import { startBench, stopBenches, type Bench } from './harness.js';

interface Entry {
  name: string;
  method: string;
  path: string;
  version?: string;
  body?: unknown;
  status: number;
  /** Texts of the error that the real server packed. */
  error?: object;
  errorPattern?: string;
  /** Fields of the node that the real server answered with. */
  node?: Record<string, unknown>;
  nodes?: Record<string, unknown>[];
  /** Fields of an answer with other than the usual ones. */
  keys?: string[];
  result?: unknown;
  /** Wait for this provision state first. */
  reach?: string;
  /** Wait for everything that is under way first. */
  settled?: boolean;
}

interface Recording {
  prelude: object[];
  nodeKeys: string[];
  entries: Entry[];
}

function recording(section: string): Recording {
  return JSON.parse(readFileSync(new URL(`fixtures/${section}.json`, import.meta.url), 'utf8')) as Recording;
}

/** Times and addresses differ from run to run. */
function comparable(value: unknown, root: string): unknown {
  const text = JSON.stringify(value)
    .replaceAll(root, '@base')
    .replace(/"\d{4}-\d\d-\d\dT[\d:.]+(\+00:00)?"/g, '"@time"');
  return JSON.parse(text) as unknown;
}

/** Status first, then the texts of a refusal or the contents of an answer. */
function expectSame(reply: Reply, entry: Entry, root: string): void {
  const error = reply.status >= 400 ? errorOf(reply) : null;
  const pattern = entry.errorPattern;
  const wanted = pattern === undefined ? (entry.error ?? null) : { faultstring: expect.stringMatching(pattern) };
  expect([reply.status, error]).toEqual([entry.status, wanted && expect.objectContaining(wanted)]);
  const body = comparable(reply.body, root);
  if (entry.node) expect(body).toMatchObject(entry.node);
  if (entry.nodes) expect(body).toMatchObject({ nodes: entry.nodes });
  if (entry.result !== undefined) expect(body).toEqual(entry.result);
}

describe.each(['api', 'create', 'patch', 'ports', 'power', 'provision'])('a recorded talk about %s', (section) => {
  const { prelude, nodeKeys, entries } = recording(section);
  let bench: Bench;

  beforeAll(async () => {
    bench = await startBench();
    for (const body of prelude) await bench.api.post('/v1/nodes', body, '1.115');
  });
  afterAll(stopBenches);

  it.each(entries)('$name is answered as a real Ironic does', async (entry) => {
    const { api } = bench;
    const ident = entry.path.split('/')[3] ?? '';
    if (entry.reach !== undefined) await bench.reach(ident, entry.reach);
    if (entry.settled) await bench.settled();
    const reply = await api.send(entry.method, entry.path, entry.body, entry.version ?? null);
    expectSame(reply, entry, api.root);
    if (entry.node) expect(Object.keys(reply.body as object)).toEqual(entry.keys ?? nodeKeys);
  });
});
