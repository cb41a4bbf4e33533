/**
 * The fleet on the terminal while `up` runs: a table that is redrawn in place, or, where there is no terminal, a line for each
 * change. What a host waits for comes from its last pass, which knows more than its status does.
 */
import { bareMetalHostStatusSchema, type BareMetalHost, type BareMetalHostStatus } from '../../apis/index.js';
import type { Clock, Timer } from '../../clock.js';
import type { PassReport } from '../../controllers/host/index.js';
import { keyOf } from '../../kube/index.js';
import { type FleetRow, renderLine, renderTable, type TableSize } from './fleet-table.js';

export interface Screen {
  readonly isTerminal: boolean;
  size(): TableSize;
  write(text: string): void;
}

const redrawMs = 500;

/** The status of a host that the operator has not looked at yet. */
const unseen = bareMetalHostStatusSchema.parse({}) as BareMetalHostStatus;

export class FleetDisplay {
  readonly #reports = new Map<string, PassReport>();
  readonly #told = new Map<string, string>();
  #timer: Timer | undefined;
  #drawn = 0;

  constructor(
    private readonly hosts: () => readonly BareMetalHost[],
    private readonly screen: Screen,
    private readonly clock: Clock,
  ) {}

  note(report: PassReport): void {
    if (report.outcome === 'deleteComplete') this.#reports.delete(report.key);
    else this.#reports.set(report.key, report);
  }

  /** Undefined: the host was not looked at yet, or is gone. */
  lastReport(key: string): PassReport | undefined {
    return this.#reports.get(key);
  }

  start(): void {
    this.#draw();
    this.#timer = this.clock.after(redrawMs, () => this.start());
  }

  /** Draws once more, so that the last picture is the true one. */
  stop(): void {
    if (this.#timer === undefined) return;
    this.#timer.cancel();
    this.#timer = undefined;
    this.#draw();
  }

  rows(): FleetRow[] {
    return this.hosts().map((host) => this.#row(host));
  }

  #row(host: BareMetalHost): FleetRow {
    const { creationTimestamp } = host.metadata;
    const key = keyOf(host);
    const status = host.status ?? unseen;
    const since = Date.parse(status.lifecycle?.since ?? creationTimestamp ?? '');
    return {
      key,
      state: status.provisioning.state,
      standing: status.errorType === undefined ? status.operationalStatus : `error: ${status.errorType}`,
      sinceMs: Number.isNaN(since) ? 0 : this.clock.now() - since,
      waitsFor: waitsFor(status.lifecycle?.waitsFor, this.lastReport(key)),
    };
  }

  #draw(): void {
    const rows = this.rows();
    if (this.screen.isTerminal) this.#redraw(rows);
    else this.#tellChanges(rows);
  }

  #redraw(rows: readonly FleetRow[]): void {
    const lines = renderTable(rows, this.screen.size());
    const back = this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A\u001b[0J`;
    this.screen.write(`${back}${lines.join('\n')}\n`);
    this.#drawn = lines.length;
  }

  #tellChanges(rows: readonly FleetRow[]): void {
    for (const row of rows) {
      const line = renderLine(row);
      const seen = `${row.state} ${row.standing}`;
      if (this.#told.get(row.key) === seen) continue;
      this.#told.set(row.key, seen);
      this.screen.write(`${line}\n`);
    }
    const present = new Set(rows.map(({ key }) => key));
    for (const key of this.#told.keys()) {
      if (present.has(key)) continue;
      this.#told.delete(key);
      this.screen.write(`${key}: gone\n`);
    }
  }
}

function waitsFor(kept: string | undefined, report: PassReport | undefined): string {
  if (report === undefined) return kept ?? '';
  const node = report.nodeState === '' ? '' : ` (node: ${report.nodeState})`;
  return report.waitsFor === '' ? (kept ?? '') : `${report.waitsFor}${node}`;
}
