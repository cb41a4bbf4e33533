/** For how long a host's node has nothing under way: what is left of a phase is Ironic's own time. */
import type { Bed } from './bed.js';

const isBusy = (node: Shown) =>
  /(ing| wait|call-back)$/.test(node.provision_state) || node.target_power_state !== null || node.reservation !== null;

interface Shown {
  readonly name: string;
  readonly provision_state: string;
  readonly target_power_state: string | null;
  readonly reservation: string | null;
}

/** Looks at all nodes of a bed ten times a second, and adds up the time in which each is idle. */
export class IdleTime {
  readonly #idleMs = new Map<string, number>();
  #isOver = false;
  readonly #watching: Promise<void>;

  constructor(private readonly bed: Bed) {
    this.#watching = this.#watch();
    this.#watching.catch(() => undefined);
  }

  /** Milliseconds by node name since the last call. */
  take(): Map<string, number> {
    const taken = new Map(this.#idleMs);
    this.#idleMs.clear();
    return taken;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#watching;
  }

  async #watch(): Promise<void> {
    const fields = 'name,provision_state,target_power_state,reservation';
    let last = performance.now();
    while (!this.#isOver) {
      const { body } = await this.bed.request('GET', `/v1/nodes?fields=${fields}&limit=1000`);
      const now = performance.now();
      for (const node of body.nodes as Shown[]) {
        if (!isBusy(node)) this.#idleMs.set(node.name, (this.#idleMs.get(node.name) ?? 0) + now - last);
      }
      last = now;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
