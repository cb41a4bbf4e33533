import { type BareMetalHost, bareMetalHostSchema } from '../../src/apis/index.js';
import { SystemClock, SystemRandom } from '../../src/clock.js';
import { hostKind } from '../../src/controllers/host/index.js';
import {
  HttpTransport,
  KubeApi,
  keyOf,
  type KubeObject,
  ObjectStore,
  parseKubeConfig,
  RateLimiter,
  Reflector,
} from '../../src/kube/index.js';
import { Patience } from './patience.js';

export type Condition = (host: BareMetalHost | undefined) => boolean;

interface Waiter {
  readonly key: string;
  readonly accepts: Condition;
  readonly resolve: (host: BareMetalHost | undefined) => void;
}

/** A client of the API server apart from the operator's own: it sees every version of every host, and waits without sleeping. */
export class HostWatch {
  readonly api: KubeApi;
  readonly #transport: HttpTransport;
  readonly #reflector: Reflector<KubeObject>;
  readonly #store = new ObjectStore<KubeObject>();
  readonly #seen = new Map<string, BareMetalHost[]>();
  readonly #waiters = new Set<Waiter>();
  #running: Promise<void> | undefined;

  constructor(
    kubeconfig: string,
    /** Milliseconds of this process's own time that a wait may take. */
    private readonly patienceMs = 90_000,
  ) {
    const clock = new SystemClock();
    const options = { clock, timeoutMs: 10_000, userAgent: 'test' };
    this.#transport = new HttpTransport(parseKubeConfig(kubeconfig, clock), options);
    this.api = new KubeApi(this.#transport, new RateLimiter(clock, 0, 0), 'a-person');
    this.#reflector = new Reflector(this.api, hostKind, this.#store, clock, new SystemRandom());
    this.#store.listen(({ type, object }) => this.#note(keyOf(object), type === 'deleted' ? undefined : object));
  }

  async start(): Promise<void> {
    this.#running = this.#reflector.run();
    await this.#reflector.synced;
  }

  async stop(): Promise<void> {
    this.#reflector.stop();
    await this.#running;
    this.#transport.close();
  }

  get(key: string): BareMetalHost | undefined {
    const object = this.#store.get(key);
    return object === undefined ? undefined : (bareMetalHostSchema.parse(object) as BareMetalHost);
  }

  all(): BareMetalHost[] {
    return [...this.#store.values()].map((object) => bareMetalHostSchema.parse(object) as BareMetalHost);
  }

  /** Every version of the host, in order. */
  versions(key: string): BareMetalHost[] {
    return this.#seen.get(key) ?? [];
  }

  /** States in order, without repetitions. */
  states(key: string): string[] {
    const states = this.versions(key).map(({ status }) => status?.provisioning.state ?? '');
    return states.filter((state, index) => index === 0 || state !== states[index - 1]);
  }

  /** Resolves with the first version, from now on, that fulfils the condition; `undefined` stands for a host that is gone. */
  until(key: string, what: string, accepts: Condition): Promise<BareMetalHost | undefined> {
    const now = this.get(key);
    if (accepts(now)) return Promise.resolve(now);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        key,
        accepts,
        resolve: (host) => {
          patience.callOff();
          this.#waiters.delete(waiter);
          resolve(host);
        },
      };
      const patience = new Patience(this.patienceMs, () => {
        this.#waiters.delete(waiter);
        reject(new Error(`${key} did not get there: ${what}; it is ${JSON.stringify(this.get(key)?.status, null, 1)}`));
      });
      this.#waiters.add(waiter);
    });
  }

  #note(key: string, object: KubeObject | undefined): void {
    const host = object === undefined ? undefined : (bareMetalHostSchema.parse(object) as BareMetalHost);
    if (host !== undefined) this.#seen.set(key, [...this.versions(key), host]);
    for (const waiter of [...this.#waiters]) if (waiter.key === key && waiter.accepts(host)) waiter.resolve(host);
  }
}
