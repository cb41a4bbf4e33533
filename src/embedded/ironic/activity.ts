import type { Clock } from '../../clock.js';
import type { NodeRecord } from './node-record.js';
import { busyStates } from './state-table.js';

/** One thing that happened to a node; times in milliseconds since the epoch. */
export interface HistoryEntry {
  node: string;
  name: string | null;
  /** A verb (`active`, `deleted`, …), a power action, `create`, `delete`, or what ended a phase (`done`, `fail`, …). */
  action: string;
  from: string | null;
  to: string | null;
  at: number;
  /** `request`: asked for by a client. `conductor`: a consequence. */
  by: 'request' | 'conductor';
}

export type BootClass = 'network' | 'virtual-media';

export function bootClassOf(node: NodeRecord): BootClass {
  return node.fields.boot_interface.includes('virtual-media') ? 'virtual-media' : 'network';
}

/** What was done to whom and when, and how many nodes were at work at once. */
export class Activity {
  private entries: HistoryEntry[] = [];
  private busy: Record<BootClass, Set<string>> = { network: new Set(), 'virtual-media': new Set() };
  private peak: Record<BootClass, number> = { network: 0, 'virtual-media': 0 };

  constructor(
    private readonly clock: Clock,
    private readonly limit = 200_000,
  ) {}

  record(node: NodeRecord, action: string, from: string | null, to: string | null, by: HistoryEntry['by']): void {
    const { uuid, name } = node.fields;
    this.entries.push({ node: uuid, name, action, from, to, at: this.clock.now(), by });
    if (this.entries.length > this.limit) this.entries = this.entries.slice(this.limit / 2);
  }

  /** To be told whenever a node's provision state or boot interface may have changed. */
  observe(node: NodeRecord): void {
    const { uuid, provision_state } = node.fields;
    const bootClass = bootClassOf(node);
    this.forget(uuid);
    if (busyStates.has(provision_state)) this.busy[bootClass].add(uuid);
    this.peak[bootClass] = Math.max(this.peak[bootClass], this.busy[bootClass].size);
  }

  forget(uuid: string): void {
    this.busy.network.delete(uuid);
    this.busy['virtual-media'].delete(uuid);
  }

  history(): HistoryEntry[] {
    return [...this.entries];
  }

  maxBusy(): Record<BootClass, number> {
    return { ...this.peak };
  }

  /** Forgets the past; nodes that are busy now stay counted. */
  reset(): void {
    this.entries = [];
    this.peak = { network: this.busy.network.size, 'virtual-media': this.busy['virtual-media'].size };
  }
}
