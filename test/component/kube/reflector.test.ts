import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  HttpTransport,
  KubeApi,
  type KubeObject,
  ObjectStore,
  parseKubeConfig,
  RateLimiter,
  Reflector,
} from '../../../src/kube/index.js';
import { EmbeddedKubeServer } from '../../../src/embedded/kube/index.js';
import { FakeClock, settle } from '../../support/fake-clock.js';
import { replay } from '../../support/seed.js';

const configMap = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps' };

type Act =
  | { readonly kind: 'put' | 'delete'; readonly name: string }
  | { readonly kind: 'cut' | 'finish' | 'compact' | 'bookmark' };

const act = fc.oneof<fc.Arbitrary<Act>[]>(
  fc.record({
    kind: fc.constantFrom('put', 'put', 'delete'),
    name: fc.constantFrom('a', 'b', 'c'),
  }) as fc.Arbitrary<Act>,
  fc.record({ kind: fc.constantFrom('cut', 'finish', 'compact', 'bookmark') }) as fc.Arbitrary<Act>,
);

class Bench {
  readonly clock = new FakeClock();
  readonly server = new EmbeddedKubeServer({ crds: [], clock: this.clock });
  readonly store = new ObjectStore<KubeObject>();
  transport!: HttpTransport;
  api!: KubeApi;
  reflector!: Reflector<KubeObject>;
  running!: Promise<void>;
  #writes = 0;

  async start(): Promise<void> {
    await this.server.start();
    const options = { clock: this.clock, timeoutMs: 3_600_000, userAgent: 'test' };
    this.transport = new HttpTransport(parseKubeConfig(this.server.kubeconfig(), this.clock), options);
    this.api = new KubeApi(this.transport, new RateLimiter(this.clock, 0, 0), 'test');
    this.reflector = new Reflector(this.api, configMap, this.store, this.clock, { next: () => 0 }, { pageSize: 2 });
    this.running = this.reflector.run();
    await this.reflector.synced;
  }

  async stop(): Promise<void> {
    this.reflector.stop();
    await this.running;
    this.transport.close();
    await this.server.stop();
  }

  async perform(move: Act): Promise<void> {
    if ('name' in move) return this.#write(move);
    if (move.kind === 'compact') this.server.compact();
    else if (move.kind === 'bookmark') await this.clock.advanceAsync(61_000);
    else this.server.endWatches(move.kind === 'cut' ? 'drop' : 'finish');
  }

  async #write({ kind, name }: { kind: string; name: string }): Promise<void> {
    const key = { namespace: 'default', name };
    if (kind === 'delete') return this.api.delete(configMap, key);
    const data = { count: String((this.#writes += 1)) };
    if ((await this.api.get(configMap, key)) !== undefined) await this.api.patch(configMap, key, { data });
    else await this.api.create(configMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key, data });
  }

  /** What the server holds, and what the store does once it has had time to catch up. */
  async compare(): Promise<[string[], string[]]> {
    const { items } = await this.api.list(configMap, {});
    const wanted = items.map(textOf).sort();
    for (let rounds = 0; rounds < 200; rounds += 1) {
      const have = [...this.store.values()].map(textOf).sort();
      if (have.join() === wanted.join()) return [have, wanted];
      await this.clock.advanceAsync(rounds < 20 ? 0 : 1000);
      await settle(8);
    }
    return [[...this.store.values()].map(textOf).sort(), wanted];
  }
}

function textOf({ metadata, data }: KubeObject): string {
  return `${metadata.name}@${metadata.resourceVersion} ${JSON.stringify(data)}`;
}

describe('the store that a reflector keeps', () => {
  it('equals the server, whatever is written and however often the watch breaks', async () => {
    const walk = async (acts: readonly Act[]) => {
      const bench = new Bench();
      await bench.start();
      try {
        for (const move of acts) await bench.perform(move);
        const [have, wanted] = await bench.compare();
        expect(have).toEqual(wanted);
      } finally {
        await bench.stop();
      }
    };
    const acts = fc.array(act, { minLength: 3, maxLength: 25, size: 'max' });
    await fc.assert(fc.asyncProperty(acts, walk), { ...replay('reflector'), numRuns: 25 });
  }, 60_000);

  it('hears of a silent connection only by its own limit, and then catches up', async () => {
    let isDeaf = false;
    const bench = new Bench();
    Object.assign(bench, {
      server: new EmbeddedKubeServer({
        ...{ crds: [], clock: bench.clock, bookmarkSeconds: 100_000 },
        fault: ({ verb }) => (isDeaf && verb === 'watch' ? 'hang' : undefined),
      }),
    });
    await bench.start();
    isDeaf = true;
    bench.server.endWatches('drop');
    await bench.clock.advanceAsync(1000);
    await bench.perform({ kind: 'put', name: 'a' });
    await bench.clock.advanceAsync(100_000);
    expect(bench.store.size).toBe(0);
    isDeaf = false;
    const [have, wanted] = await bench.compare();
    expect([have, have.length]).toEqual([wanted, 1]);
    await bench.stop();
  });
});
