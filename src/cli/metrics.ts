/** The metrics of `ironchart run`: with TLS and a login wherever others can reach them, unless it is said otherwise. */
import { hostname } from 'node:os';
import type { Clock } from '../clock.js';
import { InputError, messageOf } from '../errors.js';
import { AccessReviewer, type KubeApi } from '../kube/index.js';
import { listen, type Listening, metricsRoute, parseListenAddress } from '../observability/health.js';
import type { Log } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { CertificateFiles, type CertificateSource, FirstOf, SelfSigned } from '../webhooks/index.js';
import type { ParsedArgs } from './flags.js';
import { tlsOf } from './webhooks.js';

export interface MetricsParts {
  readonly metrics: Metrics;
  /** Writes without a lease: every replica serves. */
  readonly api: () => Pick<KubeApi, 'create'>;
  readonly clock: Clock;
  readonly log: Log;
}

const flag = '--metrics-addr';

/** undefined: none are served. @throws InputError for flags that cannot be used. */
export async function metricsServer(args: ParsedArgs, parts: MetricsParts): Promise<Listening | undefined> {
  const address = args.text('metrics-addr') ?? '0';
  if (address === '0') return undefined;
  const routes = metricsRoute(parts.metrics);
  return isSecured(args, address) ? secured(args, address, parts) : listen(address, flag, routes);
}

function isSecured(args: ParsedArgs, address: string): boolean {
  const word = args.text('metrics-secure');
  if (word !== 'auto') return word === 'true';
  const { host = '' } = parseListenAddress(address, flag);
  return !/^(localhost|::1|127(\.\d+){3})$/.test(host);
}

async function secured(args: ParsedArgs, address: string, parts: MetricsParts): Promise<Listening> {
  const { clock, log, metrics, api } = parts;
  const tell = (error: string) => log.warn({ error }, 'trouble with the metrics');
  const folder = args.text('metrics-cert-dir') ?? '';
  const source = new FirstOf([new CertificateFiles(folder), new SelfSigned(clock, [hostname()])]);
  const reviewer = new AccessReviewer(api(), clock, tell);
  const { options: tls } = tlsOf(args);
  const server = await listen(address, flag, metricsRoute(metrics), {
    tls: { ...tls, ...(await firstPair(source, folder)) },
    admit: ({ method = '', url = '', headers: { authorization } }) =>
      reviewer.review({ authorization, verb: method.toLowerCase(), path: url.split('?')[0] ?? '' }),
  });
  const look = async (): Promise<void> => {
    const pair = await source.read();
    if (pair !== undefined) server.renew({ ...tls, cert: pair.certificate, key: pair.key });
  };
  let timer = clock.after(source.pollMs, again);
  function again(): void {
    look().catch((error: unknown) => tell(messageOf(error)));
    timer = clock.after(source.pollMs, again);
  }
  return {
    port: server.port,
    renew: server.renew,
    stop: () => {
      timer.cancel();
      return server.stop();
    },
  };
}

async function firstPair(source: CertificateSource, folder: string): Promise<{ cert: string; key: string }> {
  try {
    const pair = await source.read();
    return { cert: pair?.certificate ?? '', key: pair?.key ?? '' };
  } catch (error) {
    throw new InputError('--metrics-cert-dir', `${folder} cannot be read: ${messageOf(error)}`, 'let it be read');
  }
}
