/**
 * The Secrets that a host refers to: BMC credentials, and the data for the config drive. Never from another namespace, read
 * when they are needed, kept nowhere (host-lifecycle spec §1.2, §8).
 */
import type { BareMetalHost, CredentialsStatus, SecretReference } from '../../apis/index.js';
import { finalizers, isOCI } from '../../apis/index.js';
import { IronchartError } from '../../errors.js';
import {
  type Claim,
  claimPatch,
  type KubeObject,
  type ObjectStore,
  type SecretObject,
  type SecretStore,
  secretValue,
} from '../../kube/index.js';
import type { BMCCredentials, HostConfig } from '../../provisioner/index.js';
import { ownerOf } from './kinds.js';
import { loginFrom, type PullSecretAnswer } from './pull-secret.js';

/** Why the BMC credentials cannot be used; each kind has its own counter and its own wait. */
export type CredentialsFault = 'missing' | 'invalid';

export type CredentialsAnswer =
  | { readonly kind: 'good'; readonly credentials: BMCCredentials; readonly version: CredentialsStatus }
  | { readonly kind: CredentialsFault; readonly message: string };

export type PullSecretOutcome = PullSecretAnswer | { readonly kind: 'missing'; readonly message: string };

export class HostSecrets {
  constructor(
    private readonly secrets: SecretStore,
    private readonly countDataError: (hostDataType: string) => void,
    /** Metadata of claimed Secrets, as the watch last saw them. */
    private readonly seen: Pick<ObjectStore<KubeObject>, 'get'> = { get: () => undefined },
  ) {}

  /** The BMC Secret, if the watch knows it and nothing is left to be claimed; undefined: it has to be read. */
  claimedVersion(host: BareMetalHost, state: string): CredentialsStatus | undefined {
    const { namespace = '' } = host.metadata;
    const { address = '', credentialsName: name = '' } = host.spec.bmc ?? {};
    const secret = this.seen.get(`${namespace}/${name}`);
    if (secret === undefined || address === '' || claimPatch(secret, claimOf(host, state)) !== undefined)
      return undefined;
    return { credentials: { name, namespace }, credentialsVersion: secret.metadata.resourceVersion };
  }

  /** Reads and claims the BMC Secret. Other faults than the host's own (an unreachable API server) are thrown. */
  async credentials(host: BareMetalHost, state: string, signal?: AbortSignal): Promise<CredentialsAnswer> {
    const { address = '', credentialsName = '' } = host.spec.bmc ?? {};
    if (credentialsName === '') {
      return invalid(
        'No BMC CredentialsName defined: spec.bmc.credentialsName is empty; name the Secret that holds the username and password of the BMC',
      );
    }
    const { namespace = '' } = host.metadata;
    const key = { namespace, name: credentialsName };
    const secret = await this.secrets.acquire(key, claimOf(host, state), signal);
    if (secret === undefined) {
      return {
        kind: 'missing',
        message: `BMC CredentialsName secret doesn't exist: create the Secret ${credentialsName}, which spec.bmc.credentialsName names`,
      };
    }
    if (address === '') return invalid('Empty BMC address: give spec.bmc.address');
    return this.#validated(secret, credentialsName);
  }

