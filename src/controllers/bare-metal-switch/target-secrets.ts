/** The two Secrets that Ironic mounts: they are filled, never made, and written only where something changes. */
import { isKubeError, type SecretObject, type SecretStore } from '../../kube/index.js';
import { keyFiles, type SwitchEntry, switchConfigs } from './rendering.js';
import type { Trouble } from './roster.js';

export interface SwitchTargets {
  /** Names, the same in each namespace. */
  readonly configsSecret: string;
  readonly credentialsSecret: string;
  /** Where Ironic finds the files of the second. */
  readonly credentialsPath: string;
}

const configKey = 'switch-configs.conf';

export class TargetSecrets {
  constructor(
    private readonly secrets: Pick<SecretStore, 'read' | 'fill'>,
    private readonly targets: SwitchTargets,
  ) {}

  get names(): readonly string[] {
    return [this.targets.configsSecret, this.targets.credentialsSecret];
  }

  /** undefined: both hold what they are to hold. Otherwise neither was touched. */
  async fill(namespace: string, entries: readonly SwitchEntry[], signal: AbortSignal): Promise<Trouble | undefined> {
    const { configsSecret, credentialsSecret, credentialsPath } = this.targets;
    const configs = await this.secrets.read({ namespace, name: configsSecret }, signal);
    const credentials = await this.secrets.read({ namespace, name: credentialsSecret }, signal);
    if (configs === undefined || credentials === undefined) {
      return missing(namespace, configs === undefined ? configsSecret : credentialsSecret);
    }
    const config = Buffer.from(switchConfigs(entries, credentialsPath)).toString('base64');
    const wanted: readonly [SecretObject, Record<string, string | null>][] = [
      // The keys first: no line is to speak of one that is not there.
      [credentials, { ...without(credentials), ...keyFiles(entries) }],
      [configs, { [configKey]: config }],
    ];
    const locked = wanted.find(([secret, values]) => secret.immutable === true && changes(secret, values));
    if (locked !== undefined) return immutable(locked[0].metadata.name);
    for (const [secret, values] of wanted) {
      try {
        await this.secrets.fill(secret, values, signal);
      } catch (error) {
        if (!isKubeError(error, 'KUBE_INVALID') && !isKubeError(error, 'KUBE_FORBIDDEN')) throw error;
        return refused(secret.metadata.name, isKubeError(error, 'KUBE_INVALID'));
      }
    }
    return undefined;
  }
}

function without({ data = {} }: SecretObject): Record<string, null> {
  return Object.fromEntries(Object.keys(data).map((key) => [key, null]));
}

function changes({ data = {} }: SecretObject, values: Readonly<Record<string, string | null>>): boolean {
  return Object.entries(values).some(([key, value]) => (data[key] ?? null) !== value);
}

function missing(namespace: string, name: string): Trouble {
  const message =
    `the Secret ${name}, which the operator fills for Ironic, does not exist in this namespace: ` +
    `create it empty (kubectl create secret generic ${name} --namespace ${namespace})`;
  return { reason: 'TargetSecretMissing', message, isToBeLookedFor: true };
}

/** What the API server says to it is not repeated: it may speak of what the Secret was to hold. */
function refused(name: string, isInvalid: boolean): Trouble {
  const why = isInvalid
    ? 'a Secret holds at most 1 MiB, all logins of the namespace together: look for one that is too large'
    : 'the operator may not write it: its role wants patch of Secrets here';
  const message = `the API server takes no change of the Secret ${name}, which the operator fills for Ironic: ${why}`;
  return { reason: 'TargetSecretRefused', message, isToBeLookedFor: true };
}

function immutable(name: string): Trouble {
  const message = `the Secret ${name}, which the operator fills for Ironic, is immutable: create it anew, and empty`;
  return { reason: 'TargetSecretImmutable', message };
}
