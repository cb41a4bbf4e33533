/**
 * `ironchart up`: the whole thing in one process, without a cluster. A Kubernetes API and an Ironic on loopback, and the very
 * operator that runs in a cluster between them, by their wire protocols.
 */
import { fileURLToPath } from 'node:url';
import { type Clock, type Random, SystemClock, SystemRandom } from '../../clock.js';
import { InputError } from '../../errors.js';
import type { SwitchTargets } from '../../controllers/bare-metal-switch/index.js';
import { parseKubeConfig } from '../../kube/index.js';
import { createLog, type Log, type LogLevel } from '../../observability/log.js';
import { Metrics } from '../../observability/metrics.js';
import type { ParsedArgs } from '../flags.js';
import { imageProviderOf } from '../image-provider.js';
import { startInspector } from '../inspect.js';
import { type Manifest, readManifests } from '../manifests.js';
import { Operator } from '../operator.js';
import { type Interruption, interruption } from '../signals.js';
import { faultsOf } from '../validate.js';
import { applyManifests } from './apply.js';
import { FleetDisplay, type Screen } from './display.js';
import { type Tally, tally } from './goal.js';
import { HostReading } from './host-reading.js';
import { agentImages, hasRunBefore, Plant } from './plant.js';
import { makeTargets, switchTargets } from './switch-secrets.js';

const examples = new URL('../../../../examples/', import.meta.url);
const settings = {
  ...{ namespaces: [], workers: 8, qps: 0, burst: 0, maxProvisioningRetries: 5 },
  servesClaims: true,
  leaderElection: undefined,
};
const pollMs = 200;

export async function up(args: ParsedArgs): Promise<number> {
  const parts = {
    clock: new SystemClock(),
    random: new SystemRandom(),
    log: createLog(args.text('log-level') as LogLevel),
    metrics: new Metrics(),
  };
  const timeoutMs = args.duration('timeout');
  const manifests = chooseManifests(args);
  refuseFaults(manifests);
  const buildsImages = args.has('build-preprov-image');
  const plant = new Plant({
    provisioner: args.text('provisioner') ?? 'ironic',
    pluginFolder: args.text('plugin-dir') ?? '/plugins',
    dataDir: args.text('data'),
    kubeconfigFile: args.text('kubeconfig'),
    ports: { kube: args.port('kube-port', '0 for a free one'), ironic: args.port('ironic-port', '0 for a free one') },
    faultsFile: args.text('faults') ?? (isDefaultRack(args) ? example('rack-faults.yaml') : undefined),
    phaseSeconds: phaseSeconds(args),
    provisioningLimit: String(args.integer('limit', 1)),
    buildsImages,
    ...parts,
  });
  const interrupted = interruption();
  try {
    await plant.start();
    const inspector = args.has('inspect') ? await startInspector((text) => say(text)) : undefined;
    const switches = args.has('switches') ? switchTargets : undefined;
    const job = { manifests, goal: args.text('until'), timeoutMs, inspector, interrupted, buildsImages, switches };
    return await work(plant, parts, job).finally(() => inspector?.stop());
  } finally {
    await plant.stop();
  }
}

interface Parts {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
}

interface Job {
  readonly manifests: readonly Manifest[];
  /** Undefined: until interrupted. */
  readonly goal: string | undefined;
  readonly timeoutMs: number;
  readonly inspector: Awaited<ReturnType<typeof startInspector>> | undefined;
  readonly interrupted: Interruption;
  readonly buildsImages: boolean;
  readonly switches: SwitchTargets | undefined;
}

async function work(plant: Plant, parts: Parts, job: Job): Promise<number> {
  const { goal, timeoutMs, inspector, interrupted, buildsImages, switches } = job;
  const reading = new HostReading(() => operator.hosts.values());
  const display = new FleetDisplay(() => reading.hosts(), terminal(), parts.clock);
  const operator: Operator = new Operator({
    cluster: parseKubeConfig(plant.kube.kubeconfig(), parts.clock),
    provisioners: await plant.provisioners(),
    ...parts,
    settings: { ...settings, buildsImages, switches },
    imageProvider: imageProviderOf({ buildsImages }, agentImages, parts.log),
    inspector: inspector?.inspect,
    onReport: (report) => display.note(report),
  });
  try {
    say(`export KUBECONFIG=${plant.kubeconfigPath}`);
    await applyManifests(operator.api, job.manifests);
    if (switches !== undefined) await makeTargets(operator.api, job.manifests, switches);
    plant.hosts = () => operator.knownHosts();
    await operator.start();
    display.start();
    if (goal === undefined) return await interrupted.wait();
    const howFar = () => tally(reading.hosts(), goal, (key) => display.lastReport(key));
    const reached = await reach(howFar, parts.clock, timeoutMs, interrupted.signal);
    display.stop();
    return reached === undefined ? 130 : report(goal, operator.hosts.size, reached);
  } finally {
    display.stop();
    await operator.stop();
  }
}

/** How far the hosts have got, once they are all there or the time is up; undefined when interrupted. */
async function reach(
  howFar: () => Tally,
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Tally | undefined> {
  const deadline = clock.monotonic() + timeoutMs;
  for (;;) {
    const state = howFar();
    if (signal.aborted) return undefined;
    if (state.isReached || clock.monotonic() >= deadline) return state;
    await clock.sleep(pollMs, signal).catch(() => undefined);
  }
}

function report(goal: string, count: number, { isReached, underway, impossible }: Tally): number {
  for (const { key, why } of impossible) say(`${key}: cannot become ${goal}: ${why}`);
  for (const { key, why } of underway) say(`${key}: is not ${goal}: ${why}`);
  const there = count - underway.length - impossible.length;
  say(`${there} of ${count} hosts are ${goal}`);
  return isReached ? 0 : 1;
}

function isDefaultRack(args: ParsedArgs): boolean {
  return !args.has('empty') && args.list('file').length === 0;
}

/** A rack that was applied in an earlier run may have been changed since: it is not applied again. */
function chooseManifests(args: ParsedArgs): Manifest[] {
  const files = args.list('file');
  if (args.has('empty') && files.length > 0) {
    throw new InputError('--empty', 'contradicts -f', 'leave one of them out');
  }
  if (files.length > 0) return files.flatMap(readManifests);
  return isDefaultRack(args) && !hasRunBefore(args.text('data')) ? readManifests(example('rack.yaml')) : [];
}

/** @throws InputError for what the API server would refuse, or drop in silence. */
function refuseFaults(manifests: readonly Manifest[]): void {
  for (const manifest of manifests) {
    const [first, ...more] = faultsOf(manifest).refusals;
    if (first === undefined) continue;
    const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
    throw new InputError(manifest.origin, `${first}${others}`, 'correct it; `ironchart validate` tells all');
  }
}

function example(name: string): string {
  return fileURLToPath(new URL(name, examples));
}

function phaseSeconds(args: ParsedArgs): number {
  const text = args.text('phase-seconds') ?? '';
  const seconds = Number(text);
  if (text === '' || !Number.isFinite(seconds) || seconds < 0) {
    throw new InputError('--phase-seconds', `"${text}" is no number of seconds`, 'give one, such as 0.2');
  }
  return seconds;
}

function terminal(): Screen {
  const { stdout } = process;
  return {
    isTerminal: stdout.isTTY === true,
    size: () => ({ columns: stdout.columns || 120, rows: stdout.rows || 24 }),
    write: (text) => void stdout.write(text),
  };
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
