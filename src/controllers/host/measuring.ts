/** Puts the measurements of passes into the metrics. */
import type { Measurement } from '../../../machines/index.js';
import type { HostMetrics } from './dependencies.js';

export function measure(
  metrics: HostMetrics,
  key: string,
  measurements: readonly Measurement[],
  when: Measurement['when'],
): void {
  for (const { metric, labels, value, when: then } of measurements) {
    if (then !== when) continue;
    if (value === undefined) metrics.count(metric, key, labels);
    else metrics.observe(metric, key, value);
  }
}
