// What a webhook takes: generated objects of each kind with rules through the handler of the admission server, from the body of a
// request to the body of its answer, beside a fleet of hosts; and some of each kind through its HTTPS. None may throw, and each
// refusal must name the path of a field. Run: node test/perf/webhooks.mjs [objects a kind] [--seed N] [--check], after
// `npm run compile`. Prints one JSON line; with --check a figure out of webhooks.ranges.json is told, and the exit code is 1.
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { customResourceDefinitions } from '../../dist/src/apis/index.js';
import { SystemClock } from '../../dist/src/clock.js';
import { renewed } from '../../dist/src/webhooks/certificates/authority.js';
import { AdmissionServer, guarded, pathOf } from '../../dist/src/webhooks/index.js';
import { envelope, reviewed } from '../../dist/src/webhooks/server/review.js';
import { ObjectMaker } from '../support/object-maker.mjs';

const fleetSize = 1_000;
const overHTTPS = 1_000;
const slowMs = 2;
const path = /^(spec|metadata|status)($|[.:[])/;

const seedAt = process.argv.indexOf('--seed');
const given = seedAt === -1 ? Math.floor(Math.random() * 2 ** 31) : Number(process.argv[seedAt + 1]);
const { seed, count } = workerData ?? { seed: given, count: Number(process.argv[2]) || 100_000 };
const crds = customResourceDefinitions();
const clock = new SystemClock();

const byte = (number) => (number & 255).toString(16).padStart(2, '0');

/** Hosts as a site has them; some are met by what is generated: a MAC address, a BMC, uses of a network attachment. */
const fleet = Array.from({ length: fleetSize }, (_, index) => ({
  metadata: { name: `host-${index}`, namespace: index % 10 === 0 ? 'other' : 'ns' },
  spec: {
    bmc: {
      address: index === 7 ? 'ipmi://10.0.0.1' : `redfish://10.1.${index >> 8}.${index & 255}/redfish/v1/Systems/1`,
    },
    bootMACAddress: index === 8 ? 'aa:bb:cc:dd:ee:ff' : `52:54:00:01:${byte(index >> 8)}:${byte(index)}`,
    networkInterfaces: [{ name: 'eth0', hostNetworkAttachment: { name: index % 100 === 1 ? 'net' : 'lan' } }],
  },
}));

function reviewOf(maker, { kind, operations }) {
  const operation = maker.pick(operations);
  const object = maker.object(kind.kind);
  const before = maker.chance(0.7) ? maker.variant(object) : maker.object(kind.kind);
  const { group, version } = kind;
  const request = {
    ...{ uid: 'u', kind: { group, version, kind: kind.kind }, name: object.metadata.name, namespace: 'ns', operation },
    ...{ object: operation === 'DELETE' ? null : object, oldObject: operation === 'CREATE' ? null : before },
  };
  return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request });
}

/** Whether the answer tells what a person needs: yes, or no and at which fields. */
function isExplained({ response }) {
  const { allowed, status } = response;
  if (allowed) return true;
  if (status.code === 400) return path.test(status.message);
  return status.details.causes.length > 0 && status.details.causes.every(({ field }) => path.test(field));
}

const rounded = (ms) => Math.round(ms * 1000) / 1000;

function timesOf(times) {
  const sorted = times.sort();
  const at = (share) => rounded(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]);
  return { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}

/** Counts what came of each object; the first trouble is told with what makes it again. */
class Tally {
  thrown = 0;
  unexplained = 0;
  refused = 0;
  unreadable = 0;

  constructor(kind) {
    this.kind = kind;
  }

  note(body, text) {
    const answer = JSON.parse(text);
    const { allowed, status } = answer.response;
    if (!allowed) this[status.code === 400 ? 'unreadable' : 'refused'] += 1;
    if (isExplained(answer)) return;
    this.unexplained += 1;
    this.#tell('is refused without a field', `${body}\n${text}`);
  }

  fail(body, error) {
    this.thrown += 1;
    this.#tell('made it throw', `${body}\n${error.stack}`);
  }

  #tell(what, more) {
    if (this.thrown + this.unexplained === 1) console.error(`${this.kind}, seed ${seed}: an object ${what}: ${more}`);
  }
}

