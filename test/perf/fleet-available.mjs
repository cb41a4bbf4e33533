// A fleet from nothing to available: the operator in a process of its own, `ironchart run`, on the embedded API server, with
// the demo back end, so that what is measured is the operator and its talk with the API server.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { customResourceDefinitions } from '../../dist/src/apis/index.js';
import { SystemClock } from '../../dist/src/clock.js';
import { EmbeddedKubeServer } from '../../dist/src/embedded/kube/index.js';

const main = new URL('../../dist/src/cli/main.js', import.meta.url).pathname;
const ticksPerSecond = 100;
const limitMs = 600_000;

export async function fleetToAvailable(count) {
  const clock = new SystemClock();
  const server = new EmbeddedKubeServer({ crds: customResourceDefinitions(), clock, historySize: 65_536 });
  const { url } = await server.start();
  const folder = mkdtempSync(join(tmpdir(), 'ironchart-bench-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 });
  await createHosts(url, count);
  server.resetRequestCounts();

  const flags = [
    'run',
    '--kubeconfig',
    kubeconfig,
    '--provisioner',
    'demo',
    '--health-addr',
    '0',
    '--metrics-addr',
    '0',
  ];
  const operator = spawn(process.execPath, [main, ...flags, '--kube-api-qps', '0', '--log-level', 'warn'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const startedAt = clock.monotonic();
    await available(url, count, clock, startedAt);
    const seconds = (clock.monotonic() - startedAt) / 1000;
    return { hosts: count, seconds: round(seconds), ...usage(operator.pid), ...writes(server.requestCounts(), count) };
  } finally {
    operator.kill('SIGTERM');
    await new Promise((resolve) => operator.once('exit', resolve));
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function post(url, path, body) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

async function createHosts(url, count) {
  await post(url, '/api/v1/namespaces', { metadata: { name: 'fleet' } });
  for (let number = 0; number < count; number += 1) {
    const name = `host-${String(number).padStart(4, '0')}`;
    await post(url, '/api/v1/namespaces/fleet/secrets', {
      metadata: { name: `${name}-bmc` },
      stringData: { username: 'admin', password: 'pw' },
    });
    await post(url, '/apis/metal3.io/v1alpha1/namespaces/fleet/baremetalhosts', {
      apiVersion: 'metal3.io/v1alpha1',
      kind: 'BareMetalHost',
      metadata: { name },
      spec: { online: true, bmc: { address: `redfish://192.0.2.1/${number}`, credentialsName: `${name}-bmc` } },
    });
  }
}

async function available(url, count, clock, startedAt) {
  for (;;) {
    const answer = await fetch(`${url}/apis/metal3.io/v1alpha1/namespaces/fleet/baremetalhosts`);
    const { items } = await answer.json();
    const done = items.filter(({ status }) => status?.provisioning?.state === 'available').length;
    if (done === count) return;
    if (clock.monotonic() - startedAt > limitMs) throw new Error(`only ${done} of ${count} hosts became available`);
    await clock.sleep(1000);
  }
}

/** CPU and peak memory of the operator's process so far. */
function usage(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  const cpuSeconds = (Number(stat[11]) + Number(stat[12])) / ticksPerSecond;
  const [, kib] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return { cpuSeconds: round(cpuSeconds), peakRssMiB: Math.round(Number(kib) / 1024) };
}

const isWrite = (key) => /^(create|patch|update|delete) /.test(key);
const sumOf = (counts, test) =>
  Object.entries(counts).reduce((sum, [key, value]) => (test(key) ? sum + value : sum), 0);

/** Of what an embedded API server counted, the requests that write. */
export function writesIn(counts) {
  return sumOf(counts, isWrite);
}

function writes(counts, hosts) {
  const of = (test) => sumOf(counts, test);
  return {
    apiWritesPerHost: round(writesIn(counts) / hosts),
    statusWritesPerHost: round(of((key) => key === 'patch baremetalhosts.metal3.io/status') / hosts),
    eventsPerHost: round(of((key) => key === 'create events') / hosts),
    apiRequestsPerHost: round(of(() => true) / hosts),
  };
}

function round(value) {
  return Math.round(value * 100) / 100;
}
