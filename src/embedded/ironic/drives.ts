import type { NodeRecord } from './node-record.js';
import type { FaultTable } from './fault-table.js';
import type { NodeStore } from './node-store.js';
import type { Settings } from './settings.js';
import type { WorkTimers } from './work-timers.js';

/** Changes what is in the virtual drives. The answer comes first: the change takes its time, during which the node is locked. */
export class Drives {
  constructor(
    private readonly store: NodeStore,
    private readonly timers: WorkTimers,
    private readonly settings: Settings,
    private readonly faults: FaultTable,
    private readonly host: string,
  ) {}

  /** The node must not be locked. A restart in between forgets the change. */
  change(node: NodeRecord, apply: () => void): void {
    const { uuid } = node.fields;
    node.fields.last_error = null;
    node.fields.reservation = this.host;
    const ms = this.settings.millis('power') * this.faults.slownessOf(node);
    this.timers.set(uuid, ms, () => {
      if (this.store.get(uuid) !== node) return;
      apply();
      node.fields.reservation = null;
      this.store.save(node);
    });
  }
}
