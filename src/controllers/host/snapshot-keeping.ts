import type { Log } from './dependencies.js';

/**
 * Whether the API server keeps the chart's snapshot. Definitions of upstream do not know `status.lifecycle`, and drop it: the
 * chart is then restored from the fields that they know, and a write that would bring nothing else is none.
 */
export class SnapshotKeeping {
  #isPruned = false;

  constructor(private readonly log: Log) {}

  get isPruned(): boolean {
    return this.#isPruned;
  }

  /** Whether this status patch can change anything on the server. */
  isWorthIt(status: object): boolean {
    return !this.#isPruned || Object.keys(status).some((field) => field !== 'lifecycle' && field !== 'lastUpdated');
  }

  /** Compares what was sent with what the server has stored. */
  note(sent: object, stored: unknown): void {
    const wanted = (sent as { lifecycle?: unknown }).lifecycle;
    if (wanted === undefined || wanted === null) return;
    const isPruned = (stored as { lifecycle?: unknown } | undefined)?.lifecycle === undefined;
    if (isPruned && !this.#isPruned) {
      const remedy = 'install the definitions of Ironchart to have explanations and exact restarts';
      this.log.warn(
        { remedy },
        'the API server keeps no status.lifecycle: hosts are restored from the rest of their status',
      );
    }
    this.#isPruned = isPruned;
  }
}
