/** The charts at work, for the Stately inspector: opt-in, on loopback, and only what the allow-list names. */
import type { InspectionEvent } from 'xstate';
import type { Clock } from '../../clock.js';
import { InspectorServer } from './server.js';
import { InspectionStream } from './stream.js';

export interface RunningInspector {
  readonly url: string;
  /** For the chart of the host with this key, what XState's `inspect` option takes. */
  readonly inspect: (key: string) => (event: InspectionEvent) => void;
  stop(): Promise<void>;
}

/** @throws IronchartError INSPECTOR_UNAVAILABLE when loopback cannot be listened on. */
export async function inspectCharts(clock: Clock): Promise<RunningInspector> {
  const stream = new InspectionStream(clock);
  const server = new InspectorServer(stream);
  await server.start();
  const take = (key: string, event: InspectionEvent) => {
    try {
      stream.take(key, event);
    } catch {
      // Whoever looks on must not be able to break a pass.
    }
  };
  return {
    url: server.url,
    inspect: (key) => (event) => take(key, event),
    stop: () => server.stop(),
  };
}
