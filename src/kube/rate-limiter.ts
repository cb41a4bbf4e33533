/** Token bucket for writes: `qps` a second on average, `burst` at once; those who wait are served in order. */
import type { Clock } from '../clock.js';

export class RateLimiter {
  #tokens: number;
  #filledAt: number;

  constructor(
    private readonly clock: Clock,
    private readonly qps: number,
    private readonly burst: number,
  ) {
    this.#tokens = burst;
    this.#filledAt = clock.monotonic();
  }

  /**
   * Resolves when the caller may go on. A token that is not there yet is borrowed, and the debt is waited for; who gives up
   * waiting gives it back.
   */
  async take(signal?: AbortSignal): Promise<void> {
    if (this.qps <= 0) return;
    const now = this.clock.monotonic();
    this.#tokens = Math.min(this.burst, this.#tokens + ((now - this.#filledAt) / 1000) * this.qps);
    this.#filledAt = now;
    this.#tokens -= 1;
    if (this.#tokens >= 0) return;
    try {
      await this.clock.sleep((-this.#tokens / this.qps) * 1000, signal);
    } catch (error) {
      this.#tokens += 1;
      throw error;
    }
  }
}
