/** Whether switches are looked after, and where what Ironic is to know of them goes. */
import { InputError } from '../errors.js';
import type { Environment } from './ironic.js';

export interface SwitchNetworking {
  /** Names of Secrets, one of each in every namespace that has switches. */
  readonly configsSecret: string;
  readonly credentialsSecret: string;
  /** Where Ironic finds the files of the second Secret. */
  readonly credentialsPath: string;
}

const yes = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const no = ['', '0', 'f', 'F', 'FALSE', 'false', 'False'];

/** undefined: they are not. @throws InputError for the first variable that is wrong, or missing where they are. */
export function switchNetworking(environment: Environment): SwitchNetworking | undefined {
  const word = environment.IRONIC_NETWORKING_ENABLED ?? '';
  if (no.includes(word)) return undefined;
  if (!yes.includes(word)) {
    throw new InputError('IRONIC_NETWORKING_ENABLED', `"${word}" is neither true nor false`, 'give one of them');
  }
  const configsSecret = secretName(environment, 'IRONIC_SWITCH_CONFIGS_SECRET');
  const credentialsSecret = secretName(environment, 'IRONIC_SWITCH_CREDENTIALS_SECRET');
  if (configsSecret === credentialsSecret) {
    const problem = `names the Secret ${configsSecret}, as IRONIC_SWITCH_CONFIGS_SECRET does`;
    throw new InputError('IRONIC_SWITCH_CREDENTIALS_SECRET', problem, 'name two Secrets');
  }
  return { configsSecret, credentialsSecret, credentialsPath: path(environment, 'IRONIC_SWITCH_CREDENTIALS_PATH') };
}

function required(environment: Environment, variable: string, remedy: string): string {
  const value = environment[variable] ?? '';
  if (value !== '') return value;
  const remedies = `${remedy}, or set IRONIC_NETWORKING_ENABLED to false`;
  throw new InputError(variable, 'is not set, and IRONIC_NETWORKING_ENABLED asks for it', remedies);
}

function secretName(environment: Environment, variable: string): string {
  const name = required(environment, variable, 'name a Secret that Ironic mounts');
  if (/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) && name.length <= 253) return name;
  throw new InputError(variable, `"${name}" is no name of a Secret`, 'give one such as metal3-switch-configs');
}

function path(environment: Environment, variable: string): string {
  const text = required(environment, variable, 'give the folder where Ironic finds the keys');
  // It stands in lines of a file.
  if (/^\/[^\p{Cc}]*$/u.test(text) && text.trim() === text) return text.replace(/(?<=.)\/+$/, '');
  throw new InputError(variable, `${JSON.stringify(text)} is no absolute path`, 'write one, such as /etc/ironic/keys');
}