  #validated(secret: SecretObject, name: string): CredentialsAnswer {
    const username = (secretValue(secret, 'username') ?? '').trim();
    const password = (secretValue(secret, 'password') ?? '').trim();
    const missing = username === '' ? 'username' : password === '' ? 'password' : undefined;
    if (missing !== undefined)
      return invalid(`Validation error with BMC credentials: the Secret ${name} has no ${missing}; set it`);
    const { namespace, resourceVersion } = secret.metadata;
    return {
      kind: 'good',
      credentials: { username, password },
      version: { credentials: { name, namespace }, credentialsVersion: resourceVersion },
    };
  }

  async release(host: BareMetalHost, signal?: AbortSignal): Promise<void> {
    const { namespace = '' } = host.metadata;
    const names = [host.spec.bmc?.credentialsName, host.spec.preprovisioningNetworkDataName];
    for (const name of names) {
      if (name !== undefined && name !== '') await this.secrets.release({ namespace, name }, finalizers.secret, signal);
    }
  }

  /** Network data for the agent. Undefined: the Secret does not exist. */
  async preprovisioningNetworkData(
    host: BareMetalHost,
    claims: boolean,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    const name = host.spec.preprovisioningNetworkDataName ?? '';
    if (name === '') return '';
    const claim = claims ? { finalizer: finalizers.secret } : {};
    const secret = await this.secrets.acquire({ namespace: host.metadata.namespace ?? '', name }, claim, signal);
    return secret === undefined ? undefined : (this.#value(secret, 'networkData') ?? '');
  }

  /** The login for the registry of the host's image; "" where none is needed. */
  async pullSecret(host: BareMetalHost, signal?: AbortSignal): Promise<PullSecretOutcome> {
    const { image } = host.spec;
    const { ociAuthSecretName: name = '' } = image ?? {};
    if (image === undefined || !isOCI(image) || name === '') return { kind: 'good', login: '' };
    const secret = await this.secrets.acquire({ namespace: host.metadata.namespace ?? '', name }, {}, signal);
    if (secret === undefined) return { kind: 'missing', message: `the Secret ${name} does not exist: create it` };
    return loginFrom(secret, image.url);
  }

  /**
   * The version of the network data that an agent image is built with; the host comes to own that Secret, so that its changes
   * are noticed. "": it does not exist, which is told elsewhere.
   */
  async networkDataVersion(host: BareMetalHost, signal?: AbortSignal): Promise<string> {
    const key = { namespace: host.metadata.namespace ?? '', name: host.spec.preprovisioningNetworkDataName ?? '' };
    const secret = await this.secrets.acquire(key, { owner: ownerOf(host.metadata) }, signal);
    return secret?.metadata.resourceVersion ?? '';
  }

  hostConfig(host: BareMetalHost, signal?: AbortSignal): HostConfig {
    return {
      userData: () => this.#required(host, host.spec.userData, 'userData', signal),
      metaData: () => this.#required(host, host.spec.metaData, 'metaData', signal),
      networkData: () => this.#networkData(host, signal),
    };
  }

  async #networkData(host: BareMetalHost, signal?: AbortSignal): Promise<string> {
    const fallback = host.spec.preprovisioningNetworkDataName ?? '';
    const reference = host.spec.networkData ?? (fallback === '' ? undefined : { name: fallback });
    const secret = await this.#referenced(host, reference, 'networkData', signal);
    return secret === undefined ? '' : (this.#value(secret, 'networkData') ?? '');
  }

  async #required(
    host: BareMetalHost,
    reference: SecretReference | undefined,
    key: 'userData' | 'metaData',
    signal?: AbortSignal,
  ): Promise<string> {
    const secret = await this.#referenced(host, reference, key, signal);
    if (secret === undefined) return '';
    const value = this.#value(secret, key);
    if (value !== undefined) return value;
    throw new IronchartError(
      'HOST_CONFIG_INCOMPLETE',
      `the Secret ${secret.metadata.name} of spec.${key} has neither the key ${key} nor the key value: add one`,
    );
  }

  async #referenced(
    host: BareMetalHost,
    reference: SecretReference | undefined,
    field: string,
    signal?: AbortSignal,
  ): Promise<SecretObject | undefined> {
    const { name = '', namespace: asked = '' } = reference ?? {};
    if (name === '') return undefined;
    const { namespace = '' } = host.metadata;
    if (asked !== '' && asked !== namespace) {
      throw new IronchartError(
        'FOREIGN_NAMESPACE',
        `spec.${field} refers to namespace ${asked}: a host may only use Secrets of its own namespace, ${namespace}`,
      );
    }
    const secret = await this.secrets.acquire({ namespace, name }, {}, signal);
    if (secret !== undefined) return secret;
    throw new IronchartError('HOST_CONFIG_MISSING', `the Secret ${name} of spec.${field} does not exist: create it`);
  }

  /** A missing key is counted, whatever the caller makes of it. */
  #value(secret: SecretObject, key: string): string | undefined {
    const value = secretValue(secret, key) ?? secretValue(secret, 'value');
    if (value === undefined) this.countDataError(key);
    return value;
  }
}

function invalid(message: string): CredentialsAnswer {
  return { kind: 'invalid', message };
}

/** A host that is about to go needs its Secret no longer. */
function claimOf(host: BareMetalHost, state: string): Claim {
  const owner = ownerOf(host.metadata);
  return state === 'deleting' ? { owner } : { owner, finalizer: finalizers.secret };
}
