// Memory beside many Secrets of others: hosts at rest in namespaces of their own, among Secrets that are none of the operator's.
// The operator is a process of its own. Run: node test/perf/fleet-secrets.mjs [hosts] [secrets a namespace]; the budget is in
// fleet-secrets.ranges.json, and is missed with exit code 1.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { customResourceDefinitions } from '../../dist/src/apis/index.js';
import { SystemClock } from '../../dist/src/clock.js';
import { EmbeddedKubeServer } from '../../dist/src/embedded/kube/index.js';

const [hosts = 1000, secretsEach = 22] = process.argv.slice(2).map(Number);
const kib = 5;
const atOnce = 16;
const limitMs = 600_000;
const main = new URL('../../dist/src/cli/main.js', import.meta.url).pathname;
const { ranges } = JSON.parse(readFileSync(new URL('fleet-secrets.ranges.json', import.meta.url), 'utf8'));

const clock = new SystemClock();
const server = new EmbeddedKubeServer({ crds: customResourceDefinitions(), clock, historySize: 4096 });
const { url } = await server.start();
const folder = mkdtempSync(join(tmpdir(), 'ironchart-secrets-'));
const kubeconfig = join(folder, 'kubeconfig');
writeFileSync(kubeconfig, server.kubeconfig(), { mode: 0o600 });

async function post(path, body) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

async function fill(number) {
  const namespace = `space-${String(number).padStart(4, '0')}`;
  await post('/api/v1/namespaces', { metadata: { name: namespace } });
  const secrets = `/api/v1/namespaces/${namespace}/secrets`;
  for (let each = 0; each < secretsEach - 1; each += 1) {
    await post(secrets, { metadata: { name: `other-${each}` }, stringData: { blob: 'x'.repeat(kib * 1024) } });
  }
  const stringData = { username: 'admin', password: 'pw', blob: 'y'.repeat(kib * 1024) };
  await post(secrets, { metadata: { name: 'bmc' }, stringData });
  await post(`/apis/metal3.io/v1alpha1/namespaces/${namespace}/baremetalhosts`, {
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'BareMetalHost',
    metadata: { name: 'host' },
    spec: { online: true, bmc: { address: `redfish://192.0.2.1/${number}`, credentialsName: 'bmc' } },
  });
}

async function available() {
  const startedAt = clock.monotonic();
  for (;;) {
    const { items } = await (await fetch(`${url}/apis/metal3.io/v1alpha1/baremetalhosts`)).json();
    const done = items.filter(({ status }) => status?.provisioning?.state === 'available').length;
    if (done === hosts) return;
    if (clock.monotonic() - startedAt > limitMs) throw new Error(`only ${done} of ${hosts} hosts became available`);
    await clock.sleep(1000);
  }
}

function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const of = (name) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)[1]) / 1024);
  return { peakRssMiB: of('VmHWM'), rssMiB: of('VmRSS') };
}

const filledAt = clock.monotonic();
for (let next = 0; next < hosts; next += atOnce) {
  await Promise.all(Array.from({ length: Math.min(atOnce, hosts - next) }, (_, index) => fill(next + index)));
}
const fillSeconds = Math.round((clock.monotonic() - filledAt) / 1000);
server.resetRequestCounts();

const flags = ['--kubeconfig', kubeconfig, '--provisioner', 'demo', '--health-addr', '0', '--metrics-addr', '0'];
const quiet = ['--kube-api-qps', '0', '--log-level', 'warn'];
const operator = spawn(process.execPath, [main, 'run', ...flags, ...quiet], { stdio: ['ignore', 'ignore', 'inherit'] });
try {
  await available();
  await clock.sleep(5000);
  const counts = server.requestCounts();
  const found = { hosts, secrets: hosts * secretsEach, fillSeconds, ...memoryOf(operator.pid) };
  console.log(
    JSON.stringify({ ...found, secretLists: counts['list secrets'] ?? 0, secretGets: counts['get secrets'] ?? 0 }),
  );
  const missed = ranges.filter(({ path, max }) => found[path] > max);
  for (const { path, max } of missed) console.error(`${path} is ${found[path]}, more than ${max}`);
  process.exitCode = missed.length === 0 ? 0 : 1;
} finally {
  operator.kill('SIGTERM');
  await new Promise((resolve) => operator.once('exit', resolve));
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
