import type { Inspector } from '../controllers/host/index.js';
export function startInspector(_say: (text: string) => void): Promise<{ inspect: Inspector; stop(): Promise<void> }> {
  throw new Error('not built yet');
}
