/** `--inspect`: starts the inspector and says where it is. */
import { SystemClock } from '../clock.js';
import type { Inspector } from '../controllers/host/index.js';
import { inspectCharts } from '../observability/inspector/index.js';

export async function startInspector(
  say: (text: string) => void,
): Promise<{ inspect: Inspector; stop(): Promise<void> }> {
  const inspector = await inspectCharts(new SystemClock());
  say(
    `the charts, live: ${inspector.url} (shown by stately.ai, in your browser; states and names of hosts, nothing else)`,
  );
  return inspector;
}
