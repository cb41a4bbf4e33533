/** `ironchart run`: the operator against a cluster and an Ironic. */
import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname } from 'node:os';
import { type Clock, SystemClock, SystemRandom } from '../clock.js';
import { type Environment, ironicConfig, ironicReference } from '../config/ironic.js';
import { leaseNamespace, leaseTimes, pluginFolder as pluginsOf, watchedNamespaces, workers } from '../config/run.js';
import { switchNetworking } from '../config/switches.js';
import { ClusterIronic } from '../controllers/ironic/index.js';
import { InputError, messageOf } from '../errors.js';
import { HttpTransport, KubeApi, type ClusterAccess, loadKubeConfig, RateLimiter } from '../kube/index.js';
import { listen, type Listening, probes } from '../observability/health.js';
import { createLog, type Log, type LogLevel } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import { backEnd } from './back-end.js';
import type { ParsedArgs } from './flags.js';
import { imageProviderOf } from './image-provider.js';
import { metricsServer } from './metrics.js';
import { startInspector } from './inspect.js';
import { Operator, type OperatorParts, type OperatorSettings } from './operator.js';
import { interruption } from './signals.js';
import type { AdmissionServer } from '../webhooks/index.js';
import { webhookServer } from './webhooks.js';

/** Name of the Lease, the same as other operators for these kinds use, so that two of them exclude each other. */
const leaseName = 'baremetal-operator';

export async function run(args: ParsedArgs, environment: Environment): Promise<number> {
  const clock = new SystemClock();
  const random = new SystemRandom();
  const log = createLog(args.has('dev') ? 'debug' : (args.text('log-level') as LogLevel));
  const metrics = new Metrics();
  metrics.collectProcess();
  const settings = operatorSettings(args, environment);
  const reference = ironicReference(environment, settings.namespaces);
  const buildsImages = settings.buildsImages === true;
  const ironic = () => ironicConfig(environment, { imageBuilder: buildsImages, inCluster: reference !== undefined });
  const cluster = await loadConfig(args.text('kubeconfig'), environment, clock);
  const endpointSource = reference && new ClusterIronic(readingApi(cluster, clock), reference);
  const pluginFolder = pluginsOf(args.text('plugin-dir'), environment);
  const parts = { clock, random, metrics, log, endpointSource, pluginFolder, buildsImages };
  const provisioners = await backEnd(args.text('provisioner') ?? 'ironic', ironic, parts);
  const base = { cluster, provisioners, clock, random, log, metrics, settings };
  const begun: Begun = { servers: [] };
  const alive = clock.hold();
  try {
    return await work(args, environment, base, begun);
  } finally {
    // A start that failed would else be kept alive by what did start.
    await end(begun);
    alive.cancel();
  }
}

type Base = Omit<OperatorParts, 'inspector' | 'imageProvider' | 'onReport' | 'onLost'>;

/** What runs, and has to be ended. */
interface Begun {
  webhooks?: AdmissionServer | undefined;
  operator?: Operator;
  inspector?: Awaited<ReturnType<typeof startInspector>>;
  readonly servers: Listening[];
}

/** The webhooks answer to the end: the operator's own last writes are judged by them, where there is one replica. */
async function end({ webhooks, operator, inspector, servers }: Begun): Promise<void> {
  await operator?.stop();
  await webhooks?.stop();
  await inspector?.stop();
  await Promise.all(servers.map((server) => server.stop()));
}

/** Until it is asked to end. @returns the exit code @throws InputError for flags that cannot be used */
async function work(args: ParsedArgs, environment: Environment, base: Base, begun: Begun): Promise<number> {
  const { cluster, clock, log, metrics, settings } = base;
  const interrupted = interruption();
  const api = () => unfencedApi(cluster, clock);
  let isReady = false;
  begun.webhooks = webhookServer(args, environment, {
    ...{ clock, log, metrics, api, hosts: () => begun.operator?.knownHosts() },
  });
  const { webhooks, servers } = begun;
  if (args.has('inspect')) begun.inspector = await startInspector((text) => log.info({}, text));
  const loss = lossOf(log);
  const operator = (begun.operator = new Operator({
    ...base,
    inspector: begun.inspector?.inspect,
    imageProvider: imageProviderOf(settings, environment, log),
    onLost: loss.note,
  }));
  const isWell = () => isReady && !interrupted.signal.aborted && (webhooks?.isReady ?? true);
  for (const serve of [() => healthServer(args, isWell), () => metricsServer(args, { metrics, api, clock, log })]) {
    const server = await serve();
    if (server !== undefined) servers.push(server);
  }
  await webhooks?.start();
  isReady = true;
  operator
    .start()
    .catch(
      (error: unknown) => interrupted.signal.aborted || log.error({ error: messageOf(error) }, 'the start failed'),
    );
  await interrupted.wait();
  return loss.hasCome() ? 3 : 0;
}

/** Whether the lease was lost, which is a request to end. */
function lossOf(log: Log): { readonly note: () => void; readonly hasCome: () => boolean } {
  let isLost = false;
  return {
    hasCome: () => isLost,
    note: () => {
      isLost = true;
      log.error({}, 'the lease is lost');
      process.kill(process.pid, 'SIGTERM');
    },
  };
}

function operatorSettings(args: ParsedArgs, environment: Environment): OperatorSettings {
  const namespaces = watchedNamespaces(args.text('namespace'), environment);
  const times = leaseTimes(
    {
      duration: args.text('lease-duration-seconds'),
      renew: args.text('renew-deadline-seconds'),
      retry: args.text('retry-period-seconds'),
    },
    environment,
  );
  const elects = args.has('enable-leader-election');
  return {
    namespaces,
    workers: workers(args.integer('controller-concurrency'), environment, availableParallelism()),
    qps: args.integer('kube-api-qps'),
    burst: args.integer('kube-api-burst', 1),
    maxProvisioningRetries: args.integer('max-provisioning-retries'),
    buildsImages: args.has('build-preprov-image'),
    servesClaims: args.has('hostclaims'),
    switches: switchNetworking(environment),
    leaderElection: elects
      ? {
          ...times,
          lease: { namespace: leaseNamespace(environment, namespaces), name: leaseName },
          identity: `${hostname()}_${randomUUID()}`,
        }
      : undefined,
  };
}

/** For what is read before the operator is there. It never writes. */
function readingApi(cluster: ClusterAccess, clock: Clock): KubeApi {
  return unfencedApi(cluster, clock, () => false);
}

/** Apart from the operator's own: it needs no lease. */
function unfencedApi(cluster: ClusterAccess, clock: Clock, mayWrite = () => true): KubeApi {
  const transport = new HttpTransport(cluster, { clock, timeoutMs: 30_000, userAgent: 'ironchart' });
  return new KubeApi(transport, new RateLimiter(clock, 0, 0), 'ironchart', mayWrite);
}

async function loadConfig(file: string | undefined, environment: Environment, clock: Clock): Promise<ClusterAccess> {
  try {
    return await loadKubeConfig(file, environment, clock);
  } catch (error) {
    throw new InputError('--kubeconfig', `cannot be used: ${messageOf(error)}`, 'give the path of a kubeconfig');
  }
}

async function healthServer(args: ParsedArgs, isReady: () => boolean): Promise<Listening | undefined> {
  const address = args.text('health-addr') ?? '0';
  return address === '0'
    ? undefined
    : listen(
        address,
        '--health-addr',
        probes(() => true, isReady),
      );
}
