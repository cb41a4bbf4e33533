/** A value that is asked for at most once at a time, and again only when it has aged. */
import type { Clock } from '../../clock.js';

export class FreshValue<T> {
  #value: { readonly of: T; readonly loadedAt: number; until: number } | undefined;
  #loading: Promise<T> | undefined;

  /** @param ttlMs 0: never kept, and not shared between callers either. */
  constructor(
    private readonly clock: Clock,
    private readonly ttlMs: number,
    private readonly load: () => Promise<T>,
  ) {}

  /** A failure is shared by those who wait for it, and not kept. */
  get(): Promise<T> {
    if (this.ttlMs <= 0) return this.load();
    if (this.#value && this.clock.monotonic() <= this.#value.until) return Promise.resolve(this.#value.of);
    return (this.#loading ??= this.#reload());
  }

  /** What was seen besides says that the value still holds: it is kept for another span, up to a dozen spans in all. */
  renew(): void {
    if (this.#value === undefined) return;
    const { loadedAt, until } = this.#value;
    const now = this.clock.monotonic();
    if (now <= until) this.#value.until = Math.min(now + this.ttlMs, loadedAt + 12 * this.ttlMs);
  }

  async #reload(): Promise<T> {
    try {
      const value = await this.load();
      const now = this.clock.monotonic();
      this.#value = { of: value, loadedAt: now, until: now + this.ttlMs };
      return value;
    } finally {
      this.#loading = undefined;
    }
  }
}
