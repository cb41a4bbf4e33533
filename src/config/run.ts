/** Settings of `ironchart run` beyond its flags: what the environment says, under the names that manifests already use. */
import { InputError } from '../errors.js';
import type { Environment } from './ironic.js';

export interface LeaseTimes {
  readonly durationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** A flag wins over its variable. Empty: all namespaces. */
export function watchedNamespaces(flag: string | undefined, environment: Environment): string[] {
  const text = flag ?? environment.WATCH_NAMESPACE ?? '';
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Where provisioners of third parties lie: the flag, else `PROVISIONER_PLUGIN_DIR`, else `/plugins`. */
export function pluginFolder(flag: string | undefined, environment: Environment): string {
  return flag ?? (environment.PROVISIONER_PLUGIN_DIR || '/plugins');
}

/** Workers: the flag, else `BMO_CONCURRENCY`, else by the number of processors, between 2 and 8. */
export function workers(flag: number, environment: Environment, processors: number): number {
  if (flag > 0) return flag;
  const text = environment.BMO_CONCURRENCY;
  if (text !== undefined && text !== '') {
    if (!/^-?\d+$/.test(text))
      throw new InputError('BMO_CONCURRENCY', `"${text}" is no whole number`, 'give one, or unset it');
    if (Number(text) > 0) return Number(text);
  }
  return Math.max(2, Math.min(8, processors));
}

/** @throws InputError unless duration > renew deadline > retry period. */
export function leaseTimes(
  flags: Record<'duration' | 'renew' | 'retry', string | undefined>,
  environment: Environment,
): LeaseTimes {
  const seconds = (flag: string | undefined, variable: string, standard: number): number => {
    const text = flag ?? environment[variable] ?? '';
    if (text === '') return standard;
    if (!/^\d{1,5}$/.test(text) || Number(text) === 0)
      throw new InputError(variable, `"${text}" is no number of seconds`, 'give one, or leave it out');
    return Number(text);
  };
  const times = {
    durationMs: seconds(flags.duration, 'LEASE_DURATION_SECONDS', 15) * 1000,
    renewDeadlineMs: seconds(flags.renew, 'RENEW_DEADLINE_SECONDS', 10) * 1000,
    retryPeriodMs: seconds(flags.retry, 'RETRY_PERIOD_SECONDS', 2) * 1000,
  };
  if (times.durationMs <= times.renewDeadlineMs || times.renewDeadlineMs <= times.retryPeriodMs) {
    throw new InputError(
      'lease times',
      'do not fit together',
      'the duration must exceed the renew deadline, and that the retry period',
    );
  }
  return times;
}

/** Where the Lease is kept: the pod's namespace, else the one that is watched. */
export function leaseNamespace(environment: Environment, namespaces: readonly string[]): string {
  const namespace = environment.POD_NAMESPACE || namespaces[0];
  if (namespace !== undefined && namespace !== '') return namespace;
  throw new InputError(
    'POD_NAMESPACE',
    'is not set',
    'set it to the namespace of the Lease, or leave --enable-leader-election out',
  );
}
