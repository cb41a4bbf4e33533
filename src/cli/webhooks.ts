/** The admission server of `ironchart run`: which certificate it has, and whether it is served at all. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../clock.js';
import type { Environment } from '../config/ironic.js';
import { type TLSSettings, tlsSettings } from '../config/tls.js';
import { InputError } from '../errors.js';
import type { KubeApi } from '../kube/index.js';
import type { Log } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { AdmissionServer, CertificateFiles, type HostView, OwnAuthority, serviceNames } from '../webhooks/index.js';
import type { CertificateSource } from '../webhooks/index.js';
import type { ParsedArgs } from './flags.js';

export interface WebhookParts {
  /** Writes without a lease: every replica serves. */
  readonly api: () => Pick<KubeApi, 'get' | 'patch'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** undefined: not known yet. */
  readonly hosts: () => readonly HostView[] | undefined;
}

const standardPort = 9443;

/** What the flags about TLS say, for every server that others reach. @throws InputError */
export function tlsOf(args: ParsedArgs): TLSSettings {
  return tlsSettings({
    minVersion: args.text('tls-min-version'),
    maxVersion: args.text('tls-max-version'),
    cipherSuites: args.text('tls-cipher-suites'),
    curves: args.text('tls-curve-preferences'),
  });
}

/** undefined: nothing is to be served. @throws InputError for flags that cannot be used. */
export function webhookServer(
  args: ParsedArgs,
  environment: Environment,
  parts: WebhookParts,
): AdmissionServer | undefined {
  const tls = tlsOf(args);
  const { log } = parts;
  const port = portOf(args);
  if (port === 0) {
    log.info({}, 'no webhooks are served');
    return undefined;
  }
  for (const warning of tls.warnings) log.warn({ warning }, 'TLS of the webhooks');
  return serverOn(port, certificates(args, environment, parts), tls, parts);
}

function serverOn(
  port: number,
  source: CertificateSource,
  tls: TLSSettings,
  { clock, log, metrics, hosts }: WebhookParts,
): AdmissionServer {
  return new AdmissionServer({
    port,
    tls: tls.options,
    certificates: source,
    clock,
    hosts,
    onAnswer: (kind, allowed) =>
      metrics.count('ironchart_admission_total', undefined, { kind, verdict: allowed ? 'allowed' : 'refused' }),
    onError: (error) => log.warn({ error }, 'trouble with the webhooks'),
  });
}

/** The port that is meant: without a word, the usual one where there is a certificate to serve with. */
function portOf(args: ParsedArgs): number {
  if (args.text('webhook-port') !== undefined) return args.port('webhook-port', '0 for none');
  const folder = args.text('webhook-cert-dir') ?? '';
  const isPossible = args.text('webhook-service') !== undefined || existsSync(join(folder, 'tls.crt'));
  return isPossible ? standardPort : 0;
}

function certificates(args: ParsedArgs, environment: Environment, { api, clock }: WebhookParts): CertificateSource {
  const name = args.text('webhook-service') ?? '';
  if (name === '') return new CertificateFiles(args.text('webhook-cert-dir') ?? '');
  const configuration = args.text('webhook-configuration') ?? '';
  if (configuration === '') {
    throw new InputError('--webhook-configuration', 'is missing', 'name the ValidatingWebhookConfiguration');
  }
  const namespace = environment.POD_NAMESPACE ?? '';
  if (namespace === '') {
    throw new InputError(
      'POD_NAMESPACE',
      'is not set',
      'set it to the namespace of the Service, or leave --webhook-service out',
    );
  }
  const service = { namespace, name };
  return new OwnAuthority(api(), clock, { secret: service, dnsNames: serviceNames(service), configuration });
}