/** What took long is done again, twice: what is slow once alone is the machine, which has others to serve. */
function timed(body, route) {
  let [least, text] = [Infinity, ''];
  for (let turn = 0; turn < 3 && least > slowMs; turn += 1) {
    const startedAt = clock.monotonic();
    text = JSON.stringify(envelope(reviewed(body, route, { hosts: fleet })));
    least = Math.min(least, clock.monotonic() - startedAt);
  }
  return [least, text];
}

function throughHandler(route) {
  const maker = new ObjectMaker(seed, crds, { oddity: 0.0005 });
  const times = new Float64Array(count);
  const tally = new Tally(route.kind.kind);
  for (let index = 0; index < count; index += 1) {
    const body = reviewOf(maker, route);
    try {
      const [ms, text] = timed(body, route);
      times[index] = ms;
      tally.note(body, text);
    } catch (error) {
      tally.fail(body, error);
    }
  }
  const { thrown, unexplained, refused, unreadable } = tally;
  return { objects: count, refused, unreadable, thrown, unexplained, ...timesOf(times) };
}

function post(options, body) {
  return new Promise((resolve, reject) => {
    const request = https.request(options, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function throughHTTPS() {
  const { certificate, key, bundle } = renewed(undefined, ['localhost'], clock.now());
  const certificates = { pollMs: 60_000, read: async () => ({ certificate, key }) };
  const tls = { minVersion: 'TLSv1.2' };
  const server = new AdmissionServer({ port: 0, host: '127.0.0.1', tls, certificates, clock, hosts: () => fleet });
  await server.start();
  const agent = new https.Agent({ keepAlive: true });
  const to = { host: '127.0.0.1', servername: 'localhost', port: server.port, method: 'POST', ca: bundle, agent };
  const times = [];
  const tally = new Tally('HTTPS');
  for (const route of guarded) {
    const maker = new ObjectMaker(seed + 1, crds);
    for (let index = 0; index < overHTTPS; index += 1) {
      const body = reviewOf(maker, route);
      const startedAt = clock.monotonic();
      const headers = { 'content-type': 'application/json' };
      const { status, text } = await post({ ...to, path: pathOf(route), headers }, body);
      times.push(clock.monotonic() - startedAt);
      if (status === 200) tally.note(body, text);
      else tally.fail(body, new Error(`answered ${status}`));
    }
  }
  agent.destroy();
  await server.stop();
  const { thrown, unexplained } = tally;
  return { objects: times.length, thrown, unexplained, ...timesOf(Float64Array.from(times)) };
}

/** In a thread of its own; what there is to tell was told on standard error. */
function inThread(index) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { seed, count, index } });
    worker.once('message', resolve);
    worker.once('error', reject);
  });
}

/** Two kinds at a time. */
async function allKinds() {
  const found = [];
  const waiting = guarded.keys();
  const takeAll = async () => {
    for (const index of waiting) found[index] = await inThread(index);
  };
  await Promise.all([takeAll(), takeAll()]);
  return Object.fromEntries(guarded.map(({ kind }, index) => [kind.kind, found[index]]));
}

function missedIn(rows) {
  const { ranges } = JSON.parse(readFileSync(new URL('webhooks.ranges.json', import.meta.url), 'utf8'));
  return rows.flatMap(([name, figures]) =>
    ranges
      .filter(({ figure, max }) => !(figures[figure] <= max))
      .map(({ figure, max, why }) => `${figure} of ${name} is ${figures[figure]}, more than ${max} (${why})`),
  );
}

async function main() {
  const startedAt = clock.monotonic();
  const kinds = await allKinds();
  const found = { seed, fleet: fleetSize, kinds, https: await throughHTTPS() };
  console.log(JSON.stringify({ ...found, seconds: Math.round((clock.monotonic() - startedAt) / 1000) }));
  if (!process.argv.includes('--check')) return;
  const missed = missedIn([...Object.entries(kinds), ['https', found.https]]);
  for (const text of missed) console.error(text);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

if (isMainThread) await main();
else parentPort.postMessage(throughHandler(guarded[workerData.index]));
