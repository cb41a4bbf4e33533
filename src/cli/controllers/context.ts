/** What the controllers of all kinds share, and how each gets a queue and a teller of events of its own. */
import type { Clock, Random } from '../../clock.js';
import {
  EventRecorder,
  type KubeApi,
  type QueueObserver,
  type SecretStore,
  type Watches,
  WorkQueue,
} from '../../kube/index.js';
import type { Log } from '../../observability/log.js';
import type { Metrics } from '../../observability/metrics.js';
import type { ProvisionerFactory } from '../../provisioner/index.js';

export interface ControllerContext {
  readonly api: KubeApi;
  readonly watches: Watches;
  readonly secrets: SecretStore;
  readonly provisioners: ProvisionerFactory;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Recorders that are flushed at the end. */
  readonly recorders: EventRecorder[];
}

/** A queue that is counted under the controller's name, as controller-runtime counts its own. */
export function queueOf(
  { clock, metrics, log }: ControllerContext,
  controller: string,
  rankOf?: (key: string) => number,
): WorkQueue {
  const observer: QueueObserver = {
    onAdd: () => metrics.count('workqueue_adds_total', undefined, { name: controller }),
    onDone: (_key, outcome, seconds) => {
      const result = outcome === 'done' ? 'success' : outcome === 'error' ? 'error' : 'requeue';
      metrics.count('controller_runtime_reconcile_total', undefined, { controller, result });
      metrics.observeReconcile(controller, seconds);
    },
    onError: (key, error) =>
      log.error(
        { controller, object: key, error: error instanceof Error ? error.message : 'unknown' },
        'a pass broke off',
      ),
  };
  return new WorkQueue(clock, observer, rankOf);
}

export function recorderOf(context: ControllerContext, component: string, reportingComponent: string): EventRecorder {
  const { api, clock, log, recorders } = context;
  const source = { component, reportingComponent };
  const recorder = new EventRecorder(api, clock, source, (error) => log.warn({ error }, 'an event was lost'));
  recorders.push(recorder);
  return recorder;
}
