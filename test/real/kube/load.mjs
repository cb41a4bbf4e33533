/**
 * Drives a fleet through its life on a real API server, and measures what the operator takes for it: time, processor, memory,
 * and, from the audit log, its requests and its writes. It knows the API alone, so that any operator is measured alike.
 * usage: load.mjs --hosts N --pid OPERATOR [--phases available,provisioned,idle,deleted] [--out FILE] [--check], below with-cluster.sh
 * --check compares the figures with load.ranges.json and fails when one is out of its range.
 */
import { closeSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const { values: given } = parseArgs({
  options: {
    hosts: { type: 'string', default: '100' },
    pid: { type: 'string' },
    phases: { type: 'string', default: 'available,provisioned' },
    patience: { type: 'string', default: '900' }, // seconds a phase
    idle: { type: 'string', default: '60' }, // seconds
    user: { type: 'string', default: 'operator' }, // whose requests count
    out: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
});
const folder = process.env.IRONCHART_TEST_KUBE;
if (folder === undefined || given.pid === undefined) {
  console.error('usage: with-cluster.sh node load.mjs --hosts N --pid OPERATOR');
  process.exit(2);
}
const read = (name) => readFileSync(join(folder, name), 'utf8').trim();
const [url, token, apiPid] = ['url', 'token', 'kube-apiserver.pid'].map(read);
const audit = join(folder, 'audit.log');
const count = Number(given.hosts);
const parallel = 16;
const namespace = 'load';
const hosts = `/apis/metal3.io/v1alpha1/namespaces/${namespace}/baremetalhosts`;
const names = Array.from({ length: count }, (_, index) => `host-${String(index).padStart(String(count).length, '0')}`);

async function send(method, path, body, type = 'application/json') {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** Many at a time, so that the fleet comes as a whole. */
async function forEach(list, act) {
  let next = 0;
  const work = async () => {
    while (next < list.length) await act(list[next++]);
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

/** Follows the fleet from a version on: the state of each host, and whom it has to tell. */
class Fleet {
  states = new Map();
  #listener = () => undefined;
  #abort = new AbortController();

  /** Never resolves of itself: a server may end a watch at any time, and then it is taken up from a list. */
  async follow() {
    while (!this.#abort.signal.aborted) {
      const { items, metadata } = await send('GET', hosts);
      for (const object of items) this.#take({ type: 'MODIFIED', object });
      const there = new Set(items.map((object) => object.metadata.name));
      for (const name of this.states.keys())
        if (!there.has(name)) this.#take({ type: 'DELETED', object: { metadata: { name } } });
      await this.#watch(metadata.resourceVersion);
    }
  }

  async #watch(version) {
    const response = await fetch(`${url}${hosts}?watch=true&resourceVersion=${version}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: this.#abort.signal,
    });
    let rest = '';
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop();
      for (const line of lines) this.#take(JSON.parse(line));
    }
  }

  #take({ type, object }) {
    if (type === 'ERROR') throw new Error(`the watch broke: ${object.message}`);
    const state = type === 'DELETED' ? 'deleted' : (object.status?.provisioning?.state ?? '');
    this.states.set(object.metadata.name, state);
    this.#listener(object.metadata.name, state);
  }

  /** Resolves with milliseconds since the call, by host, once all are there or patience is at its end. */
  reach(state, act) {
    return new Promise((resolve, reject) => {
      const begun = performance.now();
      const times = new Map();
      const done = () => {
        clearTimeout(timer);
        resolve(times);
      };
      const timer = setTimeout(done, Number(given.patience) * 1000);
      this.#listener = (name, now) => {
        if (now !== state || times.has(name)) return;
        times.set(name, performance.now() - begun);
        if (times.size === count) done();
      };
      act().catch(reject);
    });
  }

  stop() {
    this.#abort.abort();
  }
}

const ticks = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
/** Seconds of processor time that a process has taken. */
function processor(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}
/** Mebibytes. */
function memory(pid, field) {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

/** The operator's requests between two places in the audit log. */
function requests(from, to) {
  const seen = {};
  const refused = {};
  const file = openSync(audit, 'r');
  const buffer = Buffer.alloc(1 << 20);
  let rest = '';
  for (let at = from; at < to;) {
    const length = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at);
    at += length;
    const lines = (rest + buffer.toString('utf8', 0, length)).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line.includes(`"username":"${given.user}"`)) continue;
      const { verb, stage, objectRef = {}, responseStatus = {} } = JSON.parse(line);
      if (stage !== (verb === 'watch' ? 'ResponseStarted' : 'ResponseComplete')) continue;
      const { resource = 'discovery', subresource } = objectRef;
      const what = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
      seen[what] = (seen[what] ?? 0) + 1;
      if (responseStatus.code >= 400)
        refused[`${responseStatus.code} ${what}`] = (refused[`${responseStatus.code} ${what}`] ?? 0) + 1;
    }
  }
  closeSync(file);
  return { seen, refused };
}

const acts = {
  available: () =>
    forEach(names, async (name) => {
      const index = names.indexOf(name);
      const mac = `02:00:00:${[16, 8, 0].map((bits) => ((index >> bits) & 255).toString(16).padStart(2, '0')).join(':')}`;
      const stringData = { username: 'admin', password: 'password' };
      await send('POST', `/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: `${name}-bmc` }, stringData });
      const bmc = { address: `redfish://192.0.2.1/redfish/v1/Systems/${index}`, credentialsName: `${name}-bmc` };
      const spec = { online: true, bootMACAddress: mac, bmc };
      await send('POST', hosts, { apiVersion: 'metal3.io/v1alpha1', kind: 'BareMetalHost', metadata: { name }, spec });
    }),
  provisioned: () => {
    const image = { url: 'http://images.example.com/os.qcow2', checksum: '0'.repeat(64), checksumType: 'sha256' };
    const patch = { spec: { image } };
    return forEach(names, (name) => send('PATCH', `${hosts}/${name}`, patch, 'application/merge-patch+json'));
  },
  deleted: () => forEach(names, (name) => send('DELETE', `${hosts}/${name}`)),
};

const round = (value, digits = 1) => Number(value.toFixed(digits));

async function measure(fleet, phase) {
  const before = {
    at: performance.now(),
    cpu: processor(given.pid),
    api: processor(apiPid),
    log: statSync(audit).size,
  };
  try {
    writeFileSync(`/proc/${given.pid}/clear_refs`, '5'); // the peak of this phase alone
  } catch {
    // Another's process: its peak is then that of its whole life.
  }
  const times = phase === 'idle' ? undefined : await fleet.reach(phase, acts[phase]);
  if (times === undefined) await new Promise((resolve) => setTimeout(resolve, Number(given.idle) * 1000));
  const seconds = (performance.now() - before.at) / 1000;
  const cpu = processor(given.pid) - before.cpu;
  const api = processor(apiPid) - before.api;
  await new Promise((resolve) => setTimeout(resolve, 300)); // the audit log is written behind
  const { seen, refused } = requests(before.log, statSync(audit).size);
  const sum = (test) => Object.entries(seen).reduce((all, [what, times]) => all + (test(what) ? times : 0), 0);
  const order = [...(times?.values() ?? [])].sort((a, b) => a - b);
  return {
    phase,
    reached: times?.size,
    seconds: round(seconds),
    medianSeconds: order.length > 0 ? round(order[order.length >> 1] / 1000) : undefined,
    cpuMsPerHost: round((cpu * 1000) / count),
    cpuSeconds: round(cpu),
    peakMiB: round(memory(given.pid, 'VmHWM')),
    requestsPerHost: round(sum(() => true) / count, 2),
    statusWritesPerHost: round(sum((what) => what.endsWith(' baremetalhosts/status')) / count, 2),
    apiServerCpuSeconds: round(api),
    // Of one machine and one moment both, and so the same on a slow machine as on a fast one.
    cpuPerApiServerCpu: round(cpu / api, 2),
    requests: seen,
    refused,
  };
}

await send('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
const fleet = new Fleet();
let isOver = false;
const following = fleet.follow().catch((error) => {
  if (isOver) return;
  console.error(error);
  process.exit(1);
});
const { ranges } = JSON.parse(readFileSync(new URL('load.ranges.json', import.meta.url), 'utf8'));

/** What exceeds its range, in words. */
function excesses(figures) {
  return ranges
    .filter(({ phase, figure, max }) => phase === figures.phase && figures[figure] > max)
    .map(({ figure, max, why }) => `${figures.phase}: ${figure} is ${figures[figure]}, more than ${max} (${why})`);
}

const report = { hosts: count, node: process.version, phases: [] };
for (const phase of given.phases.split(',')) {
  const figures = await measure(fleet, phase);
  report.phases.push(figures);
  const { requests: _requests, ...shown } = figures;
  console.log(JSON.stringify(shown));
  if (given.out !== undefined) writeFileSync(given.out, `${JSON.stringify(report, undefined, 1)}\n`);
  for (const excess of given.check ? excesses(figures) : []) {
    console.error(excess);
    process.exitCode = 1;
  }
  if (figures.reached !== undefined && figures.reached < count) {
    console.error(`${count - figures.reached} hosts did not get to ${phase}`);
    process.exitCode = 1;
    break;
  }
}
isOver = true;
fleet.stop();
await following;
