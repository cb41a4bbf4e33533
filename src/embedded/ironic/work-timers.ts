import type { Clock, Timer } from '../../clock.js';

/** At most one pending timer for each node. */
export class WorkTimers {
  private readonly pending = new Map<string, Timer>();

  constructor(private readonly clock: Clock) {}

  set(uuid: string, ms: number, task: () => void): void {
    this.cancel(uuid);
    const timer = this.clock.after(ms, () => {
      this.pending.delete(uuid);
      task();
    });
    this.pending.set(uuid, timer);
  }

  cancel(uuid: string): void {
    this.pending.get(uuid)?.cancel();
    this.pending.delete(uuid);
  }

  cancelAll(): void {
    for (const timer of this.pending.values()) timer.cancel();
    this.pending.clear();
  }
}
