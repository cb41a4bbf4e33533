/**
 * The certificate of clusters without cert-manager: made by the operator, kept in a Secret that all its replicas read, and
 * written into the webhook configuration, so that the API server trusts it. Each look renews what is due.
 */
import type { Clock } from '../../clock.js';
import { IronchartError } from '../../errors.js';
import {
  isKubeError,
  type KindRef,
  type KubeApi,
  type KubeObject,
  type ObjectKey,
  secretKind,
} from '../../kube/index.js';
import { type Credentials, renewed } from './authority.js';
import type { CertificateSource, KeyPair } from './source.js';

export const configurationKind: KindRef = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
};

export interface OwnAuthorityOptions {
  /** Keeps everything, the keys too. */
  readonly secret: ObjectKey;
  /** By which the API server calls us. */
  readonly dnsNames: readonly string[];
  /** Name of the ValidatingWebhookConfiguration. */
  readonly configuration: string;
}

/** The names of a Service. */
export function serviceNames({ namespace, name }: ObjectKey): string[] {
  return ['svc', 'svc.cluster.local'].map((domain) => `${name}.${namespace}.${domain}`);
}

interface Webhook {
  readonly clientConfig?: { readonly caBundle?: string };
}

/** Of replicas that all find the Secret empty one writes first, and the others take what it wrote. */
const attempts = 5;

export class OwnAuthority implements CertificateSource {
  readonly pollMs = 60_000;

  /** @param api writes without a lease: every replica serves. */
  constructor(
    private readonly api: Pick<KubeApi, 'get' | 'patch'>,
    private readonly clock: Clock,
    private readonly options: OwnAuthorityOptions,
  ) {}

  async read(): Promise<KeyPair> {
    const credentials = await this.#agree();
    await this.#publish(Buffer.from(credentials.bundle).toString('base64'));
    return credentials;
  }

  async #agree(): Promise<Credentials> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#renew();
      } catch (error) {
        if (attempt === attempts || !isKubeError(error, 'KUBE_CONFLICT')) throw error;
      }
    }
  }

  async #renew(): Promise<Credentials> {
    const { secret: key, dnsNames } = this.options;
    const secret = await this.api.get<KubeObject>(secretKind, key);
    if (secret === undefined) throw missing(`Secret ${key.namespace}/${key.name}`);
    const current = credentialsOf((secret.data ?? {}) as Record<string, string>);
    const credentials = renewed(current, dnsNames, this.clock.now());
    if (credentials === current) return credentials;
    const metadata = { resourceVersion: secret.metadata.resourceVersion };
    await this.api.patch(secretKind, key, { metadata, data: dataOf(credentials) });
    return credentials;
  }

  async #publish(caBundle: string): Promise<void> {
    const key = { namespace: '', name: this.options.configuration };
    const found = await this.api.get<KubeObject>(configurationKind, key);
    if (found === undefined) throw missing(`ValidatingWebhookConfiguration ${key.name}`);
    const webhooks = (found.webhooks ?? []) as readonly Webhook[];
    if (webhooks.every(({ clientConfig }) => clientConfig?.caBundle === caBundle)) return;
    const trusting = webhooks.map((one) => ({ ...one, clientConfig: { ...one.clientConfig, caBundle } }));
    const metadata = { resourceVersion: found.metadata.resourceVersion };
    try {
      await this.api.patch(configurationKind, key, { metadata, webhooks: trusting });
    } catch (error) {
      // Another replica was faster; the next look tells whether it wrote the same.
      if (!isKubeError(error, 'KUBE_CONFLICT')) throw error;
    }
  }
}

function missing(what: string): IronchartError {
  return new IronchartError('WEBHOOK_SETUP_MISSING', `there is no ${what}; the chart makes it with webhooks.enabled`);
}

const names = { bundle: 'ca.crt', authorityKey: 'ca.key', certificate: 'tls.crt', key: 'tls.key' } as const;

function credentialsOf(data: Readonly<Record<string, string>>): Credentials | undefined {
  const text = (name: string) => Buffer.from(data[name] ?? '', 'base64').toString('utf8');
  if (data[names.bundle] === undefined) return undefined;
  const { bundle, authorityKey, certificate, key } = names;
  return { bundle: text(bundle), authorityKey: text(authorityKey), certificate: text(certificate), key: text(key) };
}

function dataOf(credentials: Credentials): Record<string, string> {
  const entries = Object.entries(names) as [keyof Credentials, string][];
  return Object.fromEntries(entries.map(([field, name]) => [name, Buffer.from(credentials[field]).toString('base64')]));
}
