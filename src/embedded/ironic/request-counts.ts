/** How often each operation of the API was called, by `METHOD /route/{template}`. */
export class RequestCounts {
  private counts = new Map<string, number>();

  add(operation: string): void {
    this.counts.set(operation, (this.counts.get(operation) ?? 0) + 1);
  }

  all(): Record<string, number> {
    return Object.fromEntries([...this.counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  reset(): void {
    this.counts = new Map();
  }
}
