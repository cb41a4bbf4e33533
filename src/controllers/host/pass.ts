/** One pass through the chart: restore, one `reconcile`, rest. A thrown error ends it, and nothing of it is kept. */
import { createActor, waitFor, type InspectionEvent } from 'xstate';
import {
  type Draft,
  type hostMachine,
  type HostSnapshot,
  lifecycleOf,
  type LifecycleState,
  newDraft,
  type Observed,
  restore,
  type Restored,
} from '../../../machines/index.js';
import type { BareMetalHostStatus } from '../../apis/index.js';

export interface PassOutcome {
  readonly from: LifecycleState;
  readonly snapshot: HostSnapshot;
  readonly draft: Draft;
  readonly restoredFrom: Restored['source'];
}

export interface ChartRunner {
  run(status: BareMetalHostStatus, observed: Observed, services: unknown, signal: AbortSignal): Promise<PassOutcome>;
}

/** Receives what the charts do, while somebody inspects them; undefined otherwise, which costs nothing. */
export type Inspector = (key: string) => ((event: InspectionEvent) => void) | undefined;

export class HostChartRunner implements ChartRunner {
  constructor(
    private readonly machine: typeof hostMachine,
    private readonly inspector: Inspector = () => undefined,
  ) {}

  async run(
    status: BareMetalHostStatus,
    observed: Observed,
    services: unknown,
    signal: AbortSignal,
  ): Promise<PassOutcome> {
    const { snapshot, source } = restore(this.machine, status);
    const { namespace = '', name = '' } = observed.host.metadata;
    const inspect = this.inspector(`${namespace}/${name}`);
    const inspected = inspect === undefined ? {} : { inspect, id: `${namespace}/${name}` };
    const actor = createActor(this.machine, { input: {}, snapshot, ...inspected });
    // Without an observer an actor's error would be an uncaught exception of the process.
    let thrown: { error: unknown } | undefined;
    actor.subscribe({ error: (error) => (thrown = { error }) });
    actor.start();
    try {
      actor.send({ type: 'reconcile', observed, draft: newDraft(status), services });
      const rested = await waitFor(actor, (state) => thrown !== undefined || !state.hasTag('busy'), {
        signal,
        timeout: Infinity,
      });
      if (thrown !== undefined) throw thrown.error;
      if (rested.context.draft === undefined) throw new Error('the chart rested outside a pass');
      return { from: lifecycleOf(snapshot), snapshot: rested, draft: rested.context.draft, restoredFrom: source };
    } finally {
      actor.stop();
    }
  }
}
