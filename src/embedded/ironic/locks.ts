import type { Clock } from '../../clock.js';
import { nodeLocked, nodeNotFound } from './api-error.js';
import type { NodeRecord } from './node-record.js';
import type { NodeStore } from './node-store.js';
import type { Settings } from './settings.js';

/**
 * Waiting for a node that the conductor holds. A real Ironic tries a few times before it answers 409, so that a change
 * during a short lock succeeds late.
 */
export class Locks {
  private stopped = new AbortController();

  constructor(
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly store: NodeStore,
  ) {}

  /** Runs a change in one go once nobody holds the node. @throws ApiError 409 when it stays locked */
  async with<T>(node: NodeRecord, change: () => T): Promise<T> {
    const { uuid } = node.fields;
    for (let attempt = 1; node.fields.reservation !== null; attempt++) {
      if (attempt >= this.settings.lockAttempts) throw nodeLocked(uuid, node.fields.reservation);
      await this.clock.sleep(this.settings.lockIntervalMs, this.stopped.signal);
      if (this.store.get(uuid) !== node) throw nodeNotFound(uuid);
    }
    return change();
  }

  stop(): void {
    this.stopped.abort();
  }

  restart(): void {
    this.stopped = new AbortController();
  }
}
