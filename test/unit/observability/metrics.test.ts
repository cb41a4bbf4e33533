import { describe, expect, it } from '@jest/globals';
import { Metrics } from '../../../src/observability/metrics.js';

interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a scrape shows: the type of each metric, and every series. */
async function scrape(metrics: Metrics): Promise<{ types: Map<string, string>; series: Series[] }> {
  const lines = (await metrics.registry.metrics()).split('\n');
  const types = lines.flatMap((line) => {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    return name === undefined || type === undefined ? [] : [[name, type] as const];
  });
  const series = lines.flatMap((line) => {
    const [, name, labels = '', value] = /^([a-zA-Z_:]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
  return { types: new Map(types), series };
}

const key = 'myns/myhost';
const host = { namespace: 'myns', host: 'myhost' };
const none = {};

/** The counters that dashboards know: whether they are a host's, and which labels come with each count. */
const counters: [name: string, ofHost: boolean, labels: Readonly<Record<string, string>>][] = [
  ['metal3_reconcile_total', true, none],
  ['metal3_reconcile_error_total', false, none],
  ['metal3_host_error_total', false, { error_type: 'RegistrationError' }],
  ['metal3_operation_power_change_total', true, { on_off: 'on' }],
  ['metal3_delayed__provisioning_total', true, none],
  ['metal3_delayed__deprovisioning_total', true, none],
  ['metal3_credentials_missing_total', false, none],
  ['metal3_credentials_invalid_total', false, none],
  ['metal3_credentials_unhandled_error_total', false, none],
  ['metal3_credentials_no_management_access_total', false, none],
  ['metal3_credentials_updated_total', false, none],
  ['metal3_host_config_data_error_total', false, { host_data_type: 'userData' }],
  ['metal3_provisioning_state_change_total', false, { prev_state: 'registering', new_state: 'inspecting' }],
  ['metal3_host_registration_required_total', false, none],
  ['metal3_host_unmanaged_total', false, none],
  ['metal3_provisioner_not_ready_total', false, none],
  ['metal3_delete_delayed_for_detached_total', false, none],
  ['metal3_delete_without_deprovisioning_total', false, none],
  ['metal3_delete_without_powering_off_total', false, none],
  ['metal3_waiting_for_preprov_image_total', false, none],
];

const quick = ['0.005', '0.01', '0.025', '0.05', '0.1', '0.25', '0.5', '1', '2.5', '5', '10', '+Inf'];
const slow = ['30', '90', '180', '360', '720', '1440', '+Inf'];
const histograms: [name: string, buckets: readonly string[]][] = [
  ['metal3_operation_register_duration_seconds', quick],
  ['metal3_operation_inspect_duration_seconds', slow],
  ['metal3_operation_provision_duration_seconds', slow],
  ['metal3_operation_deprovision_duration_seconds', slow],
];

describe('the metrics that dashboards know', () => {
  it('are all registered from the start, under their names and types, and no others under that prefix', async () => {
    const { types } = await scrape(new Metrics());
    const known = [...types].filter(([name]) => name.startsWith('metal3_'));
    expect(Object.fromEntries(known)).toEqual(
      Object.fromEntries([
        ...counters.map(([name]) => [name, 'counter']),
        ...histograms.map(([name]) => [name, 'histogram']),
      ]),
    );
  });

  it('show no series before the first count, but for a zero of those without labels', async () => {
    const { series } = await scrape(new Metrics());
    const bare = counters.filter(([, ofHost, labels]) => !ofHost && labels === none).map(([name]) => name);
    const shown = series.filter(({ name }) => name.startsWith('metal3_'));
    expect(shown).toEqual(bare.map((name) => ({ name, labels: {}, value: 0 })));
  });

  it.each(counters)('%s counts one, with its labels', async (name, ofHost, labels) => {
    const metrics = new Metrics();
    metrics.count(name, ofHost ? key : undefined, labels);
    const { series } = await scrape(metrics);
    const expected = ofHost ? { ...host, ...labels } : labels;
    expect(series.filter((one) => one.name === name)).toEqual([{ name, labels: expected, value: 1 }]);
  });

  it.each(counters.filter(([, ofHost]) => !ofHost))('%s does not tell of which host', async (name, _ofHost, labels) => {
    const metrics = new Metrics();
    metrics.count(name, key, labels);
    const { series } = await scrape(metrics);
    expect(series.filter((one) => one.name === name)).toEqual([{ name, labels, value: 1 }]);
  });

  it.each(histograms)('%s takes a duration by host into its buckets', async (name, buckets) => {
    const metrics = new Metrics();
    metrics.observe(name, key, 2);
    const { series } = await scrape(metrics);
    expect(series.filter((one) => one.name.startsWith(name))).toEqual([
      ...buckets.map((le) => ({
        name: `${name}_bucket`,
        labels: { le, ...host },
        value: le === '+Inf' || Number(le) >= 2 ? 1 : 0,
      })),
      { name: `${name}_sum`, labels: host, value: 2 },
      { name: `${name}_count`, labels: host, value: 1 },
    ]);
  });

  it('are refused under a name or a label that there is not', () => {
    const metrics = new Metrics();
    expect(() => metrics.count('metal3_no_such_total')).toThrow('metal3_no_such_total');
    expect(() => metrics.observe('metal3_no_such_seconds', key, 1)).toThrow('metal3_no_such_seconds');
    expect(() => metrics.count('metal3_host_error_total', undefined, { colour: 'red' })).toThrow('colour');
  });
});

describe('forgetting a host', () => {
  /** Each metric that tells of the host at all, in every label that differs. */
  function use(metrics: Metrics, of: string): void {
    for (const [name, ofHost, labels] of counters) if (ofHost) metrics.count(name, of, labels);
    metrics.count('metal3_operation_power_change_total', of, { on_off: 'off' });
    for (const [name] of histograms) metrics.observe(name, of, 1);
  }

  it('brings the number of series back to what it was, after a thousand hosts', async () => {
    const metrics = new Metrics();
    use(metrics, key);
    const before = (await scrape(metrics)).series;
    const names = Array.from({ length: 1000 }, (_, index) => `fleet-${index % 7}/host-${index}`);
    for (const name of names) use(metrics, name);
    const { series } = await scrape(metrics);
    const each = before.filter(({ labels }) => labels.host === 'myhost').length;
    expect(series).toHaveLength(before.length + 1000 * each);
    for (const name of names) metrics.forget(name);
    expect((await scrape(metrics)).series).toEqual(before);
  });

  it('leaves the counts that are not of one host', async () => {
    const metrics = new Metrics();
    metrics.count('metal3_host_error_total', key, { error_type: 'RegistrationError' });
    const before = (await scrape(metrics)).series;
    metrics.count('metal3_reconcile_total', key);
    metrics.forget(key);
    expect((await scrape(metrics)).series).toEqual(before);
  });

  it('lets a host of the same name begin again at one', async () => {
    const metrics = new Metrics();
    use(metrics, key);
    metrics.forget(key);
    metrics.forget(key);
    use(metrics, key);
    const { series } = await scrape(metrics);
    expect(series.find(({ name }) => name === 'metal3_reconcile_total')).toMatchObject({ labels: host, value: 1 });
  });
});
