/** The fleet as text: a table that fits the terminal, and one line for each change where there is none. Pure. */

export interface FleetRow {
  readonly key: string;
  readonly state: string;
  /** `operationalStatus`, with the error type behind it. */
  readonly standing: string;
  /** Milliseconds that the host has been in its state. */
  readonly sinceMs: number;
  readonly waitsFor: string;
}

export interface TableSize {
  readonly columns: number;
  readonly rows: number;
}

/** States in which a host rests: with many hosts, those that are on their way are shown first. */
const resting: ReadonlySet<string> = new Set(['provisioned', 'available', 'externally provisioned', 'unmanaged']);

export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes}m`;
  return `${Math.floor(minutes / 60)}h`;
}

export function renderTable(rows: readonly FleetRow[], size: TableSize): string[] {
  const room = Math.max(3, size.rows - 4);
  const sorted = [...rows].sort((a, b) => urgency(a) - urgency(b) || (a.key < b.key ? -1 : 1));
  const shown = sorted.slice(0, room);
  const cells = [['HOST', 'STATE', 'STANDING', 'SINCE', 'WAITS FOR'], ...shown.map(cellsOf)];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...cells.map((row) => (row[column] ?? '').length)) + 2);
  const lines = cells.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(''));
  const hidden = sorted.length - shown.length;
  return [summary(rows), ...lines, ...(hidden > 0 ? [`… and ${hidden} more`] : [])].map((line) =>
    fit(line.trimEnd(), size.columns),
  );
}

/** How many hosts are in each state: `12 hosts: 10 provisioned, 2 inspecting`. */
export function summary(rows: readonly FleetRow[]): string {
  const counts = new Map<string, number>();
  for (const { state } of rows) counts.set(state || 'new', (counts.get(state || 'new') ?? 0) + 1);
  const parts = [...counts].sort(([, a], [, b]) => b - a).map(([state, count]) => `${count} ${state}`);
  return plain(`${rows.length} hosts${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`);
}

/** One line for a host that has changed. */
export function renderLine(row: FleetRow): string {
  const waits = row.waitsFor === '' ? '' : `; waits for ${row.waitsFor}`;
  return plain(`${row.key}: ${row.state || 'new'}, ${row.standing || 'OK'}${waits}`);
}

function cellsOf({ key, state, standing, sinceMs, waitsFor }: FleetRow): string[] {
  return [key, state || 'new', standing, age(sinceMs), waitsFor].map(plain);
}

function urgency({ state, standing }: FleetRow): number {
  if (standing.startsWith('error')) return 0;
  return resting.has(state) ? 2 : 1;
}

/** What a back end says, or another program wrote into a status, may hold anything: no control character gets through. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

function fit(line: string, columns: number): string {
  return line.length <= columns ? line : `${line.slice(0, Math.max(0, columns - 1))}…`;
}
