/**
 * Prometheus metrics, under the names that dashboards for this kind of operator already know (host-lifecycle spec §12). The
 * series of a host go with the host.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const perHost = ['namespace', 'host'] as const;

const counters: Readonly<Record<string, { help: string; labels: readonly string[] }>> = {
  metal3_reconcile_total: { help: 'Passes begun, by host', labels: perHost },
  metal3_reconcile_error_total: { help: 'Passes that ended in an error', labels: [] },
  metal3_host_error_total: { help: 'Failures of hosts, by type', labels: ['error_type'] },
  metal3_operation_power_change_total: { help: 'Power commands, by host and wish', labels: [...perHost, 'on_off'] },
  metal3_delayed__provisioning_total: { help: 'Waits for a slot to work on a host', labels: perHost },
  metal3_delayed__deprovisioning_total: { help: 'Waits for a slot to clean a host', labels: perHost },
  metal3_credentials_missing_total: { help: 'BMC Secrets that do not exist', labels: [] },
  metal3_credentials_invalid_total: { help: 'BMC Secrets or addresses that cannot be used', labels: [] },
  metal3_credentials_unhandled_error_total: { help: 'BMC Secrets that could not be read', labels: [] },
  metal3_credentials_no_management_access_total: { help: 'Registrations that were thrown out', labels: [] },
  metal3_credentials_updated_total: { help: 'New BMC credentials taken up', labels: [] },
  metal3_host_config_data_error_total: { help: 'Secrets that lack config-drive data', labels: ['host_data_type'] },
  metal3_provisioning_state_change_total: { help: 'Changes of state', labels: ['prev_state', 'new_state'] },
  metal3_host_registration_required_total: { help: 'Passes that registration took up', labels: [] },
  metal3_host_unmanaged_total: { help: 'Hosts found without BMC details', labels: [] },
  metal3_provisioner_not_ready_total: { help: 'Passes that found the back end away', labels: [] },
  metal3_delete_delayed_for_detached_total: { help: 'Deletions that wait for a host to be attached', labels: [] },
  metal3_delete_without_deprovisioning_total: { help: 'Deletions that gave up cleaning', labels: [] },
  metal3_delete_without_powering_off_total: { help: 'Deletions that gave up powering off', labels: [] },
  metal3_waiting_for_preprov_image_total: { help: 'Waits for a preprovisioning image', labels: [] },
  workqueue_adds_total: { help: 'Keys added to the queue', labels: ['name'] },
  controller_runtime_reconcile_total: { help: 'Reconciles, by result', labels: ['controller', 'result'] },
  ironchart_admission_total: { help: 'Objects judged by the webhooks', labels: ['kind', 'verdict'] },
  ironchart_kube_requests_total: { help: 'Requests to the API server', labels: ['verb', 'resource'] },
  ironchart_ironic_requests_total: { help: 'Requests to Ironic', labels: ['method', 'route', 'code'] },
};

const slowBuckets = [30, 90, 180, 360, 720, 1440];
const histograms: Readonly<Record<string, { help: string; labels: readonly string[]; buckets?: number[] }>> = {
  metal3_operation_register_duration_seconds: { help: 'How long registrations took', labels: perHost },
  metal3_operation_inspect_duration_seconds: {
    help: 'How long inspections took',
    labels: perHost,
    buckets: slowBuckets,
  },
  metal3_operation_provision_duration_seconds: {
    help: 'How long provisioning took',
    labels: perHost,
    buckets: slowBuckets,
  },
  metal3_operation_deprovision_duration_seconds: {
    help: 'How long deprovisioning took',
    labels: perHost,
    buckets: slowBuckets,
  },
  controller_runtime_reconcile_time_seconds: { help: 'How long a reconcile took', labels: ['controller'] },
};

export class Metrics {
  readonly registry = new Registry();
  readonly #counters = new Map<string, Counter>();
  readonly #histograms = new Map<string, Histogram>();
  /** Label sets in use by each host, so that they can be removed with it. */
  readonly #series = new Map<string, Map<string, { metric: Counter | Histogram; labels: Record<string, string> }>>();

  constructor() {
    for (const [name, { help, labels }] of Object.entries(counters)) {
      this.#counters.set(name, new Counter({ name, help, labelNames: labels, registers: [this.registry] }));
    }
    for (const [name, { help, labels, buckets }] of Object.entries(histograms)) {
      const options = { name, help, labelNames: labels, registers: [this.registry] };
      this.#histograms.set(name, new Histogram(buckets === undefined ? options : { ...options, buckets }));
    }
  }

  /** Adds the process's own series (event-loop lag, memory); one registry a process. */
  collectProcess(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(read());
      },
    });
  }

  count(metric: string, key?: string, labels: Readonly<Record<string, string>> = {}): void {
    const counter = this.#counters.get(metric);
    if (counter === undefined) throw new Error(`no counter is named ${metric}`);
    counter.inc(this.#labels(metric, counter, counters[metric]?.labels ?? [], key, labels));
  }

  observe(metric: string, key: string, seconds: number): void {
    const histogram = this.#histograms.get(metric);
    if (histogram === undefined) throw new Error(`no histogram is named ${metric}`);
    histogram.observe(this.#labels(metric, histogram, histograms[metric]?.labels ?? [], key, {}), seconds);
  }

  observeReconcile(controller: string, seconds: number): void {
    this.#histograms.get('controller_runtime_reconcile_time_seconds')?.observe({ controller }, seconds);
  }

  forget(key: string): void {
    for (const { metric, labels } of this.#series.get(key)?.values() ?? []) metric.remove(labels);
    this.#series.delete(key);
  }

  #labels(
    name: string,
    metric: Counter | Histogram,
    names: readonly string[],
    key: string | undefined,
    given: Readonly<Record<string, string>>,
  ): Record<string, string> {
    if (!names.includes('host') || key === undefined) return { ...given };
    const [namespace = '', host = ''] = key.split('/');
    const labels = { namespace, host, ...given };
    const series =
      this.#series.get(key) ?? new Map<string, { metric: Counter | Histogram; labels: Record<string, string> }>();
    series.set(`${name} ${JSON.stringify(given)}`, { metric, labels });
    this.#series.set(key, series);
    return labels;
  }
}
