/** Finds the Ironic that an `Ironic` object of the cluster describes. Provisioner spec, section 3.3. */
import { IronchartError } from '../../errors.js';
import { secretKind, secretValue, type KubeApi, type ObjectKey, type SecretObject } from '../../kube/index.js';
import type { IronicEndpoint, IronicEndpointSource } from '../../provisioner/ironic/index.js';
import { ironicKind, type IronicObject } from './kind.js';

export class ClusterIronic implements IronicEndpointSource {
  constructor(
    private readonly api: Pick<KubeApi, 'get'>,
    private readonly key: ObjectKey,
  ) {}

  /** Reads the object and its Secrets each time. @throws IronchartError, KubeError */
  async read(): Promise<IronicEndpoint> {
    const ironic = await this.api.get<IronicObject>(ironicKind, this.key);
    if (ironic === undefined) throw problem('IRONIC_OBJECT_MISSING', `${this.#name()} does not exist`);
    this.#checkReady(ironic);
    const certificateName = ironic.spec?.tls?.certificateName ?? '';
    const scheme = certificateName === '' ? 'http' : 'https';
    return {
      endpoint: `${scheme}://${this.key.name}.${this.key.namespace}.svc`,
      auth: await this.#credentials(ironic),
      ca: certificateName === '' ? undefined : await this.#authority(certificateName),
    };
  }

  /** A condition of an earlier generation says nothing of what is wanted now. */
  #checkReady({ metadata, status }: IronicObject): void {
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready === undefined || ready.observedGeneration !== metadata.generation) {
      throw problem('IRONIC_OBJECT_NOT_READY', `${this.#name()} is not reconciled yet`);
    }
    if (ready.status !== 'True') {
      throw problem(
        'IRONIC_OBJECT_NOT_READY',
        `${this.#name()} is not ready: ${ready.message ?? 'no reason is given'}`,
      );
    }
  }

  async #credentials({ spec }: IronicObject): Promise<IronicEndpoint['auth']> {
    const name = spec?.apiCredentialsName ?? '';
    if (name === '') throw problem('IRONIC_CREDENTIALS_MISSING', `${this.#name()} names no apiCredentialsName`);
    const secret = await this.#secret(name);
    const value = (key: string) => {
      const text = secretValue(secret, key) ?? '';
      if (text === '')
        throw problem('IRONIC_CREDENTIALS_MISSING', `the Secret ${name} of ${this.#name()} has no ${key}`);
      return text;
    };
    return { username: value('username'), password: value('password') };
  }

  /** undefined: the Secret brings none, and the settings decide. */
  async #authority(name: string): Promise<string | undefined> {
    return secretValue(await this.#secret(name), 'tls.crt') || undefined;
  }

  async #secret(name: string): Promise<SecretObject> {
    const { namespace } = this.key;
    const secret = await this.api.get<SecretObject>(secretKind, { namespace, name });
    if (secret !== undefined) return secret;
    throw problem('IRONIC_CREDENTIALS_MISSING', `the Secret ${name} of ${this.#name()} does not exist`);
  }

  #name(): string {
    return `the Ironic object ${this.key.namespace}/${this.key.name}`;
  }
}

function problem(code: string, message: string): IronchartError {
  return new IronchartError(code, message, { retry: 'backoff' });
}
